"""``scoreproof demo``: three stories, a screen each, and how the published cases fare."""

from __future__ import annotations

import shlex
from collections import Counter

import click

import scoreproof
from scoreproof.cli.command import Answer, command
from scoreproof.cli.terminal import say, working

PRETERM = "acc=0.9447 sens=0.9139 spec=0.9733"
#: A heading, then what is said (text) and what is run (words after $).
STORIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "A slip, found and mended",
        (
            "A paper on such checks prints a worked example: three figures, 1000 positives and 6000 negatives.",
            "$ scoreproof check --p 1000 --n 6000 --eps 0.0001 acc=0.6801 npv=0.9401 f1=0.4004",
            "No matrix has all three. One other digit in the accuracy mends it:",
            "$ scoreproof check --p 1000 --n 6000 --eps 0.0001 acc=0.6821 npv=0.9401 f1=0.4004",
        ),
    ),
    (
        "A cross-validation that cannot be, and its cause",
        (
            "Preterm births are predicted from 38 + 262 recordings, in 5 folds.",
            "$ scoreproof check --dataset tpehg --folds 5 --aggregate mean acc=0.9447",
            "300 items cannot have 16.6 errors. A bundle tries what is usual here, mistakes included:",
            f"$ scoreproof bundle tpehg --folds 5 --given oversampled=244 {PRETERM}",
        ),
    ),
    (
        "A 2x2 table, rebuilt",
        (
            "A study of 296 patients prints sensitivity and specificity with their intervals, no counts.",
            '$ scoreproof tables --total 296 "sens=0.921 (0.836-0.970)" "spec=0.877 (0.826-0.918)"',
            "One table of all gives these figures, and it tells the method of the intervals, too.",
        ),
    ),
)


@command(json="the verdicts on the published cases")
def demo() -> Answer:
    """Three stories told by the commands themselves, then the published cases in a line."""
    return Answer(lambda: verdicts()[0], _tell)


def verdicts() -> tuple[dict[str, str], str]:
    """The verdict on each published case, and all of them in a sentence."""
    from scoreproof.cases import SAID, published

    found = {name: scoreproof.check(path).status for name, path in published().items()}
    count = Counter(
        "nothing" if not SAID[name] else "as" if SAID[name] == status else "not"
        for name, status in found.items()
    )
    told = f"{len(found)} published cases: {count['as']} as published, {count['not']} not as published"
    return found, f"{told}, {count['nothing']} without a published verdict."


def _tell() -> None:
    for number, (heading, steps) in enumerate(STORIES, 1):
        say("")
        click.secho(f"{number}. {heading}", bold=True)
        for step in steps:
            say("")
            if step.startswith("$ "):
                click.echo(step)  # unbroken, to be copied
                _run(shlex.split(step)[2:])
            else:
                say(step)
    say("")
    with working("checking the published cases"):
        _, sentence = verdicts()
    say(sentence)
    say("`scoreproof cases` shows them all, `scoreproof check --help` how to check your own.")


def _run(words: list[str]) -> None:
    """Run a command as if it had been typed; its exit code is the verdict's and ends nothing here."""
    name, *rest = words
    group = click.get_current_context().find_root().command
    assert isinstance(group, click.Group)
    chosen = group.get_command(click.get_current_context(), name)
    assert chosen is not None, name
    with chosen.make_context(name, rest, parent=click.get_current_context()) as context:
        chosen.invoke(context)
