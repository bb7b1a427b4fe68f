"""The commands, in the order of the help, and what is said about words that are none.

Exit codes: 0 consistent (or confirmed), 1 inconsistent (or refused), 2 bad input, 3 undecided.
"""

from __future__ import annotations

import re
import sys
from contextvars import copy_context
from typing import Any

import click

import scoreproof
from scoreproof.cli.aggregate import aggregate
from scoreproof.cli.batch import batch
from scoreproof.cli.bundle import bundle
from scoreproof.cli.cases import cases
from scoreproof.cli.check import check
from scoreproof.cli.command import BAD_INPUT, BROKEN_PIPE, fail, stopped, unwritten
from scoreproof.cli.datasets import datasets
from scoreproof.cli.demo import demo
from scoreproof.cli.dossier import dossier
from scoreproof.cli.explain import explain
from scoreproof.cli.mcp import mcp
from scoreproof.cli.power import power
from scoreproof.cli.reconstruct import reconstruct
from scoreproof.cli.scan import scan
from scoreproof.cli.scores import scores
from scoreproof.cli.serve import serve
from scoreproof.cli.simulate import simulate
from scoreproof.cli.tables import tables
from scoreproof.cli.terminal import write_anywhere
from scoreproof.cli.verify import verify
from scoreproof.errors import BadClaim
from scoreproof.hints import at_command_line, nearest

# fmt: off
COMMANDS: dict[click.Command, str] = {
    check:       "Could these figures be? Shown if yes, proven if not.",
    reconstruct: "What a paper did not print: scores, counts, matrices.",
    tables:      "The 2x2 tables behind scores with confidence intervals.",
    scan:        "Whole papers: find the tables, read them, check them.",
    explain:     "What clashes, what may have happened, how strong the test.",
    dossier:     "A verdict, its proof and how to replay it, in one archive.",
    verify:      "Replay the proof of a verdict from `check --json`.",
    scores:      "The scores with their formulas and synonyms.",
    datasets:    "The datasets whose class counts are known by name.",
    bundle:      "Try every usual evaluation of a benchmark.",
    cases:       "Check the published cases that come with scoreproof.",
    demo:        "Three stories in a minute: what it is good for.",
    aggregate:   "Average the scores of folds in every way there is.",
    batch:       "Check every row of a table: CSV, Excel, Parquet, JSON lines.",
    power:       "How often would a slip be caught?",
    serve:       "A web page and a JSON API on this machine.",
    mcp:         "Tools for an assistant: check, explain, verify and more.",
    simulate:    "Which average over folds is biased, and how much?",
}
# fmt: on


class Commands(click.Group):
    """Wrong usage is one sentence, too, and JSON where JSON was asked for."""

    def main(self, args: Any = None, prog_name: str | None = None, *more: Any, **extra: Any) -> Any:
        extra["standalone_mode"] = False
        try:
            # A context of its own: what --from brings in ends with the command, however it ends.
            context = copy_context()
            context.run(at_command_line.set, True)
            result: object = context.run(super().main, args, prog_name, *more, **extra)
        except click.UsageError as error:
            words = list(args) if args is not None else sys.argv[1:]
            if not words and error.ctx is not None:  # nothing was asked for: what there is
                click.echo(error.ctx.get_help(), err=True)
                sys.exit(BAD_INPUT)
            fail(_complaint(error), "--json" in words)
        except click.Abort:
            sys.exit(stopped("stopped"))
        sys.exit(result if isinstance(result, int) else 0)

    def list_commands(self, ctx: click.Context | None = None) -> list[str]:
        return list(self.commands)


def _complaint(error: click.UsageError) -> BadClaim:
    """What is wrong with the words of the command line, in a sentence."""
    name = error.param.opts[0] if isinstance(error, click.BadParameter) and error.param else "command line"
    hint = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
    if isinstance(error, click.MissingParameter):
        return BadClaim(name, f"is missing{hint}")
    message = error.message if isinstance(error, click.BadParameter) else error.format_message()
    asked = re.match(r"No such command '(.*?)'", message)
    if asked:
        return BadClaim(name, f"there is no command {asked[1]!r}{nearest(asked[1], cli.commands)}{hint}")
    return BadClaim(name, message.rstrip(".") + hint)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(scoreproof.__version__, prog_name="scoreproof")
def cli() -> None:
    """Could any confusion matrices give the scores a paper prints?

    Decided exactly: a fit is shown, an inconsistency is proven. Start with
    `scoreproof check --help`, or see what it is good for with `scoreproof demo`.
    """


for _command, _about in COMMANDS.items():
    _command.short_help = _about
    cli.add_command(_command)


def main() -> None:
    """The console script."""
    write_anywhere()
    try:
        cli()
    except KeyboardInterrupt:
        sys.exit(stopped("stopped"))
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(BROKEN_PIPE)
    except OSError as error:
        fail(unwritten(error))
