"""What is right by one way in is right by every way in: command line, Python, batch, page and API."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from interfaces import CODES, INTERFACES, TABLES, Question, ask, ask_rows, page

import scoreproof
from command_line import run


@dataclass(frozen=True)
class Example:
    """A question with what has to be answered: its status, words that must be there, words that must not."""

    question: Question
    status: str
    says: str = ""  # a pattern
    not_says: str = ""


def asked(
    scores: dict[str, str] | None = None,
    more: dict[str, object] | None = None,
    **experiment: object,
) -> Question:
    return Question(scores or {}, experiment, more or {})


YES, NO = "consistent", "inconsistent"
#: Sensitivity and specificity of a review with an empty cell, and ratios with 0.5 added.
RAMESH = {"sens": "95%", "spec": "100%", "LR+": "15.1", "LR-": "0.06", "DOR": "249.0"}
BOOTSTRAP = {"ppv": "75.0% (56.0—90.5)", "spec": "86.0% (75.5—94.7)", "acc": "90.1% (81.7—95.8)"}
MERCALDO = {
    "sens": "68.29% (51.91% to 81.92%)",
    "spec": "63.64% (47.77% to 77.59%)",
    "ppv": "63.64% (52.91% to 73.16%)",
    "npv": "68.29% (56.60% to 78.06%)",
}

EXAMPLES = {
    "percent without a sign": Example(
        asked({"precision": "91.2", "recall": "85.4", "f1": "89.9"}), NO, "as percent|in percent"
    ),
    "percent without a sign, true": Example(
        asked({"precision": "91.2", "recall": "85.4", "f1": "88.2"}), YES, "percent"
    ),
    "percent, a dataset": Example(asked({"sens": "51.9"}, dataset="pima"), YES, "percent"),
    "percent, the wrong figure alone": Example(
        asked({"acc": "74.36", "sens": "51.9"}, dataset="pima"), NO, r"acc\W.*74\.3", r"sens 51\.9 is"
    ),
    "a 32-bit float": Example(asked({"acc": "0.9908000230789185"}, total=10000), YES),
    "a 64-bit float": Example(asked({"f1": "0.7000000000000001"}, p=20, n=30), YES),
    "counts beside scores": Example(
        asked({"sens": "0.80", "spec": "0.99"}, {"matrix": {"tp": 56, "fp": 15, "fn": 3, "tn": 92}}), NO
    ),
    "counts alone": Example(asked({"sens": "0.949"}, {"matrix": {"tp": 56, "fn": 3}}), YES),
    "intervals without counts": Example(
        asked({"sens": "0.92 (0.84-0.97)", "spec": "0.88 (0.83-0.92)"}), YES, "", "12 positives and 8"
    ),
    "a figure outside its own interval": Example(
        asked({"sens": "0.968 (0.983-0.988)"}), NO, "outside|its own interval"
    ),
    "bootstrap intervals": Example(asked(BOOTSTRAP, p=21, n=50), YES, "interval"),
    "Mercaldo's intervals": Example(asked(MERCALDO, p=41, n=44), YES),
    "0.5 added to a table with an empty cell": Example(asked(RAMESH, p=43, n=7), YES, r"0\.5|half"),
    "folds of unequal size": Example(
        asked({"acc": "0.8517"}, p=40, n=60, folds=5, aggregate="mean"),
        NO,
        "equal|differ by at most one|at most one",
    ),
    "folds of any size": Example(
        asked({"acc": "0.8517"}, {"conventions": {"fold_sizes": "any"}}, p=40, n=60, folds=5, aggregate="mean"),
        YES,
    ),
    "the classifier that calls all negative": Example(
        asked({"acc": "0.90", "recall": "0.00", "precision": "0.00", "f1": "0.00"}, p=10, n=90),
        YES,
        "0/0|undefined",
    ),
    "f1 of mean precision and mean recall": Example(
        asked(
            {"precision": "1.000", "recall": "0.940", "f1": "0.969", "acc": "0.954"},
            p=52,
            n=11,
            folds=5,
            stratified=True,
        ),
        YES,
        "mean precision",
    ),
    "Jeffreys intervals": Example(asked({"acc": "90.3% [85.6, 93.9]"}, p=109, n=87), YES),
    "prop.test": Example(asked({"sens": "0.97 [0.92, 0.99]", "spec": "0.72 [0.53, 0.86]"}, p=117, n=32), YES),
    "variance with n-1": Example(
        asked({"mse": "678.4180", "r2": "0.4581"}, samples=84, variance="1267.06516"),
        YES,
        "n-1|n - 1|N - 1|sample",
    ),
    "caret's folds": Example(
        asked({"acc": "0.9160", "f1": "0.8763"}, p=61, n=119, folds=10, stratified=True), YES, "caret"
    ),
    "cut off by int()": Example(
        asked({"sens": "0.28", "spec": "0.56", "bacc": "0.43"}, {"rounding": "down"}, p=100, n=100), YES
    ),
    "an abstract with an AUC": Example(asked({"auc": "0.95", "sens": "0.92 (0.84-0.97)"}, p=87, n=200), YES),
    "classes with a rare one": Example(
        asked(
            {"acc": "0.4333", "sens_macro": "0.3544", "ppv_weighted": "0.7098"}, classes=[10, 9, 17, 9, 14, 1]
        ),
        YES,
    ),
    "points alone": Example(asked(None, {"points": [{"sens": "0.95", "spec": "0.52"}]}, p=20, n=25), YES),
    "seventy nines": Example(asked({"acc": "0." + "9" * 70}, p=10, n=20), NO),
}


#: What is not answered yet.
PENDING: frozenset[tuple[str, str]] = frozenset()


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with page() as found:
        yield found


def each() -> list[object]:
    return [
        pytest.param(
            interface,
            example,
            id=f"{name}-{interface}",
            marks=[pytest.mark.xfail(strict=True, reason="to come")] if (name, interface) in PENDING else [],
        )
        for name, example in EXAMPLES.items()
        for interface in INTERFACES
        if interface != "batch" or example.question.options is not None
    ]


@pytest.mark.parametrize(("interface", "example"), each())
def test_the_answer_is_right_by_every_way_in(
    interface: str, example: Example, client: httpx.Client, tmp_path: Path
) -> None:
    answer = ask(interface, example.question, client, tmp_path)
    assert answer is not None
    assert answer.status == example.status, answer.words[:500]
    # a row of a table has a status, a clash and a short note; the rest is said by the others
    if interface != "batch":
        assert re.search(example.says, answer.words, re.IGNORECASE), answer.words[:2000]
    assert not (example.not_says and re.search(example.not_says, answer.words)), answer.words[:2000]


REPORT = """
              precision    recall  f1-score   support

         cat       0.75      1.00      0.86         3
         dog       1.00      0.50      0.67         2

    accuracy                           0.80         5
   macro avg       0.88      0.75      0.76         5
