"""The browser page and the JSON API of ``scoreproof serve``.

    guard      who may ask, how much, and what every answer carries
    desk       jobs: started once, waited for, stopped
    api        the JSON API; openapi has the table of its addresses
    pages      the HTML pages; form turns what was typed into claims
    bundling   the known traps of a benchmark
    many       whole tables, row by row
    work       processes that do the computing and can be stopped

The server itself never solves anything: a claim goes to a worker process as text and comes back as
an answer, or the process is ended.
"""
