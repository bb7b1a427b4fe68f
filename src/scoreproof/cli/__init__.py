"""The command line: parse, call, print.  One module per command."""

from scoreproof.cli.commands import cli, main

__all__ = ["cli", "main"]
