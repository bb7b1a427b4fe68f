"""A spreadsheet of studies in, their 2x2 tables out: through every file, the frame and the command."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from brute_studies import counts_of, limits

import scoreproof
from command_line import run
from scoreproof.batch import reviews
from scoreproof.frames import reviews as frame_reviews
from scoreproof.reviews.report import page
from scoreproof.reviews.review import TOOLS

STUDIES = """study,year,TP,FP,FN,TN,total,prevalence,sens,spec
Smith,2019,,,,,265,,0.86 (0.78-0.91),0.90 (0.85-0.95)
Jones,2020,41,0,2,7,,,95% (84-99),100% (59-100)
Lee,2021,,,,,300,12.7%,0.87,0.90
Kim,2022,54,5,15,9,,,78.2%,64.2%
Bad,2022,,,,,x,,78.2%,64.2%
Empty,2022,,,,,,,,
Counts,2023,12,1,2,30,,,,
Share,2023,,,,,,,41/43 (95 %),7/7
Loose,2024,,,,,,,0.92,0.88
"""
STATUS = {
    "Smith": "consistent", "Jones": "consistent", "Lee": "consistent", "Kim": "inconsistent",
    "Bad": "unreadable", "Empty": "unreadable", "Counts": "consistent", "Share": "consistent",
    "Loose": "undecided",
}  # fmt: skip
TABLES = {"Smith": (101, 14, 17, 133), "Jones": (41, 0, 2, 7), "Counts": (12, 1, 2, 30), "Share": (41, 0, 2, 7)}
CELLS = ("TP", "FP", "FN", "TN")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "studies.csv"
    path.write_text(STUDIES, encoding="utf-8")
    return path


def rows_of(path: Path) -> list[dict[str, object]]:
    if path.suffix == ".csv":
        return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    frame = pd.read_excel(path, dtype=str) if path.suffix == ".xlsx" else pd.read_parquet(path)
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".xlsx", ".parquet"])
def test_every_kind_of_file_holds_one_row_per_study(table, tmp_path, ending):
    if ending == ".parquet":
        source = tmp_path / "studies.parquet"
        pd.read_csv(table, dtype=str).to_parquet(source)
    elif ending == ".xlsx":
        source = tmp_path / "studies.xlsx"
        pd.read_csv(table, dtype=str).to_excel(source, index=False)
    else:
        source = table
    out = tmp_path / f"tables{ending}"
    assert run("tables", str(source), "-o", str(out)).exit_code == 1
    rows = rows_of(out)
    assert {row["study"]: row["status"] for row in rows} == STATUS
    for row in rows:
        found = tuple(row[cell] for cell in CELLS)
        if row["study"] in TABLES:
            assert tuple(map(int, found)) == TABLES[row["study"]] and row["unique"] == "yes"
        else:
            assert not any(found), "a matrix that is not the only one is not shown"
    lee = next(row for row in rows if row["study"] == "Lee")
    assert [int(lee[f"FP_{end}"]) for end in ("lower", "upper")] == [25, 27] and int(lee["tables"]) == 3


def test_each_row_says_what_it_rests_on(table):
    found = {each.label: each.cells for each in scoreproof.tables_file(table).studies}
    assert found["Smith"].interval_method == "clopper-pearson" and "interval of sens" in found["Smith"].used
    assert found["Kim"].conflict == "sens" and "the printed counts give sens 0.782609" in found["Kim"].note
    assert found["Bad"].note.startswith("experiment.total: expected a whole number")
    assert found["Empty"].note == "scores: no score is given in this row"
    assert found["Loose"].note.startswith("these do not bound the table") and found["Loose"].tables is None


def test_an_interval_that_no_method_gives_is_left_out_and_named():
    claim = {"experiment": {"total": 120}, "scores": {"sens": "0.91 (0.72-0.95)", "spec": "0.80"}}
    found = scoreproof.study_tables(claim)
    alone = scoreproof.study_tables({**claim, "scores": {"sens": "0.91", "spec": "0.80"}})
    assert found.ignored == ("interval of sens: no known method gives it beside the rest",)
    assert (found.count, found.cells) == (alone.count, alone.cells)
    stated = scoreproof.study_tables({**claim, "conventions": {"ci": "wilson"}})
    assert stated.status == "inconsistent" and scoreproof.verify(stated.verdict)


@pytest.mark.parametrize("known", ["p", "n"])
def test_the_items_of_one_class_and_the_intervals_bound_those_of_the_other(known):
    scores = {"sens": "0.92 (0.84-0.97)", "spec": "0.88 (0.83-0.92)"}
    claim = {"experiment": {known: {"p": 87, "n": 200}[known]}, "scores": scores}  # 80 of 87, 176 of 200
    verdict = scoreproof.check(claim, timeout=None)
    assert verdict.status == "consistent" and scoreproof.verify(verdict)
    assert verdict.count == scoreproof.study_tables(claim).count
    both = {**claim, "experiment": {"p": 87, "n": 200}}
    assert 1 <= scoreproof.check(both).count < verdict.count
    stated = {**claim, "conventions": {"ci": "wilson"}}
    refuted = scoreproof.study_tables(stated, timeout=None)
    assert refuted.status == "inconsistent" and scoreproof.verify(refuted.verdict)
    assert scoreproof.tables(scores, ci="wilson", **claim["experiment"]).status == "inconsistent"


def test_where_nothing_bounds_the_other_class_a_study_without_a_table_is_undecided():
    claim = {"experiment": {"p": 8}, "scores": {"sens": "0.85 (0.70-0.97)", "acc": "0.90 (0.86-0.93)"}}
    found = scoreproof.study_tables({**claim, "conventions": {"ci": "wald"}})
    assert found.status == "undecided" and found.notes == (
        "no table gives all of this, but a proof of that was not completed",
    )


@pytest.mark.parametrize(
    "sens", ["0 (0-31)", "0.0 (0.0-30.8)", "0 % (0-31)", "0/10 (0-31)", "0/10 (0 %; 0-31)"]
)
@pytest.mark.parametrize("spec", ["0.90 (0.73-0.98)", "90 (73-98)", "27/30 (90%, 73-98)"])
def test_a_share_of_nothing_in_percent_is_known_by_its_interval(tmp_path, sens, spec):
    """No limit of a share is 31, so the 0 before it is in percent, whatever the other rows are in."""
    path = tmp_path / "studies.csv"
    others = "A,40,0.5 (0.19-0.81),0.9\nB,40,50 (19-81),90\n"
    path.write_text(f'study,total,sens,spec\n{others}C,40,{sens},"{spec}"\n', encoding="utf-8")
    study = scoreproof.tables_file(path).studies[2]
    assert study.unique and study.cells[1:5] == (0, 3, 10, 27)
    assert study.cells.interval_method == "clopper-pearson" and study.cells.ignored is None
    assert study.cells.used == "total, sens, interval of sens, spec, interval of spec"


@pytest.mark.parametrize("way", ["file", "pasted"])
@pytest.mark.parametrize(
    "mark, interval", [(";", "[{}; {}]"), (",", "({}, {})"), (",", "[{}; {}]"), (";", "({},{})")]
)
def test_a_separator_within_brackets_does_not_end_a_cell(tmp_path, way, mark, interval):
    """Nothing is quoted, so lines are longer than the heading; one interval a line is no column of names."""
    sens, spec = (interval.format(*ends) for ends in (("0.78", "0.91"), ("0.85", "0.95")))
    path = tmp_path / ("studies.csv" if way == "file" else "studies.txt")
    lines = ["study,total,sens,spec", f"Smith,265,0.86 {sens},0.90 {spec}", f"Lee,265,0.86,0.90 {spec}"]
    own = [line if mark == "," else re.sub(r",(?![^(\[]*[)\]])", mark, line) for line in lines]
    path.write_text("\n".join(own), encoding="utf-8")
    smith, lee = scoreproof.tables_file(path).studies
    assert smith.label == "Smith" and smith.cells[1:5] == (101, 14, 17, 133)
    assert lee.cells.used == "total, sens, spec, interval of spec"


def test_a_study_without_counts_is_about_one_table():
    """Not about means over tables that nobody counted, which these figures could be."""
    scores = {"sens": "0.86 (0.78-0.91)", "spec": "0.90 (0.85-0.95)", "lr+": "8.6 (5.0-12)"}
    alone, pooled = (
        scoreproof.study_tables({"experiment": said, "scores": scores})
        for said in ({}, {"aggregate": "pooled"})
    )
    assert (alone.status, alone.notes, alone.ignored) == (pooled.status, pooled.notes, pooled.ignored)
    assert alone.notes[0].startswith("only if the confidence interval of sens")


def test_what_is_left_out_for_an_only_if_is_named():
    """A share of 1 beside an interval in percent: what was not used is not said to be."""
    claim = {"experiment": {"total": 40}, "scores": {"sens": "1 (69-100)", "spec": "0.9"}}
    found = scoreproof.study_tables(claim)
    assert found.ignored == ("interval of sens: no known method gives it beside the rest",)
    assert found.used == ("total", "sens", "spec", "interval of sens")  # it still bounds the share itself


def test_figures_that_say_nothing_about_the_table_are_named():
    scores = {"sens": "0.86 ± 0.02", "spec": "0.90", "auc": "0.93 (0.90-0.95)", "f1": "0.85 (0.80-0.90)"}
    found = scoreproof.study_tables({"experiment": {"p": 50, "n": 60}, "scores": scores})
    assert [each.split(":")[0] for each in found.ignored] == ["± of sens", "auc", "interval of f1"]


def test_work_that_runs_out_leaves_bounds_and_says_so(monkeypatch):
    from scoreproof.budget import Budget
    from scoreproof.reviews import study

    claim = {"experiment": {"total": 300}, "scores": {"sens": "0.86", "spec": "0.90", "f1": "0.88"}}
    whole = study.study_tables(claim)
    monkeypatch.setattr(study, "allowed", lambda *_: Budget(3 * 10**6))
    short = study.study_tables(claim)
    assert whole.exact and not short.exact and not short.unique and short.count is None
    assert any("the ends are bounds" in note for note in short.notes)
    for name, (low, high) in whole.cells.items():
        assert short.cells[name][0] <= low and high <= short.cells[name][1]


def test_the_ends_of_reconstruct_are_those_of_all_tables():
    scores = {"sens": "0.92 (0.84-0.97)", "spec": "0.88 (0.83-0.92)"}
    for experiment in ({"total": 265}, {"p": 87, "n": 200}, {"aggregate": "pooled"}):
        claim = {"experiment": experiment, "scores": scores}
        found = scoreproof.reconstruct(claim, ["acc"], timeout=None)
        every = scoreproof.study_tables(claim, timeout=None, most=10**5)
        assert {name: (each.lowest, each.highest) for name, each in found.cells.items()} == every.cells
        assert len(set(every.tables)) == every.count
        assert all(each.exact for each in found.cells.values()) and every.exact


def test_a_hundred_thousand_items_with_four_digits_take_little_work():
    claim = {
        "experiment": {"total": 100_000},
        "scores": {"sens": "0.9213 (0.9102-0.9311)", "spec": "0.9544 (0.9531-0.9557)"},
        "conventions": {"ci": "wilson"},
    }
    found = scoreproof.study_tables(claim, timeout=None, effort="low")
    assert found.exact and found.count == len(found.tables) == 35
    for matrix in found.tables:
        again = {"p": matrix.p, "n": matrix.n}
        assert matrix in scoreproof.tables(claim["scores"], ci="wilson", **again).tables


def test_rows_about_the_same_patients_have_the_same_class_counts(tmp_path):
    """Two tests on the same twenty patients: six of them were ill, whatever each row alone leaves."""
    path = tmp_path / "tests.csv"
    rows = [
        "paper,test,total,sens,spec",
        "Smith,A,20,0.667,0.857",
        "Smith,B,20,0.333,0.643",
        "Lee,A,20,0.667,0.857",
    ]
    path.write_text("\n".join(rows), encoding="utf-8")
    alone = scoreproof.tables_file(path).studies
    found = scoreproof.tables_file(path, same="paper").studies
    tried = [
        {p for p in range(1, 20) if any(abs(x / p - a) <= 5e-4 for x in range(p + 1))
         and any(abs(y / (20 - p) - b) <= 5e-4 for y in range(21 - p))}
        for a, b in ((0.667, 0.857), (0.333, 0.643))
    ]  # fmt: skip
    assert tried[0] & tried[1] == {6}
    assert [tuple(each.cells[1:5]) for each in found[:2]] == [(4, 2, 2, 12), (2, 5, 4, 9)]
    assert "only 6 positives and 14 negatives fit all 2 rows together" in found[0].cells.note
    assert found[2].cells == alone[2].cells
    with pytest.raises(scoreproof.BadClaim, match="same: "):
        scoreproof.tables_file(path, same="pape")


def test_rows_that_share_no_class_counts_say_so(tmp_path):
    path = tmp_path / "tests.csv"
    path.write_text("paper,test,p,n,sens\nSmith,A,20,30,0.65\nSmith,B,21,30,0.333\n", encoding="utf-8")
    for each in scoreproof.tables_file(path, same="paper").studies:
        assert each.cells.status == "consistent" and "no class counts fit all 2 rows" in each.cells.note


# -- published studies ----------------------------------------------------------------------------------------

DATA = Path(__file__).parents[1] / "data"


def contradicted(row: dict[str, str]) -> bool:
    """Whether the printed counts give another share than is printed, in plain fractions."""
    tp, fp, fn, tn = (int(row[cell]) for cell in CELLS)
    pairs = {"sens": (tp, tp + fn), "spec": (tn, tn + fp), "ppv": (tp, tp + fp), "npv": (tn, tn + fn)}
    pairs["acc"] = (tp + tn, tp + fp + fn + tn)
    for name, (x, m) in pairs.items():
        figure = re.match(r"([0-9.]+)\s*(%?)", row[name])
        if figure is None:
            continue
        places = len(figure[1].partition(".")[2])
        value = Fraction(x, m) * (100 if figure[2] else 1)
        if abs(value - Fraction(figure[1])) > Fraction(1, 2 * 10**places):
            return True
    return False


def test_contradictions_in_published_studies_are_found_and_none_is_invented():
    """38 published tables with their figures and intervals, thirteen of them with 0.5 added to zero cells."""
    path = DATA / "published_studies.csv"
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = scoreproof.tables_file(path, columns={"contradicts": None, "source": None})
    status = {each.label: each.cells.status for each in found.studies}
    assert status == {row["study"]: "inconsistent" if contradicted(row) else "consistent" for row in rows}
    assert found.counts["inconsistent"] == 5
    for row, each in zip(rows, found.studies, strict=True):
        if each.cells.status == "consistent":
            assert [str(count) for count in each.cells[1:5]] == [row[cell] for cell in CELLS]


def test_published_tables_are_rebuilt_from_shares_with_intervals(tmp_path):
    """Thirty studies of Kearon and others (1998), printed at two digits with Wilson's intervals and totals."""
    with open(DATA / "kearon1998.csv", encoding="utf-8", newline="") as file:
        tables = [tuple(int(row[cell.lower()]) for cell in CELLS) for row in csv.DictReader(file)]
    lines = ["study,total,sens,spec"]
    for at, table in enumerate(tables):
        shares = []
        for x, m in (counts_of("sens", table), counts_of("spec", table)):
            low, high = limits("wilson", x, m)
            shares.append(f"{x / m:.2f} ({max(low, 0):.2f}-{min(high, 1):.2f})")
        lines.append(f"{at},{sum(table)},{','.join(shares)}")
    path = tmp_path / "studies.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    found = scoreproof.tables_file(path, timeout=None)
    unique = 0
    for table, study in zip(tables, found.studies, strict=True):
        assert all(low <= true <= high for true, (low, high) in zip(table, study.cells.ends, strict=True))
        if study.unique:
            unique += 1
            assert tuple(study.cells[1:5]) == table
    assert unique == 21 and found.counts["consistent"] == 30


