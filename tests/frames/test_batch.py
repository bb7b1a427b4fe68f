"""Files in, files out: text as printed, every kind of file, interrupted runs taken up again."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

import scoreproof
from scoreproof import BadClaim
from scoreproof.batch import run as running
from scoreproof.cli import cli
from scoreproof.reading.tables.files import open_table, plain
from scoreproof.writing import show

ADDED = ["status", "conflict", "severity", "witness", "note"]


def batch(*words: object) -> Result:
    result = CliRunner().invoke(cli, ["batch", *map(str, words)], prog_name="scoreproof")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def some_table(count: int, seed: int = 1) -> list[dict[str, str]]:
    """Rows for the fast path and for the single check, some of them wrong, some unreadable."""
    rng = random.Random(seed)
    rows = []
    for at in range(count):
        p, n = rng.randint(5, 90), rng.randint(5, 90)
        tp, tn = rng.randint(1, p), rng.randint(1, n)
        acc, f1 = Fraction(tp + tn, p + n), Fraction(2 * tp, 2 * tp + n - tn + p - tp)
        row = {
            "study": f"S{at}, “é”",
            "p": str(p),
            "n": str(n),
            "acc": show(acc, 3),
            "F1 (%)": show(f1 * 100, 1),
        }
        match at % 5:
            case 1:
                row["F1 (%)"] = ""
            case 2:
                row["acc"] = show(acc + Fraction(1, 1000), 3)
            case 3 if at % 3 == 0:
                row["p"] = "many"
        rows.append(row)
    return rows


def write_csv(path: Path, rows: list[dict[str, str]]) -> Path:
    pl.DataFrame(rows).write_csv(path)
    return path


def read(path: Path) -> list[list[str]]:
    source = open_table(path)
    return [source.headers, *([plain(cell) for cell in row.cells] for row in source.rows())]


def test_a_file_says_what_the_frame_says(tmp_path):
    rows = some_table(40)
    out = tmp_path / "out.csv"
    batch(write_csv(tmp_path / "in.csv", rows), "-o", out)
    frame = scoreproof.check_frame(pl.DataFrame(rows)).fill_null("")
    assert read(out) == [frame.columns, *map(list, frame.rows())]
    assert list(tmp_path.iterdir()) != [] and not (tmp_path / "out.csv.journal").exists()


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet", "xlsx"])
@pytest.mark.parametrize("to", ["csv", "jsonl", "parquet", "xlsx"])
def test_every_kind_of_file_keeps_the_text_and_gives_the_same_verdicts(kind, to, tmp_path):
    rows = some_table(12)
    batch(write_csv(tmp_path / "in.csv", rows), "-o", tmp_path / f"first.{kind}")
    first = tmp_path / f"first.{kind}"
    ignored = [word for name in ADDED for word in ("--columns", f"{name}=")]
    batch(first, "-o", tmp_path / f"second.{to}", "--prefix", "again ", *ignored)
    header, *found = read(tmp_path / f"second.{to}")
    assert header == [*rows[0], *ADDED, *(f"again {name}" for name in ADDED)]
    assert [line[:5] for line in found] == [list(row.values()) for row in rows]
    assert all(line[5:10] == line[10:] for line in found)


def test_the_same_rows_give_the_same_bytes_in_every_kind_of_file(tmp_path):
    table = write_csv(tmp_path / "in.csv", some_table(30))
    for kind in ("csv", "tsv", "jsonl", "parquet", "xlsx"):
        outs = [tmp_path / f"{name}.{kind}" for name in ("one", "two")]
        for out in outs:
            batch(table, "-o", out)
        assert outs[0].read_bytes() == outs[1].read_bytes(), kind


@pytest.mark.parametrize(
    "rows, code",
    [
        (["38,262,0.9433"], 0),
        (["38,262,0.9433", "38,262,0.9483", "38,,0.9"], 1),
        (["38,262,0.9433", "38,,0.9"], 3),
        ([], 0),
    ],
)
def test_the_exit_code_tells_the_worst(rows, code, tmp_path):
    (tmp_path / "in.csv").write_text("\n".join(["p,n,acc", *rows]) + "\n")
    result = batch(tmp_path / "in.csv", "--json")
    assert result.exit_code == code
    assert json.loads(result.stdout)["rows"] == len(rows)


@pytest.mark.parametrize(
    "name, content, words, told",
    [
        ("in.csv", "p,n,acc\n1,2,0.5\n", ["--columns", "ac=acc"], "did you mean 'acc'"),
        ("in.csv", "p,n,x\n1,2,0.5\n", [], "no column was recognised as a score"),
        ("in.csv", "p,n,acc\n1,2,0.5\n", ["--by", "pp"], "no column is called 'pp'"),
        ("in.csv", "p,n,acc\n1,2,0.5\n", ["--decimals", "x"], "expected a number of digits"),
        ("in.csv", "p,n,acc\n1,2,0.5\n", ["--columns", "acc"], "HEADER=NAME"),
        ("in.csv", "p,n,acc,acc\n1,2,0.5,1\n", [], "two columns are called 'acc'"),
        ("in.csv", "p,n,acc,status\n1,2,0.5,1\n", [], "--prefix"),
        ("in.csv", "", [], "empty"),
        ("in.doc", "p,n,acc\n", [], "no ending known here"),
        ("in.xlsx", "p,n,acc\n", [], "cannot be read"),
        ("in.parquet", "p,n,acc\n", [], "cannot be read"),
        ("in.csv", "p,n,acc\n1,2,0.5\n", ["--resume"], "needs -o"),
        ("in.csv", "p,n,acc\n1,2,0.5\n", ["-o", "nowhere/out.csv"], "no folder"),
        ("in.csv", "p,n,acc\n1,2,0.5\n", ["-o", "in.csv"], "the table itself"),
        ("in.csv", "p,n,acc\n1,2,0.5\n", ["-o", "out.doc"], "no ending known here"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence_and_exit_code_2(name, content, words, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(content)
    result = batch(name, *words)
    assert result.exit_code == 2 and told in result.output and len(result.output.splitlines()) == 1


def test_rows_of_the_wrong_length_are_named_and_the_others_go_on(tmp_path):
    (tmp_path / "in.csv").write_text(
        "p,n,acc\n38,262,0.9433,extra\n38,262\n\n38,262,0.9433\n", encoding="utf-8"
    )
    batch(tmp_path / "in.csv", "-o", tmp_path / "out.jsonl")
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["status"] for row in found] == ["unreadable", "unreadable", "consistent"]
    assert "4 cells" in found[0]["note"] and "extra" in found[0]["note"] and "2 cells" in found[1]["note"]


def test_semicolons_and_decimal_commas(tmp_path):
    (tmp_path / "in.csv").write_text("\ufeffP;N;Genauigkeit\n38;262;0,9433\n", encoding="utf-8")
    assert batch(tmp_path / "in.csv", "-o", tmp_path / "out.csv", "--columns", "Genauigkeit=acc").exit_code == 0
    assert (tmp_path / "out.csv").read_text(encoding="utf-8").startswith("P;N;Genauigkeit;status;")


def test_lines_are_rows_or_whole_claims(tmp_path):
    claim = {"title": "t", "experiment": {"p": 38, "n": 262}, "scores": {"acc": "0.9433"}}
    lines = [claim, {"p": 38, "n": 262, "acc": "0.9483"}, {"p": 38, "n": 262, "acc": 0.94}, {"experiment": {}}]
    text = "\n".join(map(json.dumps, lines)) + "\nnonsense\n{\n"
    (tmp_path / "in.jsonl").write_text(text, encoding="utf-8")
    assert batch(tmp_path / "in.jsonl", "-o", tmp_path / "out.jsonl").exit_code == 1
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["status"] for row in found] == ["consistent", "inconsistent", "consistent", *["unreadable"] * 3]
    assert {key: found[0][key] for key in claim} == claim and "p" not in found[0]
    assert "line 5" in found[4]["note"]
    batch(tmp_path / "in.jsonl", "-o", tmp_path / "with.jsonl", "--decimals", "4")
    assert (
        json.loads((tmp_path / "with.jsonl").read_text(encoding="utf-8").splitlines()[2])["status"]
        == "consistent"
    )


def test_excel_numbers_are_read_as_their_cells_show_them(tmp_path):
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["p", "n", "acc", "sens"])
    for acc, form in ((0.9, "0.000"), (0.9, "0.0%"), (0.9, "General"), (0.94333, "0.0000"), ("0.90", "@")):
        book.active.append([38, 262, acc])
        book.active.cell(book.active.max_row, 3).number_format = form
    book.save(tmp_path / "in.xlsx")
    assert [line[2] for line in read(tmp_path / "in.xlsx")] == [
        "acc",
        "0.900",
        "90.0%",
        "0.9",
        "0.9433",
        "0.90",
    ]
    batch(tmp_path / "in.xlsx", "-o", tmp_path / "out.csv")
    assert [line[4] for line in read(tmp_path / "out.csv")[1:]] == [
        "consistent", "consistent", "consistent", "consistent", "consistent",
    ]  # fmt: skip


def test_parquet_floats_mean_their_shortest_text_and_decimals_keep_theirs(tmp_path):
    from decimal import Decimal

    table = pa.table({
        "p": [100], "n": [200], "acc": [0.9], "sens": pa.array([Decimal("0.900")], pa.decimal128(5, 3)),
    })  # fmt: skip
    pq.write_table(table, tmp_path / "in.parquet")
    assert batch(tmp_path / "in.parquet").exit_code == 0
    assert batch(tmp_path / "in.parquet", "--decimals", "acc=2", "-o", tmp_path / "out.csv").exit_code == 0
    assert read(tmp_path / "out.csv")[1][:4] == ["100", "200", "0.9", "0.900"]


def test_what_is_said_once_holds_for_every_row(tmp_path):
    (tmp_path / "in.csv").write_text("acc,negatives\n0.9433,262\n0.95,\n")
    result = batch(
        tmp_path / "in.csv", "--p", "38", "--n", "22", "--rounding", "any", "-o", tmp_path / "out.jsonl"
    )
    assert result.exit_code == 0
    found = [json.loads(line)["witness"] for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    for text, n, witness in (("0.9433", 262, found[0]), ("0.95", 22, found[1])):
        claim = {"experiment": {"p": 38, "n": n}, "scores": {"acc": text}, "rounding": "any"}
        assert scoreproof.check(claim).witness.to_dict()["tp"] == int(witness.split(",")[0].removeprefix("TP "))


# -- interrupted runs ---------------------------------------------------------------------------


#: A run that goes on for a few stretches after the last one it was seen to finish, and then
#: waits to be killed, so that the killing never comes too late.
RUN = """
import signal, sys
import scoreproof
from scoreproof.batch import run

