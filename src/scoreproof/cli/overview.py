"""The commands in the order of the help, and the help itself as plain text: shown without loading anything."""

from __future__ import annotations

#: The exit codes of verdicts.
EXIT = {"consistent": 0, "inconsistent": 1, "undecided": 3}

# fmt: off
COMMANDS: dict[str, str] = {
    "check":       "Could these figures be? Shown if yes, proven if not.",
    "reconstruct": "What a paper did not print: scores, counts, matrices.",
    "tables":      "The 2x2 tables behind scores with confidence intervals.",
    "scan":        "Whole papers: find the tables, read them, check them.",
    "explain":     "What clashes, what may have happened, how strong the test.",
    "dossier":     "A verdict, its proof and how to replay it, in one archive.",
    "verify":      "Replay the proof of a verdict from `check --json`.",
    "scores":      "The scores with their formulas and synonyms.",
    "datasets":    "The datasets whose class counts are known by name.",
    "bundle":      "Try every usual evaluation of a benchmark.",
    "cases":       "Check the published cases that come with scoreproof.",
    "demo":        "Three stories in a minute: what it is good for.",
    "aggregate":   "Average the scores of folds in every way there is.",
    "batch":       "Check every row of a table: CSV, Excel, Parquet, JSON lines.",
    "power":       "How often would a slip be caught?",
    "serve":       "A web page and a JSON API on this machine.",
    "mcp":         "Tools for an assistant: check, explain, verify and more.",
    "simulate":    "Which average over folds is biased, and how much?",
}
# fmt: on

OVERVIEW = """\
Usage: scoreproof [OPTIONS] COMMAND [ARGS]...

  Could any confusion matrices give the scores a paper prints?

  Decided exactly: a fit is shown, an inconsistency is proven. Start with
  `scoreproof check --help`, or see what it is good for with `scoreproof
  demo`.

Options:
  --version   Show the version and exit.
  -h, --help  Show this message and exit.

Commands:
"""


def overview() -> str:
    """What ``scoreproof --help`` prints where lines may have 80 characters."""
    width = max(map(len, COMMANDS))
    return OVERVIEW + "".join(f"  {name:{width}}  {about}\n" for name, about in COMMANDS.items())
