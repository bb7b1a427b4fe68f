"""The command line: parse, call, print.  One module per command."""

from scoreproof.cli.start import __getattr__ as __getattr__
from scoreproof.cli.start import main

__all__ = ["cli", "main"]
