"""``scoreproof mcp``: the tools of an assistant, over standard input and output (Model Context Protocol).

    tools      the table of tools: what each asks for, and which job of the page finds it
    answers    what was found in a few lines of our own words
    kept       what was found in full, to be read as a resource
    server     the protocol; the computing is done by the processes of the page, with its limits

The model reads the verdict's own sentence; the proof stands beside it as a resource and is replayed by
``verify``.  Nothing is written, and no file is opened outside the folder that was allowed.
"""
