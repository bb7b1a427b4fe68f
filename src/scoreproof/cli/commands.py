"""The commands, each loaded when it is asked for, and what is said about words that are none.

Exit codes: 0 consistent (or confirmed), 1 inconsistent (or refused), 2 bad input, 3 undecided.
"""

from __future__ import annotations

import re
import sys
from contextvars import copy_context
from typing import Any

import click

from scoreproof.cli.command import BAD_INPUT, BROKEN_PIPE, fail, stopped, unwritten
from scoreproof.cli.overview import COMMANDS
from scoreproof.cli.terminal import write_anywhere
from scoreproof.errors import BadClaim
from scoreproof.hints import at_command_line, nearest
from scoreproof.version import __version__


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
        return list(COMMANDS)

    def get_command(self, ctx: click.Context | None, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            self.add_command(_loaded(cmd_name))
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _loaded(name: str) -> Any:  # cc: one case for each command
    """The command of a name, whose module is imported only now."""
    match name:
        case "check":
            from scoreproof.cli.check import check

            return check
        case "reconstruct":
            from scoreproof.cli.reconstruct import reconstruct

            return reconstruct
        case "tables":
            from scoreproof.cli.tables import tables

            return tables
        case "scan":
            from scoreproof.cli.scan import scan

            return scan
        case "explain":
            from scoreproof.cli.explain import explain

            return explain
        case "dossier":
            from scoreproof.cli.dossier import dossier

            return dossier
        case "verify":
            from scoreproof.cli.verify import verify

            return verify
        case "scores":
            from scoreproof.cli.scores import scores

            return scores
        case "datasets":
            from scoreproof.cli.datasets import datasets

            return datasets
        case "bundle":
            from scoreproof.cli.bundle import bundle

            return bundle
        case "cases":
            from scoreproof.cli.cases import cases

            return cases
        case "demo":
            from scoreproof.cli.demo import demo

            return demo
        case "aggregate":
            from scoreproof.cli.aggregate import aggregate

            return aggregate
        case "batch":
            from scoreproof.cli.batch import batch

            return batch
        case "power":
            from scoreproof.cli.power import power

            return power
        case "serve":
            from scoreproof.cli.serve import serve

            return serve
        case "mcp":
            from scoreproof.cli.mcp import mcp

            return mcp
        case "simulate":
            from scoreproof.cli.simulate import simulate

            return simulate
        case _:
            raise KeyError(name)


def _complaint(error: click.UsageError) -> BadClaim:
    """What is wrong with the words of the command line, in a sentence."""
    name = error.param.opts[0] if isinstance(error, click.BadParameter) and error.param else "command line"
    hint = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
    if isinstance(error, click.MissingParameter):
        return BadClaim(name, f"is missing{hint}")
    message = error.message if isinstance(error, click.BadParameter) else error.format_message()
    asked = re.match(r"No such command '(.*?)'", message)
    if asked:
        return BadClaim(name, f"there is no command {asked[1]!r}{nearest(asked[1], COMMANDS)}{hint}")
    return BadClaim(name, message.rstrip(".") + hint)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="scoreproof")
def cli() -> None:
    """Could any confusion matrices give the scores a paper prints?

    Decided exactly: a fit is shown, an inconsistency is proven. Start with
    `scoreproof check --help`, or see what it is good for with `scoreproof demo`.
    """


def main() -> None:
    """Any command, from the words of the command line."""
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