# -- interruptions, frames, programs ------------------------------------------------------------------------


def test_what_is_done_is_kept_when_a_run_is_interrupted(table, tmp_path, monkeypatch):
    out = tmp_path / "tables.csv"
    whole = tmp_path / "whole.csv"
    scoreproof.tables_file(table, whole)
    asked: list[int] = []

    def progress(done: int, total: int) -> None:
        asked.append(done)
        if done >= 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scoreproof.tables_file(table, out, progress=progress)
    assert not out.exists() and (tmp_path / "tables.csv.journal").exists()
    with pytest.raises(scoreproof.BadClaim, match="go on with resume"):
        scoreproof.tables_file(table, out)
    judged = []
    monkeypatch.setattr(
        reviews, "judge_tables", lambda job: judged.append(job) or frame_reviews.judge_tables(job)
    )
    scoreproof.tables_file(table, out, resume=True)
    assert out.read_bytes() == whole.read_bytes() and sum(job.stretch.size for job in judged) == 5


def test_frames_of_every_kind_come_back_as_they_are(table):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    frame = pd.read_csv(table, dtype=str)
    for native in (frame, polars.from_pandas(frame), pyarrow.Table.from_pandas(frame)):
        found = scoreproof.tables_frame(native)
        assert type(found) is type(native)
        column = list(found["TP"].to_pylist() if hasattr(found["TP"], "to_pylist") else found["TP"])
        assert [int(each) for each in column if each is not None and each is not pd.NA] == [101, 41, 12, 41]
    assert scoreproof.tables_frame(frame).attrs["read_as"]["sens"] == "sensitivity"


