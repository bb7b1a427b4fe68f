"""Reading takes time that grows with the text, whatever its shape, and ends in an answer or one sentence."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import pytest

from scoreproof.errors import BadClaim, ScoreproofError
from scoreproof.reading.report import from_report, text_data
from scoreproof.reading.tables.claims import Settings
from scoreproof.reading.tables.columns import in_python, recognise
from scoreproof.reading.tables.pasted import read_pasted

#: Characters of the shorter text, and how many times as long the other is.
SHORT, LONGER = 2_000, 16
#: How many times as much work the longer text may take: by its square it would be 256 times as much.
MOST_GROWTH = 4 * LONGER
#: Seconds below which a clock tells nothing.
LEAST = 0.002


def _again(piece: str, before: str = "", after: str = "") -> Callable[[int], str]:
    return lambda size: before + piece * (size // len(piece)) + after


def _numbered(piece: str, before: str = "", after: str = "") -> Callable[[int], str]:
    return lambda size: before + "".join(piece.format(at) for at in range(size // len(piece))) + after


# fmt: off
SHAPES: dict[str, Callable[[int], str]] = {
    "one word":          _again("a"),
    "one line":          _again("a "),
    "wide gaps":         _again(" ", "a", "b\nc = d"),
    "one-word lines":    _again("a\n"),
    "short lines":       _again("a  0.9\n"),
    "steps":             lambda size: "\n".join(" " * at + "a" for at in range(int((2 * size) ** 0.5))),
    "two long lines":    lambda size: "a " * (size // 4) + "\n" + "b " * (size // 4),
    "commas":            _again(","),
    "unknown columns":   _numbered("column{}\t", "acc\t", "\n0.9"),
    "intervals":         _numbered("95% CI\t", "acc\t", "\n0.9"),
    "ragged lines":      lambda size: "|acc" * (size // 8) + "|\n" + "|1|\n" * (size // 8),
    "headings only":     _numbered("name{},95% CI,SD\n", "name,acc,f1\n"),
    "rows":              _again("0.91,0.92\n", "acc,f1\n"),
    "digits":            _again("1"),
    "digits in cells":   _again("1" * 190 + "x\t0.8\n", "acc\tf1\n"),
    "dashes":            _again("-"),
    "a long rule":       _again("-", "a|b\n", "x"),
    "pipes":             _again("|"),
    "spaces":            _again(" ", "", "x"),
    "brackets":          _again("["),
    "matrices":          _again("[["),
    "braces":            _again("{"),
    "a long heading":    _again("_ ,", "acc", "\tf1\n0.9\t0.8"),
    "quotes":            _again('"\n'),
    "unclosed tags":     _again("<a ", "<td>"),
    "comments":          _again("<!--", "<td>"),
    "merged cells":      _again("<tr><td rowspan=100 colspan=100>a"),
    "unclosed scripts":  _again("<script>", "<td>"),
    "tabulars":          _again("\\begin{tabular}{c", "&"),
    "optional arguments": _again("\\\\[", "&"),
    "commands":          _again("\\a[", "&\\\\"),
    "multicolumns":      _again(" ", "&\\\\\\multicolumn", "x"),
    "dotted keys":       _again(".a", "a", "=1"),
    "nested objects":    _again('{"a":'),
    "report":            _numbered("c{} 0.9 0.9 0.9 10\n", "precision recall f1-score support\n"),
}
# fmt: on


def pasted(text: str) -> None:
    table = read_pasted(text, Settings({"p": 10, "n": 20}), in_python)
    for _ in table.claims():
        table.layout.meanings()
        break


def _seconds(ask: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    try:
        ask(text)
    except ScoreproofError as error:
        assert len(str(error).splitlines()) == 1 and len(str(error)) < 1500, str(error)[:300]
    return time.process_time() - start


@pytest.mark.parametrize("reader", [pasted, from_report, text_data], ids=lambda reader: reader.__name__)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_work_grows_with_the_text(shape: str, reader: Callable[[str], object]) -> None:
    short, long = (SHAPES[shape](size) for size in (SHORT, SHORT * LONGER))
    least = max(min(_seconds(reader, short) for _ in range(3)), LEAST)
    # a machine at work on other things is slow by chance, but not every time
    assert any(_seconds(reader, long) <= MOST_GROWTH * least for _ in range(4)), least


def test_lines_of_one_word_are_no_table_and_one_sentence_says_so() -> None:
    with pytest.raises(BadClaim, match="no heading with names of scores was found"):
        pasted("word\n" * 3 * sys.getrecursionlimit())


def test_a_table_has_a_limit_of_columns() -> None:
    with pytest.raises(BadClaim, match="there are 10001, and at most 5000 are read"):
        recognise(["acc", *(f"column {at}" for at in range(10_000))])


def test_the_first_unknown_columns_are_spoken_of_and_the_others_counted() -> None:
    layout = recognise(["acc", *(f"column {at}" for at in range(100))])
    assert layout.remark.startswith("not used: column 0, ") and layout.remark.endswith(" and 80 more")
    assert len(layout.meanings()) == 101


def test_lines_of_very_unequal_length_are_no_table() -> None:
    with pytest.raises(BadClaim, match="the lines have from 1 to 3000 cells"):
        pasted("|acc" * 3000 + "|\n" + "|1|\n" * 3000)


def test_a_title_above_aligned_columns_may_have_several_lines() -> None:
    title = "\n".join(f"line {at}" for at in range(8))
    text = f"{title}\nmodel    acc     f1\nours  0.9567  0.931\nhis   0.9500  0.900"
    assert [name for name, _ in read_pasted(text, Settings({"p": 10, "n": 20}), in_python).claims()] == [
        "ours", "his",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "<tr><th>Acc<!-- <td>x --></th><th title='a > b'>F1</th></tr><tr><td>0.9<sup>2</sup><td>0.8</table>",
        "<TABLE><TR><TH>Acc<TH>F1<TR><TD COLSPAN=1>0.9&sup2;</TD><TD>0.8</TD></TABLE><script>'<td>'</script>",
    ],
)
def test_tables_of_pages_are_read_as_a_browser_shows_them(text: str) -> None:
    ((_, claim),) = read_pasted(text, Settings({"p": 10, "n": 20}), in_python).claims()
    assert claim["scores"] == {"Acc": "0.9²", "F1": "0.8"}
