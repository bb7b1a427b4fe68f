"""A new row in the table of scores is all it takes: it then works everywhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "scoreproof"

ROWS = """
        Score("ss1", "Sokal-Sneath index", "tp/(tp+2·fp+2·fn)",
              lambda m, _: (m.tp, m.tp + 2 * m.fp + 2 * m.fn)),
        Score("gpr", "G-measure of precision and recall", "√(ppv·sens)",
              lambda m, _: (m.tp * m.tp, m.p * m.pp), NOTHING_CALLED_POSITIVE, squared=True),
"""

ASKED = """
import sys
import scoreproof
from scoreproof.scores import ROWS, Matrix

def status(claim):
    scoreproof.check(claim, timeout=None, effort="low")  # under every common convention, whatever it says
    verdict = scoreproof.check({"conventions": {"strict": True}, **claim}, timeout=None)
    assert verdict.status == "undecided" or scoreproof.verify(verdict) is True, claim
    assert verdict.sentence and verdict.to_dict()
    return verdict.status

def value(name, *matrix):
    return f"{float(ROWS[name].value(Matrix(*matrix))):.4f}"

folds = {"p": 50, "n": 100, "folds": 5, "aggregate": "mean"}
for name in ("ss1", "gpr"):
    true = value(name, 40, 10, 10, 90)
    one = {"p": 50, "n": 100}
    assert status({"experiment": one, "scores": {name: true, "acc": "0.8667"}}) == "consistent"
    assert status({"experiment": one, "scores": {name: "0.1234", "acc": "0.8667"}}) == "inconsistent"
    known = folds | {"stratified": True}
    assert status({"experiment": known, "scores": {name: true, "acc": "0.8667", "sens": "0.8"}}) == "consistent"
    assert status({"experiment": known, "scores": {name: "0.9900", "sens": "0.5"}}) == "inconsistent"
    assert status({"experiment": folds, "scores": {name: true, "acc": "0.8667"}}) == "consistent"
    assert status({"experiment": folds, "scores": {name: "0.9900", "sens": "0.30"}}) == "inconsistent"
    assert status({"experiment": known | {"aggregate": {name: "pooled", "default": "mean"}},
                   "scores": {name: "0.9990", "acc": "0.80"}}) == "inconsistent"
    several = {"classes": [8, 5, 7]}
    classes = ((7, 1, 1, 11), (4, 1, 1, 14), (6, 1, 1, 12))
    macro = sum(float(ROWS[name].value(Matrix(*each))) for each in classes) / 3
    assert status({"experiment": several, "scores": {f"{name}_macro": f"{macro:.4f}"}}) == "consistent"
    assert status({"experiment": several, "scores": {f"{name}_macro": "0.9990"}}) == "inconsistent"
    high = {"acc": "0.30", f"{name}_weighted": "0.99"}
    assert status({"experiment": {"classes": [4, 3, 3]}, "scores": high}) == "inconsistent"
    assert status({"scores": {name: "0.6667", "sens": "0.8"}}) in ("consistent", "undecided")
    assert status({"scores": {name: "120"}}) == "inconsistent"
    assert status({"experiment": one, "scores": {name: true, "sens": "0.80 (0.67-0.89)"}})
    assert status({"experiment": one, "scores": {name: true, "auc": "0.91"}}) == "consistent"
    wrong = {"experiment": one, "scores": {name: "0.1234", "acc": "0.8667"}}
    assert scoreproof.explain(wrong, timeout=None, effort="low").text()
    found = scoreproof.reconstruct({"experiment": one, "scores": {"acc": "0.8667"}}, [name], timeout=None)
    assert found[name].lowest is not None
    import pandas
    frame = pandas.DataFrame({"p": [50] * 2, "n": [100] * 2, name: [true, "0.1234"], "acc": ["0.8667"] * 2})
    assert list(scoreproof.check_frame(frame)["status"]) == ["consistent", "inconsistent"]

from click.testing import CliRunner
from scoreproof.cli import cli
listed = CliRunner().invoke(cli, ["scores"]).output
assert "Sokal-Sneath" in listed and "G-measure" in listed
print("everywhere")
"""


def test_a_new_row_works_everywhere(tmp_path: Path) -> None:
    copied = tmp_path / "scoreproof"
    shutil.copytree(SOURCE, copied, ignore=shutil.ignore_patterns("__pycache__"))
    table = copied / "scores" / "binary.py"
    text = table.read_text(encoding="utf-8")
    last = '    Score("kappa"'
    assert text.count(last) == 1
    table.write_text(text.replace(last, ROWS.lstrip("\n") + last), encoding="utf-8")
    place = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", ASKED], capture_output=True, text=True, env=place, cwd=tmp_path
    )
    assert done.stdout.strip().endswith("everywhere"), done.stderr[-2000:]