def test_the_columns_of_each_program_hold_the_tables(table):
    for tool, (name, *cells) in TOOLS.items():
        rows = list(csv.DictReader(io.StringIO(run("tables", str(table), "--for", tool).stdout)))
        found = {row[name]: {cell.upper(): int(row[cell]) for cell in cells} for row in rows}
        assert found == {study: dict(zip(CELLS, each, strict=True)) for study, each in TABLES.items()}
    result = run("tables", str(table), "--for", "metadta", "--all")
    rows = [row for row in csv.DictReader(io.StringIO(result.stdout)) if row["studyid"] == "Lee"]
    assert len(rows) == 3 and abs(sum(float(row["weight"]) for row in rows) - 1) < 1e-5
    assert "left out" in result.stderr and "Kim" in result.stderr


def test_the_report_starts_with_the_contradictions(table):
    text = page(scoreproof.tables_file(table))
    assert text.index("Kim") < text.index("Smith") and "cannot go together" in text
    assert "<script" not in text and text.count("<svg") == 10
    odd = page(scoreproof.reviews.review.Review(()))  # type: ignore[attr-defined]
    assert "0 studies" in odd


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--all",), "--all: goes with --for"),
        (("--resume",), "--resume: needs -o"),
        (("--list", "3"), "--list: is about one study"),
        (("--columns", "sens"), "--columns: expected HEADER=NAME"),
    ],
)
def test_options_that_make_no_sense_are_refused(table, words, what):
    result = run("tables", str(table), *words)
    assert result.exit_code == 2 and what in result.stderr


