"""Verdicts for the eye: what is drawn is what was decided."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from math import ceil, floor
from pathlib import Path

import pytest
from click.testing import CliRunner

import scoreproof
from scoreproof.cli import cli
from scoreproof.insight.display import markdown, report, tag
from scoreproof.insight.display.picture import labelled
from scoreproof.insight.region import region

EVIL = '<script>alert("x")</script>'
CLAIMS = [
    {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567", "sens": "0.8500", "spec": "0.9750"}},
    {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.95", "f1": "0.93", "mcc": "0.89"}},
    {"experiment": {"p": 10**9, "n": 10**9}, "scores": {"f1": "0.812", "ji": "0.6833", "acc": "0.7"}},
    {"experiment": {"p": 30, "n": 70}, "scores": {"sens": "0.86", "acc": "0.89"}, "rounding": "open"},
    {"experiment": {"p": 10, "n": 10}, "scores": {"acc": "1.2", "sens": "0.5"}},
    {"experiment": {"p": 1, "n": 1}, "scores": {"pt": "0.5", "lrn": "0.5", "dor": ">2"}},
    {
        "experiment": {"p": 20, "n": 30, "folds": 5, "stratified": True, "aggregate": "mean"},
        "scores": {"acc": "0.9"},
    },
    {"experiment": {"classes": {"a": 5, "b": 5, "c": 5}}, "scores": {"acc": "0.933"}},
    {"scores": {"acc": "0.95", "sens": "0.9", "spec": "0.8"}},
    {"title": EVIL, "note": EVIL, "experiment": {"p": 5, "n": 5}, "scores": {"acc": "0.9"}},
]


class WellFormed(HTMLParser):
    """Every element that is opened is closed, in order."""

    VOID = frozenset({"meta", "link", "br", "hr", "img", "input", "col"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_every_kind_of_claim_has_a_report_that_is_whole_and_alone(claim: dict[str, object]) -> None:
    verdict = scoreproof.check(claim)
    page = report(verdict)
    parser = WellFormed()
    parser.feed(page)
    assert parser.open == [] and verdict.status in page
    assert not re.search(r"<script|\ssrc=|<link|@import|url\((?!#)", page)  # needs nothing, runs nothing
    assert EVIL not in markdown(verdict).partition("```")[0]
    assert verdict._repr_html_()


def test_text_is_escaped_where_it_enters() -> None:
    assert EVIL not in tag("p", EVIL, title=EVIL) and tag("p", tag("b", "x")) == "<p><b>x</b></p>"


def test_the_close_up_holds_every_matrix_that_fits() -> None:
    """Also where they are too many to be drawn one by one."""
    p, n = 3000, 4000
    found = region(scoreproof.check({"experiment": {"p": p, "n": n}, "scores": {"acc": "0.90", "sens": "0.9"}}))
    assert found is not None and len(found.panels) == 2
    window = found.panels[-1].window
    fitting = [
        (tp, tn)
        for tp in range(ceil(0.85 * p), floor(0.95 * p) + 1, 5)
        for tn in range(0, n + 1, 5)
        if 0.895 * (p + n) <= tp + tn <= 0.905 * (p + n)
    ]
    assert len(fitting) > 500 and all(window.holds(*point) for point in fitting)
    assert (
        found.caption == "The bands of all figures meet in the grey area, in more matrices than can be marked."
    )


@pytest.mark.parametrize("size", [10, 1000, 100_000, 123_457, 10**7, 10**9])
def test_ticks_leave_room_for_the_title(size: int) -> None:
    for low, high in ((0, size), (size * 0.3, size * 0.3 + 20)):
        ticks, of = labelled(low, high)
        assert len(ticks) > 1 and all(len(label) <= 5 for _, label in ticks)
        base = int("".join(filter(str.isdigit, of)) or 0)
        unit = {"thousand": 10**3, "million": 10**6}.get(of.split()[0], 1)
        assert all(base + float(label) * unit == value for value, label in ticks)


def test_the_close_up_of_a_clash_shows_all_bands_that_clash() -> None:
    found = region(scoreproof.check(CLAIMS[0]))
    assert found is not None and len(found.panels) == 2
    clashing = [band for band in found.panels[-1].bands if band.clashes]
    assert len(clashing) == 2 and all(band.outline and band.edges for band in clashing)
    assert found.gap is not None and found.gap.figures == ("sens", "acc")
    assert found.caption == (
        "No matrix lies in the bands of acc and sens at once: where sens and acc come closest, they are still "
        "about 1.99 TP apart."
    )


def run(*words: str) -> int:
    return CliRunner().invoke(cli, list(words), prog_name="scoreproof").exit_code


SHORT = ("--p", "100", "--n", "200", "acc=0.9567", "sens=0.8500")


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_figures_come_in_three_formats(tmp_path: Path, ending: str, start: bytes) -> None:
    path = tmp_path / f"region.{ending}"
    assert run("check", *SHORT, "--plot", str(path)) == 1
    assert path.read_bytes().startswith(start)
    if ending == "svg":
        text = path.read_text(encoding="utf-8")
        assert "true positives, tp (items)" in text and "true negatives, tn (items)" in text


def test_range_bars_have_axis_titles(tmp_path: Path) -> None:
    path = tmp_path / "ranges.svg"
    assert (
        run("reconstruct", "--p", "100", "--n", "200", "acc=0.95", "mcc", "sens", "lrp", "--plot", str(path))
        == 0
    )
    assert "value of the score" in path.read_text(encoding="utf-8")
    assert run("reconstruct", *SHORT, "mcc", "--plot", str(path)) == 2  # nothing fits: nothing to draw


@pytest.mark.parametrize(
    "words",
    [
        ("--html", "/nowhere/x.html"),
        ("--markdown", "/nowhere/x.md"),
        ("--plot", "region.bmp"),
        ("--plot", "x/y.png"),
    ],
)
def test_files_that_cannot_be_written_are_one_sentence(words: tuple[str, str]) -> None:
    result = CliRunner().invoke(cli, ["check", *SHORT, *words], prog_name="scoreproof")
    assert result.exit_code == 2 and result.stderr.startswith(f"scoreproof: {words[0]}: ")


def test_reports_hold_the_paragraph_for_a_review(tmp_path: Path) -> None:
    html, md = tmp_path / "r.html", tmp_path / "r.md"
    assert run("check", *SHORT, "--html", str(html), "--markdown", str(md)) == 1
    for path in (html, md):
        assert "do not belong together" in path.read_text(encoding="utf-8")


def test_results_show_themselves_in_a_notebook() -> None:
    found = scoreproof.reconstruct(CLAIMS[1], ["mcc", "sens", "lrp"])
    assert 'class="bar"' in found._repr_html_()
    assert "blockquote" in scoreproof.explain(CLAIMS[0])._repr_html_()
