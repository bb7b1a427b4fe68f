"""The tools of the page: what each finds, what it says of every wrong field, and that all tongues agree."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest
from served import finished, serving

from command_line import run
from scoreproof.cases import published
from scoreproof.cli.commands import COMMANDS
from scoreproof.reading.datasets import known_datasets
from scoreproof.web.settings import Settings
from scoreproof.web.tools import averages, folds, slips, study
from scoreproof.web.tools.listing import GROUPS
from scoreproof.web.tools.page import Tool

IMPOSSIBLE = {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567", "sens": "0.8545"}}


def asked(client: httpx.Client, tool: Tool, values: Mapping[str, str]) -> httpx.Response:
    return finished(client, client.get(f"/{tool.name}", params={**values, "go": "1"}))


def problems(answer: httpx.Response) -> dict[str, str]:
    """What stands beside the fields, each of which is named in the summary, too."""
    assert answer.status_code == 422, answer.text
    found = re.findall(r'<p class="problem" id="([\w-]+)-problem">.*?</span>(.*?)</p>', answer.text, re.DOTALL)
    named = re.findall(r'<li><a href="#([\w-]+)">([^<]*?): ', answer.text)
    assert {name for name, _ in named} == {name for name, _ in found}
    assert all(label and label != name for name, label in named)
    return {name: html.unescape(words) for name, words in found}


def heading(answer: httpx.Response) -> str:
    assert answer.status_code == 200, answer.text
    found = re.search(r'id="result-heading">(.*?)</h2>', answer.text, re.DOTALL)
    assert found is not None
    return re.sub(r"<.*?>", "", html.unescape(found[1]))


def told(*words: str, stdin: str | None = None) -> object:
    """What the command line prints as JSON."""
    return json.loads(run(*words, "--json", stdin=stdin).stdout)


# -- all of them -----------------------------------------------------------------


def test_every_command_has_a_tool_and_every_link_leads_somewhere(client: httpx.Client) -> None:
    cards = [card for group in GROUPS for card in group.cards]
    assert set(COMMANDS) == {name for card in cards for name in card.commands}
    shown = client.get("/tools")
    for card in cards:
        assert f'href="{card.link}"' in shown.text
        assert client.get(card.link).status_code in (200, 202)


@pytest.mark.parametrize("tool", [study.TOOL, slips.TOOL, averages.TOOL], ids=lambda tool: tool.name)
def test_an_example_fills_the_form_and_gives_its_answer(client: httpx.Client, tool: Tool) -> None:
    first = client.get(f"/{tool.name}")
    assert first.status_code == 200 and "result-heading" not in first.text
    assert tool.links
    for _, link in tool.links:
        assert f'href="{html.escape(link)}"' in first.text
        answer = finished(client, client.get(link))
        assert heading(answer)
    for name, text in tool.examples[-1][1].items():
        field = next(each for each in tool.fields if each.name == name)
        if not field.choices:
            assert f'name="{name}"' in answer.text and f'value="{html.escape(text)}"' in answer.text


@pytest.mark.parametrize(
    "place",
    [
        "/tools",
        "/datasets",
        "/datasets/drive",
        "/tables",
        "/verify",
        "/cases",
        "/aggregate",
        "/power",
        "/simulate",
    ],
)
def test_no_page_speaks_to_programmers(client: httpx.Client, place: str) -> None:
    text = re.sub(r"<[^>]*>", " ", finished(client, place).text)
    assert not re.search(r"--[a-z]|\bPython\b|[{}]|scoreproof [a-z]+ ", text)


# -- datasets --------------------------------------------------------------------


def test_datasets_are_found_by_words_and_shown_with_their_counts(client: httpx.Client) -> None:
    every = client.get("/datasets")
    assert every.text.count('<li class="card">') == len(known_datasets())
    found = client.get("/datasets", params={"q": "retina vessels"})
    assert found.text.count('<li class="card">') == len(known_datasets("retina vessels")) > 0
    assert "No dataset has all these words" in client.get("/datasets", params={"q": "<zebra>"}).text
    drive = client.get("/datasets/drive").text
    assert "577,649" in drive and "inside the field of view" in drive and "Staal" in drive
    assert 'href="/?dataset=drive"' in drive
    assert client.get("/datasets/zebra").status_code == 404


@pytest.mark.parametrize("entry", known_datasets(), ids=lambda entry: entry.name)
def test_every_dataset_has_a_page(client: httpx.Client, entry: object) -> None:
    name = getattr(entry, "name", "")
    answer = client.get(f"/datasets/{name}")
    assert answer.status_code == 200 and f"<code>{html.escape(name)}</code>" in answer.text


# -- one study -------------------------------------------------------------------

STUDY = {"sens": "0.92 (0.84-0.97)", "spec": "0.88 (0.83-0.92)"}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"sens": "0.86 (0.78-0.91)", "spec": "0.90 (0.85-0.95)", "total": "265"}, "Exactly one 2x2 table"),
        ({**STUDY, "total": "296"}, "different 2x2 tables give these figures"),
        ({"sens": "78.2 %", "p": "69", "n": "14"}, "No 2x2 table, of any size"),
        ({"sens": "0.87", "spec": "0.90", "prevalence": "12.7 %", "total": "300"}, "3 different 2x2 tables"),
        ({"sens": "0.5", "spec": "0.5", "total": "1,000"}, "different 2x2 tables"),
    ],
)
def test_one_study_gets_its_tables(client: httpx.Client, values: dict[str, str], words: str) -> None:
    answer = asked(client, study.TOOL, values)
    assert words in heading(answer)
    assert (words[:2] == "No") != ('class="two-by-two"' in answer.text)
    link = html.unescape(re.findall(r'class="button" href="(/claim[^"]*)"', answer.text)[0])
    assert finished(client, link).status_code == 200


def test_the_tables_of_a_study_are_saved(client: httpx.Client) -> None:
    saved = client.get("/tables/rows.csv", params={**STUDY, "total": "296", "go": "1"})
    assert saved.headers["content-type"].startswith("text/csv")
    words = [f"{name}={text}" for name, text in STUDY.items()]
    assert saved.text == run("tables", *words, "--total", "296", "--csv", "-").stdout


def test_every_wrong_field_of_a_study_is_told_at_once(client: httpx.Client) -> None:
    wrong = {
        "sens": "abc",
        "spec": "0.9.1",
        "ppv": "x",
        "total": "1.5",
        "prevalence": "y",
        "p": "-1",
        "n": "two",
        "ci": "guess",
        "level": "2",
        "rounding": "up and down",
    }
    assert problems(asked(client, study.TOOL, wrong)).keys() == wrong.keys()
    assert problems(asked(client, study.TOOL, {})).keys() == {"sens"}
    sums = problems(asked(client, study.TOOL, {"sens": "0.9", "p": "10", "n": "20", "total": "31"}))
    assert sums == {"total": "31 is not 10 + 20 = 30; correct one of the three"}
    loose = asked(client, study.TOOL, {"sens": "0.9"})  # no interval, no counts: nothing bounds the table
    assert loose.status_code == 422 and "do not bound the table" in loose.text


# -- folds -----------------------------------------------------------------------

FOLDS = "fold,tp,fp,fn,tn\n1,9,5,1,15\n2,5,0,5,20\n"


@pytest.mark.parametrize("number", range(len(folds.EXAMPLES)))
def test_folds_are_averaged(client: httpx.Client, number: int) -> None:
    table = folds.EXAMPLES[number][1]
    answer = finished(client, client.post("/aggregate", data={"table": table, "decimals": "3"}))
    found = told("aggregate", "-", "--decimals", "3", stdin=table)
    assert isinstance(found, dict)
    assert heading(answer).startswith(f"{len(found['folds'])} folds")
    for name in ("acc", "f1"):
        for figure in (found["scores"][name]["mean"]["zero"]["mean"], found["scores"][name]["pooled"]):
            assert f'<td class="number">{figure["shown"]}</td>' in answer.text
    assert "F1 score (f1)" in answer.text


def test_folds_too_many_for_an_address_are_kept_under_a_name(client: httpx.Client) -> None:
    rows = "".join(f"{i},{(7 * i) % 90},{(11 * i) % 13},{(5 * i) % 17},{100 + i}\n" for i in range(1500))
    answer = finished(client, client.post("/aggregate", data={"table": f"fold,tp,fp,fn,tn\n{rows}"}))
    assert heading(answer).startswith("1500 folds") and "r=" in str(answer.url)


def test_what_is_wrong_with_folds_stands_beside_the_table(client: httpx.Client) -> None:
    def problem(table: str, decimals: str = "4") -> dict[str, str]:
        return problems(
            finished(client, client.post("/aggregate", data={"table": table, "decimals": decimals}))
        )

    assert problem("", "many").keys() == {"table", "decimals"}
    assert "row 1" in problem("tp,fp,fn,tn\n1,2,x,4\n")["table"]
    assert "lacks one of fn, p" in problem("tp,fp\n1,2\n")["table"]
    assert "is not JSON" in problem("{")["table"]
    assert client.get("/aggregate", params={"t": "???"}).status_code == 400
    assert client.get("/aggregate", params={"r": "nobody"}).status_code == 404


# -- slips -----------------------------------------------------------------------


def test_slips_are_counted_as_on_the_command_line(client: httpx.Client) -> None:
    values = {
        "p": "75",
        "n": "304",
        "scores": "acc,sens",
        "models": "typo,dropped:3",
        "decimals": "2-3",
        "trials": "40",
        "draw": "uniform",
        "seed": "5",
    }
    answer = asked(client, slips.TOOL, values)
    assert heading(answer) == "What was caught"
    saved = client.get("/power/rows.csv", params={**values, "go": "1"}).text
    words = [
        "--p",
        "75",
        "--n",
        "304",
        "--model",
        "typo",
        "--model",
        "dropped:3",
        "--decimals",
        "2-3",
        "--trials",
        "40",
        "--seed",
        "5",
        "acc",
        "sens",
    ]
    assert saved == run("power", *words, "--csv").stdout
    assert answer.text.count("<svg") > 1 and "a last digit is off by one" in answer.text


def test_every_wrong_field_about_slips_is_told_at_once(client: httpx.Client) -> None:
    wrong = {
        "p": "x",
        "n": "-1",
        "dataset": "zebra",
        "folds": "many",
        "stratified": "perhaps",
        "aggregate": "best",
        "scores": "beauty",
        "models": "magic",
        "decimals": "2.5",
        "trials": "0",
        "draw": "cards",
        "seed": "-4",
    }
    assert problems(asked(client, slips.TOOL, wrong)).keys() == wrong.keys()
    assert problems(asked(client, slips.TOOL, {})).keys() == {"scores", "models", "decimals", "trials"}
    usual = {"p": "75", "n": "304", "scores": "acc", "models": "typo", "decimals": "2", "trials": "5"}
    for more, field in (
        ({"p": "", "n": ""}, {"p", "n"}),
        ({"dataset": "tpehg"}, {"p", "n"}),
        ({"models": "swapped"}, {"scores"}),
        ({"models": "aggregation"}, {"aggregate"}),
        ({"stratified": "yes"}, {"stratified"}),
        ({"p": "2", "n": "3", "folds": "7"}, {"folds"}),
    ):
        assert problems(asked(client, slips.TOOL, {**usual, **more})).keys() == field, more


def test_slips_end_with_what_is_done_when_the_time_is_over() -> None:
    with (
        serving(Settings(timeout=0.1, workers=1)) as address,
        httpx.Client(base_url=address, timeout=120) as client,
    ):
        values = {
            "p": "75",
            "n": "304",
            "folds": "5",
            "aggregate": "mean",
            "scores": "acc,sens,f1,mcc",
            "models": "typo",
            "decimals": "1-6",
            "trials": "100,000",
        }
        answer = asked(client, slips.TOOL, values)
        assert "Not all papers were made" in answer.text


def test_stopped_slips_keep_what_is_done(client: httpx.Client) -> None:
    values = {
        "p": "75",
        "n": "304",
        "folds": "5",
        "aggregate": "mean",
        "scores": "acc,sens,f1,mcc",
        "models": "typo",
        "decimals": "1-6",
        "trials": "99,999",
        "go": "1",
    }
    waiting = client.get("/power", params=values)
    assert waiting.status_code == 202
    name = re.findall(r"/jobs/(\w+)", waiting.text)[0]
    told_so_far = client.get(f"/jobs/{name}", headers={"accept": "application/json"}).json()
    assert (told_so_far["total"] or 0) <= 6 * 99_999  # fewer where the interval is narrow enough, none at first
    done = finished(client, client.post(f"/jobs/{name}/stop"))
    assert heading(done) == "What was caught" and "Stopped after" in done.text


# -- averages --------------------------------------------------------------------


@pytest.mark.parametrize("what", ["fmeasure", "auc"])
def test_averages_are_simulated_as_on_the_command_line(client: httpx.Client, what: str) -> None:
    values = {
        "what": what,
        "positives": "2 %, 5 %",
        "truth": "0.8",
        "cases": "1,000",
        "folds": "10",
        "shift": "0, 1",
        "trials": "50",
        "seed": "3",
    }
    answer = asked(client, averages.TOOL, values)
    assert "How far" in heading(answer) and "Nearest to the truth" in answer.text
    saved = client.get("/simulate/rows.csv", params={**values, "go": "1"}).text
    words = ["--positives", "2%,5%", "--shift", "0,1", "--trials", "50", "--seed", "3"]
    assert saved == run("simulate", what, *words, "--csv").stdout


def test_every_wrong_field_about_averages_is_told_at_once(client: httpx.Client) -> None:
    wrong = {
        "what": "beauty",
        "positives": "lots",
        "truth": "2",
        "shift": "-1",
        "cases": "1",
        "folds": "x",
        "stratified": "perhaps",
        "trials": "1",
        "seed": "y",
    }
    assert problems(asked(client, averages.TOOL, wrong)).keys() == wrong.keys()
    usual = {
        "what": "auc",
        "positives": "5 %",
        "truth": "0.8",
        "shift": "0",
        "cases": "100",
        "folds": "5",
        "trials": "5",
    }
    for more, field in (
        ({"shift": ""}, "shift"),
        ({"folds": "200"}, "folds"),
        ({"positives": "0.1 %"}, "positives"),
        ({"cases": "100,000", "folds": "2"}, "cases"),
        ({"cases": "10,000", "folds": "20", "trials": "100,000"}, "trials"),
        ({"what": "fmeasure", "positives": "99 %", "truth": "0.1"}, "positives"),
    ):
        assert problems(asked(client, averages.TOOL, {**usual, **more})).keys() == {field}, more


# -- replays ---------------------------------------------------------------------


def replayed(client: httpx.Client, verdict: str = "", against: str = "", file: bytes = b"") -> httpx.Response:
    name = "verdict.json" if file else ""
    sent = client.post("/verify", files={"file": (name, file)}, data={"verdict": verdict, "against": against})
    return finished(client, sent)


@pytest.fixture(scope="module")
def verdict() -> str:
    return run("check", "--p", "100", "--n", "200", "acc=0.9567", "sens=0.8545", "--json").stdout


def test_a_verdict_is_confirmed_and_restated(client: httpx.Client, verdict: str) -> None:
    for answer in (replayed(client, verdict), replayed(client, file=verdict.encode())):
        assert heading(answer) == "✓ Confirmed"
        assert "accuracy (acc) 0.9567" in answer.text and "p = 100" in answer.text
        assert "A score of 0/0: does not happen (not stated)" in answer.text
        link = html.unescape(re.findall(r'href="(/claim[^"]*)"', answer.text)[0])
        assert "inconsistent" in finished(client, link).text
    assert heading(replayed(client, verdict, json.dumps(IMPOSSIBLE))) == "✓ Confirmed"


def test_another_claim_and_a_forged_verdict_are_told_apart(client: httpx.Client, verdict: str) -> None:
    other = {**IMPOSSIBLE, "scores": {"acc": "0.95", "sens": "0.8545"}}
    answer = replayed(client, verdict, json.dumps(other))
    assert heading(answer) == "≠ About another claim" and "What was confirmed" not in answer.text
    forged = json.dumps({**json.loads(verdict), "verdict": "consistent"})
    answer = replayed(client, forged)
    assert heading(answer) == "✗ Not confirmed" and "What was confirmed" not in answer.text


def test_a_dossier_is_opened(client: httpx.Client, tmp_path: Path) -> None:
    path = tmp_path / "case.zip"
    run("dossier", "--p", "100", "--n", "200", "acc=0.9567", "sens=0.8545", "-o", str(path))
    assert heading(replayed(client, file=path.read_bytes())) == "✓ Confirmed"


def test_what_is_no_verdict_is_refused_beside_its_field(client: httpx.Client, verdict: str) -> None:
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("other.txt", "nothing")
    for given, field in (
        ({}, "file"),
        ({"verdict": "/etc/passwd"}, "verdict"),
        ({"verdict": '{"verdict": 5}'}, "verdict"),
        ({"verdict": "{" * 5000}, "verdict"),
        ({"verdict": verdict, "against": "not a claim"}, "against"),
        ({"verdict": verdict, "file": b"{}"}, "verdict"),
        ({"file": b"\xff\xfe"}, "file"),
        ({"file": packed.getvalue()}, "file"),
        ({"file": b"PK\x03\x04"}, "file"),
    ):
        assert problems(replayed(client, **given)).keys() == {field}, given  # type: ignore[arg-type]
    assert client.get("/verify/nobody").status_code == 404


def test_the_words_of_a_stranger_stay_words(client: httpx.Client, verdict: str) -> None:
    words = json.dumps({**json.loads(verdict), "sentence": "<script>alert(1)</script> proven!"})
    answer = replayed(client, words)
    assert "<script>alert" not in answer.text and "Words are not part of the proof" in answer.text


# -- cases -----------------------------------------------------------------------


def test_the_published_cases_hang_in_a_gallery(client: httpx.Client) -> None:
    answer = finished(client, "/cases")
    assert answer.text.count('<li class="card"') == len(published())
    found = client.get("/api/cases").json()
    said = told("cases")
    assert isinstance(said, dict) and found.keys() == said.keys()
    for name, each in found.items():
        assert each["verdict"] == said[name]["verdict"]
        # what a busy machine cuts short says so, and may say less
        assert each == said[name] or "cut_short" in {**each, **said[name]}, name
    refuted = [name for name, each in found.items() if each["verdict"] == "inconsistent"]
    assert f"{len(refuted)} cannot come from" in answer.text
    assert f"{len(found) - len(refuted)} fit as published" in answer.text
    some = finished(client, "/cases?show=inconsistent")
    assert some.text.count('<li class="card"') == len(refuted)
    link = html.unescape(re.findall(r'<h2><a href="(/claim[^"]*)"', answer.text)[0])
    assert finished(client, link).status_code == 200
    assert answer.text.count('class="thumb"') > 10


# -- the API ---------------------------------------------------------------------


SAME = {
    "study": (
        {"scores": STUDY, "total": 296, "ci": "wilson-cc"},
        ("tables", *(f"{name}={text}" for name, text in STUDY.items()), "--total", "296", "--ci", "wilson-cc"),
        None,
    ),
    "study with a prevalence": (
        {"scores": {"sens": "0.87", "spec": "0.90"}, "total": 300, "prevalence": "12.7%"},
        ("tables", "sens=0.87", "spec=0.90", "--total", "300", "--prevalence", "12.7%"),
        None,
    ),
    "aggregate": (
        {"table": FOLDS, "decimals": 2, "scores": ["f1", "mcc"]},
        ("aggregate", "-", "--decimals", "2", "--score", "f1", "--score", "mcc"),
        FOLDS,
    ),
    "power": (
        {
            "setup": {"p": 38, "n": 262, "folds": 5, "stratified": True, "aggregate": "mean"},
            "models": ["oversampled"],
            "scores": ["acc", "sens"],
            "decimals": [3],
            "trials": 5,
        },
        (
            "power",
            "--p",
            "38",
            "--n",
            "262",
            "--folds",
            "5",
            "--stratified",
            "--aggregate",
            "mean",
            "--model",
            "oversampled",
            "--decimals",
            "3",
            "--trials",
            "5",
            "acc",
            "sens",
        ),
        None,
    ),
    "simulate": (
        {"what": "auc", "positives": [0.05], "truth": 0.9, "shift": [0, 1], "trials": 20},
        ("simulate", "auc", "--positives", "5%", "--truth", "0.9", "--shift", "0,1", "--trials", "20"),
        None,
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_the_api_gives_what_the_command_line_prints(client: httpx.Client, name: str) -> None:
    sent, words, stdin = SAME[name]
    answer = client.post(f"/api/{name.partition(' ')[0]}", json=sent)
    assert answer.status_code == 200, answer.text
    found, said = answer.json(), told(*words, stdin=stdin)
    if name == "power":  # the options spell a set-up out
        for each in (found, said):
            for one in each["power"]:  # type: ignore[index,call-overload]
                one.pop("setup")
    assert found == said


def test_the_api_replays_a_verdict_as_the_command_line_does(
    client: httpx.Client, verdict: str, tmp_path: Path
) -> None:
    saved, mine, other = (tmp_path / name for name in ("verdict.json", "mine.json", "other.json"))
    saved.write_text(verdict)
    mine.write_text(json.dumps(IMPOSSIBLE))
    other.write_text(json.dumps({**IMPOSSIBLE, "experiment": {"p": 100, "n": 201}}))
    assert client.post("/api/verify", content=verdict).json() == told("verify", str(saved))
    for claim in (mine, other):
        sent = {"verdict": json.loads(verdict), "against": json.loads(claim.read_text())}
        found = client.post("/api/verify", json=sent).json()
        assert found == told("verify", str(saved), "--against", str(claim))
        assert found["confirmed"] is found["same_claim"] is (claim is mine)


@pytest.mark.parametrize(
    ("job", "sent", "field"),
    [
        ("study", {"scores": STUDY, "p": "many"}, "p"),
        ("study", {"scores": STUDY, "ci": ["wald"]}, "ci"),
        ("study", {"scores": STUDY, "colour": 1}, "colour"),
        ("study", {"scores": 5}, "scores"),
        ("aggregate", {"table": 5}, "table"),
        ("aggregate", {"table": "tp,fp,fn,tn\n1,2,3,x\n"}, "table"),
        ("aggregate", {"table": FOLDS, "decimals": 999}, "decimals"),
        ("aggregate", {"table": FOLDS, "scores": "f1"}, "scores"),
        ("aggregate", {"table": FOLDS, "beta_positive": []}, "beta_positive"),
        ("power", {"setup": 5}, "setup"),
        ("power", {"setup": {"p": 5, "n": 5}, "trials": 10**9}, "trials"),
        ("power", {"setup": {"p": 5, "n": 5}, "draw": []}, "draw"),
        ("power", {"setup": {"p": 5, "n": 5}, "models": ["magic"]}, "model"),
        ("power", {"setup": {"p": 5, "n": 5}, "decimals": [{}]}, "decimals"),
        ("simulate", {"what": []}, "what"),
        ("simulate", {"stratified": "yes"}, "stratified"),
        ("simulate", {"positives": [0.01] * 500}, "positives"),
        ("simulate", {"trials": 10**9}, "trials"),
        ("verify", {"verdict": {"verdict": "consistent"}, "against": 5}, "against"),
        ("verify", {"verdict": {"verdict": "consistent"}, "colour": 5}, "verdict"),
    ],
)
def test_the_api_names_the_field_that_is_wrong(
    client: httpx.Client, job: str, sent: object, field: str
) -> None:
    answer = client.post(f"/api/{job}", json=sent)
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["field"] == field
