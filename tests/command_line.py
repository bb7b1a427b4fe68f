"""A command run as a user would run it."""

from __future__ import annotations

from click.testing import CliRunner, Result

from scoreproof.cli import cli


def run(*words: str, stdin: str | None = None) -> Result:
    """What a command says; a bug of ours is raised."""
    result = CliRunner().invoke(cli, list(words), input=stdin, prog_name="scoreproof")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result