def test_options_of_files_do_not_go_with_one_study():
    result = run("tables", "sens=0.92 (0.84-0.97)", "spec=0.88 (0.83-0.92)", "--for", "mada")
    assert result.exit_code == 2 and "--for: goes with a file of studies" in result.stderr


def has_lme4() -> bool:
    if shutil.which("Rscript") is None:
        return False
    return subprocess.run(["Rscript", "-e", "library(lme4)"], capture_output=True, check=False).returncode == 0


def test_the_recipe_for_the_bivariate_summary_runs(tmp_path):
    """Sensitivity and specificity pooled over the lowest and the highest choices, around the truth."""
    if not has_lme4():
        pytest.skip("R with lme4 is not installed")
    rows = ["studyid,tp,fp,fn,tn,choice,weight"]
    for at in range(12):
        for choice in range(1 + at % 2):
            cells = f"{40 + at + choice},{6 + at % 4},{8 - choice},{60 + at}"
            rows.append(f"study {at},{cells},{choice + 1},{1 / (1 + at % 2)}")
    (tmp_path / "candidates.csv").write_text("\n".join(rows), encoding="utf-8")
    recipe = Path(__file__).parents[2] / "docs" / "recipes" / "bivariate.R"
    done = subprocess.run(
        ["Rscript", str(recipe), str(tmp_path / "candidates.csv"), "3"],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = {line.split()[0]: line.split() for line in done.stdout.splitlines()[2:]}
    lowest, highest = float(lines["lowest"][1]), float(lines["highest"][1])
    assert 0.8 < lowest < highest < 0.9 and "12 studies, 6 of them with one table" in done.stdout
    assert lowest <= float(lines["drawn"][1]) <= float(lines["drawn"][3]) <= highest


SAME = "paper,test,total,sens,spec\nSmith,A,20,0.667,0.857\nSmith,B,20,0.333,0.643\n"


def test_rows_about_the_same_patients_are_told_alike_everywhere(tmp_path):
    """In Python, in frames, in files, in the API and on standard output."""
    from scoreproof.web.work.jobs import _studies

    claims = [
        {"experiment": {"total": 20}, "scores": {"sens": sens, "spec": spec}}
        for sens, spec in (("0.667", "0.857"), ("0.333", "0.643"))
    ]
    tables = [list(each.table) for each in scoreproof.joint_tables(claims)]
    assert tables == [[4, 2, 2, 12], [2, 5, 4, 9]]
    cells = ["TP", "FP", "FN", "TN"]
    frame = scoreproof.tables_frame(pd.read_csv(io.StringIO(SAME), dtype=str), same="paper")
    assert frame[cells].values.tolist() == tables
    rows = _studies(json.dumps({"table": SAME, "same": "paper"}))["json"]["rows"]
    assert [[row[name] for name in cells] for row in rows] == tables
    path = tmp_path / "tests.csv"
    path.write_text(SAME, encoding="utf-8")
    told = run("tables", str(path), "--same", "paper", "-o", "-")
    written = pd.read_csv(io.StringIO(told.stdout))
    assert told.exit_code == 0 and written[cells].values.tolist() == tables
    with pytest.raises(scoreproof.BadClaim, match="no column that names the study"):
        scoreproof.tables_frame(pd.read_csv(io.StringIO(SAME), dtype=str), same="papre")


def test_some_of_the_four_counts_are_enough_where_figures_give_the_rest():
    found = scoreproof.study_tables(
        {"matrix": {"tp": 20, "fp": 5}, "scores": {"sens": "0.800", "spec": "0.857"}}
    )
    assert tuple(found.table) == (20, 5, 5, 30)


def rows_of_one_paper(rng: random.Random) -> tuple[list[dict], int, int]:
    """Two or three tests of the same patients, as they are printed; and how many there are of each class."""
    p, n = rng.randint(3, 40), rng.randint(3, 40)
    digits = rng.choice((2, 3))
    rows = []
    for _ in range(rng.choice((2, 3))):
        scores = {"sens": f"{rng.randint(1, p) / p:.{digits}f}", "spec": f"{rng.randint(1, n) / n:.{digits}f}"}
        rows.append({"experiment": {"total": p + n}, "scores": scores})
    return rows, p, n


def test_joint_counts_are_those_of_plain_trial_and_their_proof_leaves_no_gap():
    rng = random.Random(11)
    proven = 0
    for at in range(30):
        rows, p, n = rows_of_one_paper(rng)
        if at % 3 == 0:  # rows of other patients
            rows[0] = {"experiment": {"total": p + n}, "scores": rows_of_one_paper(rng)[0][0]["scores"]}
        found = scoreproof.joint_counts(rows, timeout=None)
        every = [
            q
            for q in range(1, p + n)
            if all(
                printed in {f"{x / size:.{len(printed) - 2}f}" for x in range(size + 1)}
                for row in rows
                for printed, size in zip(row["scores"].values(), (q, p + n - q), strict=True)
            )
        ]
        if found is None:  # a row that contradicts itself says nothing about the others
            continue
        kept = [q for q, _ in found.pairs]
        assert set(every) <= set(kept) and (at % 3 == 0 or p in kept)
        ruled_out = []
        for verdict in found.refuted:
            assert verdict.status == "inconsistent" and scoreproof.verify(verdict.to_dict())
            low, high = verdict.to_dict()["claim"]["experiment"]["p"]
            ruled_out += range(low, high + 1)
        if found.proven:
            proven += 1
            assert sorted([*kept, *ruled_out]) == list(range(p + n + 1))
    assert proven >= 25


def test_rows_that_cannot_be_about_the_same_patients_contradict_each_other(tmp_path):
    path = tmp_path / "tests.csv"
    path.write_text(
        "paper,test,total,sens,spec\nLee,A,20,0.667,0.857\nLee,B,20,0.400,0.800\n"
        "Park,A,20,0.667,0.857\nPark,lesions,30,0.400,0.800\n",
        encoding="utf-8",
    )
    found = scoreproof.tables_file(path, same="paper")
    assert [each.cells.status for each in found.studies] == ["inconsistent"] * 2 + ["consistent"] * 2
    lee, park = found.together["Lee"], found.together["Park"]
    assert lee.proven and not lee.pairs and all(scoreproof.verify(each) for each in lee.refuted)
    assert found.to_dict()["together"]["Lee"]["refuted"][0]["verdict"] == "inconsistent"
    # of different totals: said, and each row stands by itself
    assert not park.proven and park.sentence.endswith("together, so each was taken by itself")
    told = run("tables", str(path), "--same", "paper")
    assert told.exit_code == 1 and "Lee: no class counts fit all 2 rows together: every number" in told.output