run.STRETCH = 10
run.TOGETHER = 1
table, out, resume, last = sys.argv[1:]
before = []

def progress(done, total):
    before.append(done)
    if last != "end" and done >= before[0] + 10 * int(last):
        signal.pause()

scoreproof.check_file(table, out, resume=resume == "resume", progress=progress)
"""


def start(table: Path, out: Path, resume: bool, last: str) -> subprocess.Popen[bytes]:
    words = [str(table), str(out), "resume" if resume else "begin", last]
    return subprocess.Popen([sys.executable, "-c", RUN, *words], stderr=subprocess.PIPE)


def kill_in_the_middle(process: subprocess.Popen[bytes], journal: Path, size: int) -> None:
    """Kill the process once its journal has grown beyond ``size``."""
    while not (journal.exists() and journal.stat().st_size > size):
        assert process.poll() is None, process.communicate()
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.communicate()


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX signals")
def test_a_run_killed_three_times_gives_the_same_bytes(tmp_path):
    table = write_csv(tmp_path / "in.csv", some_table(155))
    whole = tmp_path / "whole.csv"
    scoreproof.check_file(table, whole)
    out, journal = tmp_path / "out.csv", tmp_path / "out.csv.journal"
    size = 0
    for kills in range(3):
        kill_in_the_middle(start(table, out, kills > 0, "4"), journal, size)
        assert not out.exists()
        size = journal.stat().st_size
    process = start(table, out, True, "end")
    _, said = process.communicate()
    assert process.returncode == 0, said
    assert out.read_bytes() == whole.read_bytes()
    assert not journal.exists()


def interrupted(table: Path, out: Path, after: int) -> Path:
    """The journal of a run that was stopped after so many stretches."""

    class Stop(Exception):
        pass

    def progress(done: int, total: int) -> None:
        if done >= after * running.STRETCH:
            raise Stop

    with pytest.raises(Stop):
        scoreproof.check_file(table, out, progress=progress)
    return out.with_name(out.name + ".journal")


def test_a_journal_cut_anywhere_gives_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "STRETCH", 10)
    monkeypatch.setattr(running, "TOGETHER", 1)
    table = write_csv(tmp_path / "in.csv", some_table(45))
    whole = tmp_path / "whole.csv"
    scoreproof.check_file(table, whole)
    out = tmp_path / "out.csv"
    journal = interrupted(table, out, 3)
    full = journal.read_bytes()
    rng = random.Random(2)
    for cut in [0, 1, len(full) - 1, *(rng.randrange(len(full)) for _ in range(12))]:
        journal.write_bytes(full[:cut])
        scoreproof.check_file(table, out, resume=True)
        assert out.read_bytes() == whole.read_bytes(), cut
    for _ in range(5):
        spoilt = bytearray(full)
        spoilt[rng.randrange(full.index(b"\n") + 1, len(full))] ^= 1
        journal.write_bytes(bytes(spoilt))
        scoreproof.check_file(table, out, resume=True)
        assert out.read_bytes() == whole.read_bytes()


def test_what_is_in_the_journal_is_not_judged_again(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "STRETCH", 10)
    monkeypatch.setattr(running, "TOGETHER", 1)
    table, out = write_csv(tmp_path / "in.csv", some_table(45)), tmp_path / "out.csv"
    interrupted(table, out, 3)
    judged = []
    real = running.judge
    monkeypatch.setattr(running, "judge", lambda job: (judged.append(job.stretch.size), real(job))[1])
    scoreproof.check_file(table, out, resume=True)
    assert judged == [10, 5]


def test_a_journal_of_another_run_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "STRETCH", 10)
    monkeypatch.setattr(running, "TOGETHER", 1)
    table, out = write_csv(tmp_path / "in.csv", some_table(45)), tmp_path / "out.csv"
    journal = interrupted(table, out, 1)
    with pytest.raises(BadClaim, match="resume, or begin again with restart"):
        scoreproof.check_file(table, out)
    with pytest.raises(BadClaim, match=r"different: options"):
        scoreproof.check_file(table, out, resume=True, rounding="any")
    write_csv(table, some_table(44))
    with pytest.raises(BadClaim, match=r"different: table"):
        scoreproof.check_file(table, out, resume=True)
    scoreproof.check_file(table, out, restart=True)
    assert len(read(out)) == 45 and not journal.exists()


@pytest.mark.skipif(os.name != "posix", reason="locks are POSIX locks")
@pytest.mark.parametrize("how", [{}, {"resume": True}, {"restart": True}], ids=["begin", "resume", "restart"])
def test_a_running_batch_keeps_its_journal_whatever_another_run_wants(how, tmp_path, monkeypatch):
    monkeypatch.setattr(running, "STRETCH", 10)
    monkeypatch.setattr(running, "TOGETHER", 1)
    table, out = write_csv(tmp_path / "in.csv", some_table(25)), tmp_path / "out.csv"
    other = write_csv(tmp_path / "other.csv", some_table(25, seed=7))
    whole = tmp_path / "whole.csv"
    scoreproof.check_file(table, whole)

    def progress(done: int, total: int) -> None:
        with pytest.raises(
            BadClaim, match=r"another run is writing .* right now; wait until it is done"
        ) as caught:
            scoreproof.check_file(other, out, **how)
        assert "--restart" not in str(caught.value)  # which would do no good

    scoreproof.check_file(table, out, progress=progress)
    assert out.read_bytes() == whole.read_bytes()
    assert not out.with_name("out.csv.journal").exists()


@pytest.mark.skipif(os.name != "posix", reason="limits are POSIX limits")
def test_a_full_disk_is_one_sentence_and_the_run_goes_on_later(tmp_path):
    table = write_csv(tmp_path / "in.csv", some_table(700))
    whole, out = tmp_path / "whole.csv", tmp_path / "out.csv"
    assert batch(table, "-o", whole).exit_code == 1
    for size in (900, 40_000, whole.stat().st_size - 100):  # in the journal, in the output
        code = f"""
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
from scoreproof.cli import main
sys.argv = ["scoreproof", "batch", {str(table)!r}, "-o", {str(out)!r}, "--resume"]
main()
"""
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert found.returncode == 2, found
        (line,) = found.stderr.splitlines()
        assert line.startswith("scoreproof: output: ") and "too large" in line and "report" not in line
        assert not out.exists()
    assert batch(table, "-o", out, "--resume").exit_code == 1
    assert out.read_bytes() == whole.read_bytes()
