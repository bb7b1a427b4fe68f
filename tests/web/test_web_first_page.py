"""The first page: what is pasted is read, shown and decided, with and without scripts."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import httpx
import pytest
from served import serving

import scoreproof
from scoreproof.claim.fields import FIELDS
from scoreproof.reading.notation import FURTHER, read, write
from scoreproof.web.form import ASKED, claims, filled, typed
from scoreproof.web.settings import Settings

SENTENCE = "accuracy 0.9567, sensitivity 0.8500, specificity 0.9750, 100 positives and 200 negatives"
TABLE = "model\tp\tn\tacc\tsens\nA\t100\t200\t0.9567\t0.9100\nB\t100\t200\t0.9567\t0.8500\n"


def live(client: httpx.Client, **fields: str) -> str:
    for _ in range(200):
        text = client.post("/live", data=fields).text
        if "data-pending" not in text:
            return text
    raise AssertionError("no verdict")


def test_a_sentence_is_read_and_decided_at_once(client: httpx.Client) -> None:
    told = live(client, text=SENTENCE, source="text")
    assert '<mark title="' in told and 'name="p" type="text"' in told and 'value="100"' in told
    assert 'class="panel live inconsistent"' in told and "cannot hold together" in told


def test_what_is_changed_in_a_field_counts_and_the_text_no_longer_does(client: httpx.Client) -> None:
    given = {"p": "100", "n": "200", "score": "acc", "figure": "0.9567", "source": "fields"}
    told = live(client, text="accuracy 0.12345 of 7 items", **given)
    assert "badge consistent" in told and "0.12345" not in told


def test_a_field_beside_a_text_completes_it_and_a_contradiction_is_said(client: httpx.Client) -> None:
    told = live(client, text="accuracy 0.9567, sensitivity 0.8500", p="100", n="200", source="text")
    assert "inconsistent" in told and 'value="200"' in told
    clash = live(client, text=SENTENCE, p="101", source="text")
    assert "101" in clash and 'class="problem"' in clash and 'class="panel live' not in clash


def test_a_table_can_be_changed_cell_by_cell(client: httpx.Client) -> None:
    told = live(client, text=TABLE, source="text")
    assert told.count('aria-label="acc, row') == 2 and "sensitivity" in told
    links = [html.unescape(link) for link in re.findall(r'href="(/claim\?[^"]*)"', told)]
    assert len(links) == 2 and links[1].endswith("row=1")
    assert "badge inconsistent" in client.get(links[1]).text
    assert "badge consistent" in client.get(links[0]).text


def test_figures_without_counts_are_checked_and_nothing_is_asked_for_in_vain(client: httpx.Client) -> None:
    told = live(client, text="precision 0.83, recall 0.75, F1 0.82", source="text")
    assert 'class="panel live inconsistent"' in told and "Not said: the number of positives" in told
    nothing = live(client, text="hello there", source="text")
    assert "still needed" in nothing and 'class="panel live' not in nothing


def test_the_page_saves_the_same_verdict_as_python_gives_for_the_text(client: httpx.Client) -> None:
    answer = client.post("/check", data={"text": SENTENCE}, follow_redirects=True)
    query = str(answer.url).partition("?")[2]
    saved = client.get(f"/save/verdict.json?{query}").json()
    assert saved == json.loads(json.dumps(scoreproof.check(SENTENCE).to_dict()))


def test_without_scripts_a_text_that_cannot_be_read_keeps_its_words(client: httpx.Client) -> None:
    answer = client.post("/check", data={"text": "nothing to see <b>", "p": "7"})
    assert answer.status_code == 422 and "nothing to see &lt;b&gt;" in answer.text
    assert 'href="#text">The text: ' in answer.text and 'value="7"' in answer.text


def test_every_key_of_the_claim_has_a_field() -> None:
    shown = {key.path for key in ASKED.values()}
    left = {key.path for key in FIELDS if key.place in ("", "experiment", "conventions")} - shown
    once_more = {("experiment", name) for name in ("scores", "within", "bounds", "per_class", "matrix")}
    assert (
        left
        == {("format",), ("experiment",), ("scores",), ("conventions",), ("experiment", "from")} | once_more
    )


@pytest.mark.parametrize("name", FURTHER)
def test_what_a_line_can_say_is_read_as_it_was_written(name: str) -> None:
    key = FURTHER[name]
    line = write(key, key.example)
    assert line is not None and read(key, line) == key.example


def test_claims_of_several_classes_and_parts_go_through_their_fields() -> None:
    for claim in (
        {"experiment": {"classes": {"cat": 10, "big dog": 20}}, "per_class": {"cat": {"f1": "0.80 ± 0.01"}}},
        {"experiment": {"parts": [{"p": 3, "n": 4}, {"p": 5, "n": 6}], "aggregate": "mean"}},
        {"experiment": {"p": 3, "n": 4, "folds": 2}, "bounds": {"acc": [0.2, 1]}, "matrix": {"tp": 2}},
        {"experiment": {"p": 9, "n": 9}, "points": [{"sens": "0.9", "spec": "0.5"}, {"sens": "0.8"}]},
    ):
        whole = {**claim, "scores": {"acc": "0.9"}}
        form = filled(json.dumps(whole))
        assert not form.claim, claim
        again = typed([*form.values.items(), ("score", "acc"), ("figure", "0.9")])
        assert [each for _, each in claims(again)] == [whole] and not again.errors


def test_files_are_opened_by_name_only_from_the_folder_that_was_allowed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (inside / "table.csv").write_text("p,n,acc\n100,200,0.9567\n")
    (inside / "claim.json").write_text('{"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}}')
    (outside / "secret.csv").write_text("p,n,acc\n1,2,0.4321\n")
    (inside / "link.csv").symlink_to(outside / "secret.csv")
    with serving(Settings(files=str(inside))) as address, httpx.Client(base_url=address, timeout=60) as client:
        assert (
            client.post("/check", data={"text": str(inside / "table.csv")})
            .headers["location"]
            .startswith("/batch/")
        )
        assert client.post("/check", data={"text": "./claim.json"}).headers["location"].startswith("/claim?")
        for name in (outside / "secret.csv", "../out/secret.csv", inside / "link.csv", inside / "none.csv"):
            answer = client.post("/check", data={"text": str(name) if str(name)[0] in "/." else f"./{name}"})
            assert answer.status_code == 422 and "0.4321" not in answer.text
    with serving(Settings()) as address, httpx.Client(base_url=address, timeout=60) as client:
        answer = client.post("/check", data={"text": str(inside / "table.csv")})
        assert answer.status_code == 422 and "drop the file here" in answer.text
