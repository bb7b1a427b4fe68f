"""Eight people, from the first page to the letter they copy or whatever they came for.

Each task is driven as a person would; clicks, fields and seconds are counted and written beside the pictures
(build/screenshots/users/tasks.md).  The first and the sixth are done in every shape of the page, the others
where campaigns are asked for, too.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from person import Person, printed, tell
from selenium.webdriver.common.by import By
from test_in_a_browser import PATIENCE, SHOTS, all_parts_there

import scoreproof
from conftest import Start

pytestmark = pytest.mark.browser

TABLE = r"""\begin{tabular}{lccccc} \toprule
Model & P & N & Accuracy & Sensitivity & F1 \\ \midrule
Trees & 100 & 200 & 0.9567 & 0.9100 & 0.9333 \\
Network & 100 & 200 & 0.9567 & 0.8500 & 0.9333 \\ \bottomrule
\end{tabular}"""
FOLDS = (
    "Stratified 10-fold cross-validation on 100 positive and 200 negative records: "
    "accuracy 0.9567 ± 0.0210, sensitivity 0.8500 ± 0.0300, specificity 0.9750 ± 0.0200"
)
PAPER = r"""\documentclass{article}
\begin{document}
\section{Data}
The test set has 100 positive and 200 negative records.
\section{Results}
\begin{table}
\caption{Results on the test set of 100 positive and 200 negative records}
\begin{tabular}{lccc} \toprule
Model & Accuracy & Sensitivity & Specificity \\ \midrule
Forest & 0.9567 & 0.9100 & 0.9800 \\
Network & 0.9567 & 0.8500 & 0.9750 \\ \bottomrule
\end{tabular}
\end{table}
\end{document}
"""

#: One line for each task that was done.
DONE: list[str] = []


@pytest.fixture(scope="module", autouse=True)
def told(request: pytest.FixtureRequest) -> Iterator[None]:
    """What was counted, as a table."""
    yield
    lines = ["| task | clicks or keys | fields | seconds |", "|---|---|---|---|", *DONE]
    (SHOTS / "users").mkdir(parents=True, exist_ok=True)
    (SHOTS / "users" / "tasks.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    tell(request, "\n".join(lines))


def finish(person: Person) -> None:
    DONE.append(f"| {person.task} | {person.clicks} | {person.filled} | {person.seconds:.1f} |")


def letter(person: Person, *words: str) -> None:
    """The letter of a result: copied where there are scripts, else read on a page of its own."""
    if person.scripts:
        text = person.copies("button[data-copy=paragraph]")
    else:
        person.presses("a", "Find out")
        arrive(person, "#paragraph")
        text = person.sees("#paragraph").text
    for each in words:
        assert each in text, text
    if person.scripts:
        all_parts_there(person.browser)


def verdict(person: Person) -> None:
    """From the box to the page of the result."""
    if person.scripts:
        person.sees("#verdict .inconsistent")
        person.looks("verdict")
        person.presses("#verdict a.button")
    else:
        person.presses("#go")
        arrive(person, ".verdict, #rows")
        if not person.browser.find_elements(By.CSS_SELECTOR, ".verdict"):  # how it was read comes first
            person.looks("read")
            person.presses("#rows a")
    arrive(person, ".verdict")
    person.sees(".verdict .inconsistent")


def arrive(person: Person, selector: str) -> None:
    """Without scripts, a page that still works is looked at again until the result is there."""
    end = time.monotonic() + PATIENCE
    while not person.scripts and time.monotonic() < end:
        if person.browser.find_elements(By.CSS_SELECTOR, selector):
            return
        if person.browser.find_elements(By.CSS_SELECTOR, "#job-link a"):
            person.presses("#job-link a")
        time.sleep(1)


def a_reviewer_with_a_table(person: Person, address: str, folder: Path) -> None:
    person.opens(address)
    person.looks("empty")
    person.pastes("#text", TABLE)
    if not person.scripts:
        person.presses("#go")
    person.sees("#rows .consistent")
    person.sees("#rows .inconsistent")
    person.looks("rows")
    person.presses("#rows a", "Network")
    arrive(person, ".verdict")
    person.sees(".verdict .inconsistent")
    letter(person, "0.9567", "0.8500")
    person.looks("letter")


def a_reviewer_with_ten_folds(person: Person, address: str, folder: Path) -> None:
    person.opens(address)
    person.pastes("#text", FOLDS)
    verdict(person)
    person.sees(".recap", "Folds: 10")
    letter(person, "0.9567 ± 0.0210", "0.8500 ± 0.0300")
    person.looks("letter")


def studies() -> str:
    """Forty diagnostic studies, one of which no 2x2 table gives."""
    rows = ["study,total,sens,spec"]
    for i in range(40):
        p, n = 50 + 3 * i, 80 + 5 * i
        tp, tn = round(p * (0.80 + i % 7 / 50)), round(n * (0.85 + i % 5 / 50))
        sens = "0.8512" if i == 23 else f"{tp / p:.4f}"
        rows.append(f"Study {i + 1},{p + n},{sens},{tn / n:.4f}")
    return "\n".join(rows) + "\n"


def a_meta_analyst_with_forty_studies(person: Person, address: str, folder: Path) -> None:
    table = folder / "studies.csv"
    table.write_text(studies(), encoding="utf-8")
    person.opens(address)
    person.presses("nav a", "2×2 tables")
    person.presses("a", "a page for whole reviews")
    person.chooses("#file", table)
    person.looks("chosen")
    person.presses("#go")
    arrive(person, ".review")
    person.sees("h1", "Tables of studies.csv")
    person.sees(".review", "Study 40")
    person.sees("a.button", "All studies with their tables")
    person.looks("tables")


def an_author_with_a_paper(person: Person, address: str, folder: Path) -> None:
    paper = folder / "paper.tex"
    paper.write_text(PAPER, encoding="utf-8")
    person.opens(address)
    person.chooses("#file", paper)
    person.presses("#drop button")
    arrive(person, "section.read")
    person.sees("h1", "Scan of paper.tex")
    person.sees(".badge.inconsistent")
    if person.scripts:
        letter = person.copies("section.read button.copy")
    else:
        letter = person.sees("section.read blockquote", "Sensitivity").text
    assert "Accuracy 0.9567" in letter and "Sensitivity 0.8500" in letter
    person.looks("scan")
    person.presses("section.read a", "Network")
    arrive(person, ".verdict")
    person.sees(".verdict .inconsistent")
    person.looks("row")


def an_editor_with_a_verdict(person: Person, address: str, folder: Path) -> None:
    claim = {
        "experiment": {"p": 100, "n": 200},
        "scores": {"accuracy": "0.9567", "sensitivity": "0.8500", "specificity": "0.9750"},
    }
    sent = folder / "verdict.json"
    sent.write_text(json.dumps(scoreproof.check(claim, timeout=60).to_dict()), encoding="utf-8")
    person.opens(address)
    if person.scripts:
        person.chooses("#file", sent)
        person.presses("#drop button")
    else:
        person.presses("nav a", "Verify")
        person.chooses("#file", sent)
        person.presses("#go")
    arrive(person, "#result-heading")
    person.sees("#result-heading", "Confirmed")
    person.looks("confirmed")
    person.presses("a.button", "Open this claim")
    arrive(person, ".verdict")
    person.sees(".verdict .inconsistent")
    letter(person, "0.9567", "0.8500")
    person.looks("letter")


def a_clinician_with_intervals(person: Person, address: str, folder: Path) -> None:
    person.opens(address)
    person.presses("nav a", "2×2 tables")
    person.looks("empty")
    person.types("#sens", "0.86 (0.78-0.91)")
    person.types("#spec", "0.90 (0.85-0.95)")
    person.types("#total", "265")
    person.presses("#go")
    arrive(person, "#result-heading")
    person.sees("#result-heading", "Exactly one 2x2 table gives these figures")
    if person.scripts:
        assert person.copies("button[data-copy=rows]").split() == [
            "TP",
            "FP",
            "FN",
            "TN",
            "101",
            "14",
            "17",
            "133",
        ]
    else:
        assert person.sees("#rows").text.split()[4:] == ["101", "14", "17", "133"]
    person.looks("table")


def a_student_of_fold_averages(person: Person, address: str, folder: Path) -> None:
    person.opens(address)
    person.presses("nav a", "All tools")
    person.looks("tools")
    person.presses("a", "Average")
    person.presses(".examples a", "two folds")
    person.sees("#result", "differ")
    person.looks("averages")


def a_sleuth_with_three_figures(person: Person, address: str, folder: Path) -> None:
    person.opens(address)
    person.pastes("#text", "precision 0.83, recall 0.75, F1 0.82")
    verdict(person)
    letter(person, "0.83", "0.75", "0.82")
    person.looks("letter")


Task = Callable[[Person, str, Path], None]
TASKS: dict[str, Task] = {
    "a-table": a_reviewer_with_a_table,
    "b-folds": a_reviewer_with_ten_folds,
    "c-review": a_meta_analyst_with_forty_studies,
    "d-paper": an_author_with_a_paper,
    "e-verdict": an_editor_with_a_verdict,
    "f-intervals": a_clinician_with_intervals,
    "g-averages": a_student_of_fold_averages,
    "h-three-figures": a_sleuth_with_three_figures,
}
#: The shapes of the page: how the browser is started.
SHAPES = {
    "phone": {"width": 390, "height": 844},
    "dark": {"dark": True},
    "print": {},
    "keyboard": {},
    "no-scripts": {"scripts": False},
}


@pytest.mark.parametrize("task", TASKS)
def test_on_a_desk(start: Start, usual: str, tmp_path: Path, task: str) -> None:
    person = Person(start(), task)
    TASKS[task](person, usual, tmp_path)
    finish(person)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "task",
    [
        task if task in ("a-table", "f-intervals") else pytest.param(task, marks=pytest.mark.campaign)
        for task in TASKS
    ],
)
def test_in_every_shape(start: Start, usual: str, tmp_path: Path, task: str, shape: str) -> None:
    how = SHAPES[shape]
    name = f"{task}-{shape}"
    person = Person(start(**how), name, keyboard=shape == "keyboard", scripts=shape != "no-scripts")
    TASKS[task](person, usual, tmp_path)
    finish(person)
    if shape == "print":
        printed(person.browser, f"users/{name}")
