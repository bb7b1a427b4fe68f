"""What is printed without rich is, letter for letter, what rich prints."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoreproof.cli import terminal

WORDS = st.text(st.sampled_from("abc  \u202f\u00a0,é±–一\n\t"), max_size=40)


def by_rich(thing: object, width: int) -> str:
    console = terminal.console_here()
    console.width = width
    with console.capture() as printed:
        console.print(thing)
    return "\n".join(line.rstrip() for line in printed.get().split("\n"))


@given(text=WORDS, width=st.integers(1, 30))
@example(text="  note: 30\u202f000 items", width=12)
@example(text="", width=5)
@settings(max_examples=400)
def test_a_text(text: str, width: int) -> None:
    lines = terminal.wrapped(text, width)
    if lines is not None:
        assert "\n".join(lines) + "\n" == by_rich(terminal.Words((text, "")), width)


@given(
    rows=st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(WORDS, min_size=n, max_size=n), min_size=1)),
    width=st.integers(1, 60),
    numbers=st.none() | st.integers(0, 3),
    gap=st.integers(1, 3),
    headed=st.booleans(),
    margins=st.sampled_from([(0, 0), terminal.BELOW, (0, 2)]),
)
@settings(max_examples=400)
def test_a_table(
    rows: list[list[str]], width: int, numbers: int | None, gap: int, headed: bool, margins: tuple[int, int]
) -> None:
    table = terminal.table_of(rows[0], rows[1:], text_columns=numbers, gap=gap, headed=headed, margins=margins)
    lines = table.plain(width)
    if lines is not None:
        assert "\n".join(lines) + "\n" == by_rich(table, width)


@pytest.mark.parametrize("words", [("INCONSISTENT with 100",), ("a", "b")])
def test_common_things_take_no_rich(words: Sequence[str]) -> None:
    assert terminal.wrapped(" ".join(words), 20) is not None
    assert terminal.table_of(words, [words]).plain(60) is not None
