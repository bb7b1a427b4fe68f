"""Verdicts for the eye: what is drawn is what was decided."""

from __future__ import annotations

import random
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
from scoreproof.scores import Betas

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


def test_every_matrix_that_fits_lies_in_every_band_that_is_drawn() -> None:
    rng = random.Random(4)
    names = [name for name in scoreproof.SCORES if name not in ("fbp", "fbn")]
    drawn = 0
    for _ in range(60):
        p, n = rng.randint(2, 60), rng.randint(2, 60)
        matrix = scoreproof.Matrix.of(rng.randint(1, p - 1), rng.randint(1, n - 1), p, n)
        chosen = rng.sample(names, 2)
        values = {name: scoreproof.SCORES[name].value(matrix) for name in chosen}
        from scoreproof.writing import show

        scores = {name: show(value, 2) for name, value in values.items() if value is not None}
        if not scores:
            continue
        found = region(scoreproof.check({"experiment": {"p": p, "n": n}, "scores": scores}))
        assert found is not None
        for panel in found.panels:
            for tp, tn in panel.fitting:
                if not (0 < tp < p and 0 < tn < n):
                    continue  # on the border a band is drawn a hair off
                for band in panel.bands:
                    assert any(inside((tp, tn), outline, panel) for outline in band.outlines), (
                        band.label,
                        tp,
                        tn,
                    )
                    drawn += 1
    assert drawn > 200


def inside(point: tuple[int, int], outline: tuple[tuple[float, float], ...], panel: object) -> bool:
    """Whether the point lies in a strip, or within a hundredth of the picture of its edge."""
    window = panel.window  # type: ignore[attr-defined]
    x, y = (point[0] - window.left) / window.width, (point[1] - window.bottom) / window.height
    across, along = x - y, x + y
    half = len(outline) // 2
    for a, b in zip(outline[:half], reversed(outline[half:]), strict=True):
        ends = [((tp - window.left) / window.width, (tn - window.bottom) / window.height) for tp, tn in (a, b)]
        if abs(ends[0][0] - ends[0][1] - across) < 0.011:
            high, low = (sum(end) for end in ends)
            if low - 0.022 <= along <= high + 0.022:
                return True
    return False


#: Narrow, wide, huge, curved, empty and pointed bands.
PICTURES = [
    (100, 200, {"acc": "0.9567", "sens": "0.8500"}),
    (100, 200, {"sens": "0.85", "spec": "0.5"}),
    (100_000, 100_000, {"acc": "0.91234", "sens": "0.8500", "f1": "0.9"}),
    (10**9, 2 * 10**9, {"acc": "0.9", "mcc": "0.80"}),
    (38, 262, {"kappa": "0.6513", "npv": "0.97"}),
    (10, 12, {"acc": "1.000", "bacc": "1.000"}),
    (500, 20, {"ppv": "0.9991", "lrp": "4.2"}),
    (60, 50, {"dor": "20.5", "spec": "0.02"}),
]


@pytest.mark.parametrize(("p", "n", "scores"), PICTURES)
def test_no_line_is_drawn_where_the_band_is_not(p: int, n: int, scores: dict[str, str]) -> None:
    """Near every corner of an outline there is a place at which the score is the printed one."""
    verdict = scoreproof.check({"experiment": {"p": p, "n": n}, "scores": scores})
    found = region(verdict)
    assert found is not None
    corners = 0
    for panel in found.panels:
        window = panel.window
        reach = 0.012 * window.width, 0.012 * window.height
        for band in panel.bands:
            score = scoreproof.SCORES[band.label]
            unit = 10.0 ** -len(band.printed.partition(".")[2])
            for tp, tn in (corner for outline in band.outlines for corner in outline):
                ends = []
                for sign in (-1, 1):  # a score is monotone along the diagonal
                    x = min(max(tp + sign * reach[0], 1e-6 * p), p * (1 - 1e-6))
                    y = min(max(tn + sign * reach[1], 1e-6 * n), n * (1 - 1e-6))
                    up, down = score.terms(scoreproof.Matrix(x, n - y, p - x, y), Betas())  # type: ignore[arg-type]
                    ratio = up / down
                    ends.append(abs(ratio) ** 0.5 * (1 if ratio > 0 else -1) if score.squared else ratio)
                low, high = sorted(ends)
                assert low <= float(band.printed) + unit and float(band.printed) - unit <= high, (
                    band.label,
                    tp,
                    tn,
                )
                corners += 1
    assert corners >= 4


def test_the_close_up_holds_every_matrix_that_fits() -> None:
    """Also where they are too many to be drawn one by one."""
    p, n = 3000, 4000
    found = region(scoreproof.check({"experiment": {"p": p, "n": n}, "scores": {"acc": "0.90", "sens": "0.9"}}))
    assert found is not None and found.close_up is not None
    window = found.close_up.window
    fitting = [
        (tp, tn)
        for tp in range(ceil(0.85 * p), floor(0.95 * p) + 1, 5)
        for tn in range(0, n + 1, 5)
        if 0.895 * (p + n) <= tp + tn <= 0.905 * (p + n)
    ]
    assert len(fitting) > 500 and all(window.holds(*point) for point in fitting)
    assert found.caption == "The bands of all figures meet in more matrices than can be marked."


@pytest.mark.parametrize("size", [10, 1000, 100_000, 123_457, 10**7, 10**9])
def test_ticks_leave_room_for_the_title(size: int) -> None:
    for low, high in ((0, size), (size * 0.3, size * 0.3 + 20)):
        ticks, more = labelled(low, high)
        assert ticks and all(len(label) <= 6 for _, label in ticks)
        assert len({label for _, label in ticks}) == len(ticks)
        assert bool(more) == (low > 10**5 / 2)


def test_the_close_up_of_a_clash_shows_all_bands_that_clash() -> None:
    found = region(scoreproof.check(CLAIMS[0]))
    assert found is not None and found.close_up is not None
    clashing = [band for band in found.close_up.bands if band.clashes]
    assert len(clashing) == 2 and all(band.outlines for band in clashing)
    assert found.caption == "No matrix lies in the bands of acc and sens at once."


def test_claims_about_several_matrices_have_no_picture() -> None:
    assert region(scoreproof.check(CLAIMS[6])) is None and region(scoreproof.check(CLAIMS[7])) is None


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