weighted avg       0.85      0.80      0.78         5
"""
#: p, n, acc and sens of a true row and of one that is impossible.
PRINTED = """
          p    n     acc    sens
ours    100  200  0.9567  0.9100
theirs  100  200  0.9567  0.8512
"""
SEMICOLONS = "model;p;n;acc;sens\nours;100;200;0,9567;0,9100\ntheirs;100;200;0,9567;0,8512\n"
NUMBERS = {"p": [100, 100], "n": [200, 200], "acc": [0.9567, 0.9567], "sens": [0.91, 0.8512]}
TEXTS = ("batch", "standard input", "page", "API")


@pytest.mark.parametrize("interface", [*INTERFACES, "standard input", "API, a table"])
@pytest.mark.parametrize(("accuracy", "status"), [("0.80", YES), ("0.81", NO)])
def test_a_pasted_report_is_read_by_every_way_in(
    interface: str, accuracy: str, status: str, client: httpx.Client, tmp_path: Path
) -> None:
    text = REPORT.replace("   0.80         5\n   macro", f"   {accuracy}         5\n   macro")
    ways: dict[str, Callable[[], list[str]]] = {
        "command line": lambda: [CODES[run("check", "-", stdin=text).exit_code]],
        "Python": lambda: [scoreproof.check(text).status],
        "API": lambda: [client.post("/api/check", content=text.encode()).json()["verdict"]],
        "API, a table": lambda: ask_rows("API", text, client, tmp_path)[0],
    }
    found = ways.get(interface, lambda: ask_rows(interface, text, client, tmp_path, "txt")[0])()
    assert found == [status]


@pytest.mark.parametrize(
    ("interface", "table"),
    [
        *(pytest.param(each, PRINTED, id=f"an empty corner-{each}") for each in TEXTS),
        *(pytest.param(each, SEMICOLONS, id=f"semicolons-{each}") for each in TEXTS),
        *(pytest.param(each, NUMBERS, id=f"floats-{each}") for each in ("frame", "Excel")),
    ],
)
def test_the_rows_of_a_table_are_right_by_every_way_in(
    interface: str, table: str | Mapping[str, list[float]], client: httpx.Client, tmp_path: Path
) -> None:
    found, words = ask_rows(interface, table, client, tmp_path, "txt" if table == PRINTED else "csv")
    assert found == [YES, NO], words[:1000]


@pytest.mark.parametrize("interface", TABLES)
def test_a_lone_n_is_asked_about_by_every_way_in(interface: str, client: httpx.Client, tmp_path: Path) -> None:
    found, words = ask_rows(interface, "study,N,acc\na,300,0.9567\n", client, tmp_path)
    assert not found and "could be the negatives or all items" in words


@pytest.mark.parametrize("name", ["x" * 300, "x" * 300 + ".csv", "x" * 5000 + ".json", "a/" * 3000 + "b.toml"])
def test_a_name_too_long_for_a_file_is_refused_in_one_sentence(name: str, client: httpx.Client) -> None:
    for command in ("check", "explain", "reconstruct", "batch"):
        said = run(command, name)
        assert said.exit_code == 2 and len(said.output) < 600, said.output[:300]
    with pytest.raises(scoreproof.ScoreproofError) as error:
        scoreproof.check(Path(name))
    assert len(str(error.value).splitlines()) == 1 and len(str(error.value)) < 400
    sent = client.post("/batch", files={"file": (name, b"p,n,acc\n100,200,0.9567\n")})
    assert sent.status_code < 500
    assert client.post("/api/check", content=json.dumps(name).encode()).status_code == 422
