"""The pages as a browser without scripts would use them."""

from __future__ import annotations

import html
import json
import re

import httpx
import pytest
from served import finished, serving
from test_web_api import CLAIMS, SLOW_PAGE

from scoreproof.web.form import filled
from scoreproof.web.links import pack, unpack
from scoreproof.web.settings import Settings

EVIL = '<script>alert("x")</script><img src=x onerror=alert(1)>'


def send(client: httpx.Client, *scores: tuple[str, str], to: str = "/check", **fields: str) -> httpx.Response:
    data: dict[str, object] = dict(fields)
    data["score"] = [name for name, _ in scores]
    data["figure"] = [figure for _, figure in scores]
    return finished(client, client.post(to, data=data))


def beside(page: str, name: str) -> str:
    """The complaint a field points at with aria-describedby."""
    field = re.search(rf'<(?:input|select|textarea) id="{name}"[^>]*>', page)
    assert field is not None, f"no field {name}"
    assert 'aria-invalid="true"' in field.group() and f"{name}-problem" in field.group()
    found = re.search(rf'id="{name}-problem">.*?</span>(.*?)</p>', page)
    assert found is not None
    return html.unescape(found.group(1))


def test_a_claim_typed_into_the_form_gets_its_verdict_under_a_permanent_link(client: httpx.Client) -> None:
    answer = send(client, ("acc", "0.9567"), ("sens", "0.8500"), ("spec", "0.9750"), p="100", n="200")
    assert answer.status_code == 200 and answer.url.path == "/claim"
    assert "acc 0.9567 and sens 0.8500 cannot hold together" in answer.text
    assert (
        answer.text.count("<svg") >= 2 and "No matrix lies in the bands of acc and sens at once" in answer.text
    )
    again = client.get(str(answer.url))
    assert again.text == answer.text
    claim = json.loads(unpack(answer.url.params["c"]))
    assert claim["experiment"] == {"p": 100, "n": 200}
    form = client.get(f"/?c={answer.url.params['c']}").text
    assert 'value="0.8500"' in form and 'value="200"' in form


@pytest.mark.parametrize(
    ("fields", "scores", "where", "says"),
    [
        ({"p": "-3", "n": "5"}, [("acc", "0.9")], "p", "expected"),
        ({"p": "ten", "n": "5"}, [("acc", "0.9")], "p", "whole number"),
        ({"p": "10"}, [("acc", "0.9")], "n", "is missing"),
        ({"p": "10", "n": "5"}, [("acc", "0.9x")], "figure-0", "cannot read"),
        ({"p": "10", "n": "5"}, [("acc", "0.9"), ("acurracy", "0.9")], "score-1", "did you mean"),
        ({"p": "10", "n": "5"}, [("acc", "")], "figure-0", "as printed"),
        ({"p": "10", "n": "5"}, [("", "0.9")], "score-0", "name the score"),
        ({"p": "10", "n": "5"}, [("acc", "0.9"), ("acc", "0.8")], "score-1", "twice"),
        ({"p": "10", "n": "5"}, [], "score-0", "at least one"),
        ({"p": "10", "n": "5", "folds": "40"}, [("acc", "0.9")], "folds", "cannot be made"),
        ({"p": "10", "n": "5", "repeats": "4"}, [("acc", "0.9")], "repeats", "folds"),
        ({"p": "10", "n": "5", "table": "nothing to see"}, [], "table", "names of scores"),
        ({"claim": '{"scores": {"acc": 1}'}, [], "claim", "JSON"),
        ({"claim": "experiment = 3"}, [], "claim", "experiment"),
        ({"p": "10", "n": "5", "rounding": "sideways"}, [("acc", "0.9")], "rounding", "choose"),
        ({"prevalence": "12 %", "total": "x"}, [("acc", "0.9")], "total", "expected"),
    ],
)
def test_every_error_stands_beside_its_field(
    client: httpx.Client, fields: dict[str, str], scores: list[tuple[str, str]], where: str, says: str
) -> None:
    answer = send(client, *scores, **fields)
    assert answer.status_code == 422
    assert says in beside(answer.text, where)
    for value in fields.values():  # nothing that was typed is lost
        assert html.escape(value, quote=False) in html.unescape(answer.text) or value == "sideways"


def test_all_rows_with_errors_are_marked_at_once(client: httpx.Client) -> None:
    answer = send(client, ("acc", "0.9x"), ("nonsense", "0.9"), p="10", n="5")
    assert "cannot read" in beside(answer.text, "figure-0") and "not a score" in beside(answer.text, "score-1")


def test_markup_in_any_field_is_shown_as_text(client: httpx.Client) -> None:
    answers = [
        send(client, (EVIL, EVIL), p=EVIL, n=EVIL, title=EVIL, folds=EVIL, total=EVIL),
        send(client, ("acc", "0.9567"), p="100", n="200", title=EVIL),
        send(client, p="100", n="200", title=EVIL, table=f"name\tacc\n{EVIL}\t0.95\n{EVIL}\t0.9567"),
        client.post("/check", data={"claim": EVIL}),
        client.post(
            "/check",
            data={
                "claim": json.dumps({**CLAIMS["inconsistent"], "title": EVIL, "note": EVIL, "citation": EVIL})
            },
        ),
        client.get("/claim", params={"c": EVIL}),
        client.get(f"/{EVIL}"),
        client.get("/", params={"c": pack(json.dumps({"title": EVIL, "nonsense": EVIL}))}),
    ]
    named = {"experiment": {"parts": [{"p": 5, "n": 5, "name": EVIL, "scores": {"acc": "0.9"}}]}, "scores": {}}
    answers.append(client.get("/claim", params={"c": pack(named)}))
    for answer in [finished(client, each) for each in answers]:
        assert "<script>alert" not in answer.text and "<img src=x" not in answer.text
        assert "&lt;script&gt;" in answer.text or answer.request.url.path in ("/claim", f"/{EVIL}")
    page = client.get("/claim", params={"c": pack({**CLAIMS["inconsistent"], "title": EVIL})})
    query = str(page.url).partition("?")[2]
    assert "<script>alert" not in client.get(f"/save/report.html?{query}").text
    assert "<script>alert" not in client.get(f"/save/report.md?{query}").text.partition("```")[0]


def test_every_answer_carries_its_guards_and_no_script_stands_in_a_page(client: httpx.Client) -> None:
    for path in ("/", "/about", "/nothing", f"/claim?c={pack(CLAIMS['inconsistent'])}", "/api/scores"):
        answer = client.get(path)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert not re.search(r"<script(?![^>]* src=)|\son\w+=|javascript:|\sstyle=|<style", answer.text)
        assert not re.search(r"(?:src|href|action)=\"(?:https?:)?//", answer.text)  # nothing from elsewhere


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "[::2]", "", "["]
)
def test_foreign_names_for_this_machine_are_refused(client: httpx.Client, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 400


@pytest.mark.parametrize("host", ["localhost", "localhost:1234", "127.0.0.1", "[::1]:80"])
def test_this_machines_own_names_are_served(client: httpx.Client, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


def test_requests_from_other_sites_are_refused(client: httpx.Client) -> None:
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
        assert client.post("/check", headers=headers).status_code == 403
        assert client.post("/api/check", headers=headers, json={}).status_code == 403


def test_a_table_pasted_with_several_rows_gets_a_verdict_a_row(client: httpx.Client) -> None:
    table = "Model\tAcc\tSens\nours\t0.9567\t0.9100\ntheirs\t0.9567\t0.8512"
    answer = send(client, p="100", n="200", table=table)
    links = re.findall(r'<a href="(/claim\?c=[^"]+)">(\w+)</a>', answer.text)
    assert [name for _, name in links] == ["ours", "theirs"]
    assert "by more than one unit of the last digit" in answer.text and "by one unit" not in answer.text
    found = [client.get(f"/save/verdict.json?{link.partition('?')[2]}").json()["verdict"] for link, _ in links]
    assert found == ["consistent", "inconsistent"]


def test_an_averaged_claim_and_one_with_many_readings_have_pages(client: httpx.Client) -> None:
    for name, words in (("averaged", "part by part"), ("readings", "6 ways to read the claim")):
        answer = finished(client, f"/claim?c={pack(CLAIMS[name])}")
        assert answer.status_code == 200 and words in answer.text


def test_slow_work_says_so_and_can_be_stopped() -> None:
    settings = Settings(timeout=300, workers=1, patience=0.2)
    with serving(settings) as address, httpx.Client(base_url=address, timeout=120) as client:
        answer = client.get(SLOW_PAGE)
        assert answer.status_code == 202 and "Still working" in answer.text
        assert "http-equiv" not in answer.text and ">Look again</a>" in answer.text
        stop = re.search(r'action="(/jobs/\w+/stop)"', answer.text)
        assert stop is not None
        back = client.post(stop.group(1))
        assert back.status_code == 303 and back.headers["location"].startswith("/claim?c=")
        shown = finished(client, back.headers["location"])
        assert shown.status_code == 200 and "Stopped after" in shown.text and "undecided" in shown.text


def test_an_undecided_claim_says_why() -> None:
    with (
        serving(Settings(timeout=0.5, workers=1)) as address,
        httpx.Client(base_url=address, timeout=300) as client,
    ):
        answer = finished(client, SLOW_PAGE)
        assert answer.status_code == 200
        assert "undecided" in answer.text and "the time ran out" in answer.text


@pytest.mark.parametrize(
    "code", ["", "x", "%00", "eNqrVkqtKEgtysxNzStRsqpWKlCyMjQw0FHKU7IyMjCo1VEqTs4v", "é", "A" * 3000]
)
def test_a_damaged_link_is_refused(client: httpx.Client, code: str) -> None:
    answer = client.get("/claim", params={"c": code})
    assert answer.status_code == 400 and "damaged" in answer.text


def test_a_link_that_unpacks_to_too_much_is_refused(client: httpx.Client) -> None:
    assert client.get("/claim", params={"c": pack('{"title": "' + "a" * 2**21 + '"}')}).status_code == 400


def test_a_claim_too_long_for_an_address_is_kept_under_a_name(client: httpx.Client) -> None:
    parts = [{"p": 3 + i % 7, "n": 5 + i % 11, "name": f"part {i * i * 7919}"} for i in range(900)]
    claim = {"experiment": {"parts": parts, "aggregate": "pooled"}, "scores": {"acc": "0.9"}}
    answer = finished(client, client.post("/check", data={"claim": json.dumps(claim)}))
    assert answer.status_code == 200 and answer.url.path.startswith("/result/")
    saved = re.search(r'href="(/save/claim.json\?r=\w+)"', answer.text)
    assert saved is not None and client.get(saved.group(1)).json() == claim
    assert client.get("/result/nothing").status_code == 404


def test_a_claim_survives_the_way_through_the_form() -> None:
    claim = {
        "title": "T",
        "experiment": {"p": 38, "n": [30, 45], "folds": 5, "stratified": True, "aggregate": "mean"},
        "scores": {"acc": "0.90", "f1": "0.93 ± 0.01"},
        "rounding": "open",
    }
    from scoreproof.web.form import claims

    form = filled(json.dumps(claim))
    assert not form.claim
    assert [each for _, each in claims(form)] == [claim]
    several = {
        "experiment": {"classes": {"cat": 3, "a dog": 4}},
        "per_class": {"cat": {"f1": "0.8"}},
        "scores": {},
    }
    assert [each for _, each in claims(filled(json.dumps({**several, "scores": {"acc": "0.9"}})))] == [
        {**several, "scores": {"acc": "0.9"}}
    ]
    rich = {"experiment": {"parts": [{"parts": [{"p": 1, "n": 2}]}]}, "scores": {"acc": "0.9"}}
    assert json.loads(filled(json.dumps(rich)).claim) == rich


def test_the_ranges_of_the_other_scores_are_a_page_of_their_own(client: httpx.Client) -> None:
    claim = {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.95", "f1": "0.93"}}
    result = finished(client, f"/claim?c={pack(claim)}").text
    assert f'data-part="/reconstruct?c={pack(claim)}"' in result
    answer = finished(client, f"/reconstruct?c={pack(claim)}")
    found = client.post("/api/reconstruct", json=claim).json()
    assert answer.text.count('class="bar"') >= 15 and "Matthews correlation coefficient (mcc)" in answer.text
    assert found["ranges"]["sens"]["lowest"] == "0.8700000000" and "0.8700" in answer.text


def test_a_dataset_can_stand_in_for_the_counts(client: httpx.Client) -> None:
    answer = send(client, ("acc", "0.855"), ("sens", "0.507"), dataset="isic2016")
    assert answer.status_code == 200 and "75 positives and 304 negatives" in answer.text
    wrong = send(client, ("acc", "0.855"), dataset="isik2016")
    assert "did you mean" in beside(wrong.text, "dataset")


def test_the_paragraph_for_a_review_can_be_copied_and_explanations_lead_to_claims_that_fit(
    client: httpx.Client,
) -> None:
    answer = finished(client, f"/explain?c={pack(CLAIMS['inconsistent'])}")
    found = client.post("/api/explain", json=CLAIMS["inconsistent"]).json()
    assert html.escape(found["paragraph"]) in answer.text and 'data-copy="paragraph"' in answer.text
    link = re.search(r'<a href="/claim\?c=([^"]+)">', answer.text)
    assert link is not None
    assert client.get(f"/save/verdict.json?c={link.group(1)}").json()["verdict"] == "consistent"
    for name in ("report.html", "report.md"):
        text = client.get(f"/save/{name}?c={pack(CLAIMS['inconsistent'])}").text
        assert "The reported figures" in text and "0.9567" in text


def test_a_bundle_shows_which_evaluations_the_figures_fit(client: httpx.Client) -> None:
    answer = send(
        client, ("acc", "0.9478"), ("sens", "0.8532"), ("spec", "0.9801"), to="/bundle", bundle="drive"
    )
    assert answer.status_code == 200 and "evaluations that were tried" in answer.text
    wish = {"bundle": "drive", "scores": {"acc": "0.9478", "sens": "0.8532", "spec": "0.9801"}}
    survey = client.post("/api/bundle", json=wish).json()
    assert (
        html.escape(survey["sentence"]) in answer.text
        and len(survey["readings"]) == answer.text.count("<tr>") - 1
    )


@pytest.mark.parametrize(
    ("fields", "scores", "where", "says"),
    [
        ({}, [("acc", "0.9")], "bundle", "choose"),
        ({"bundle": "drive"}, [("acc", "x")], "figure-0", "cannot read"),
        ({"bundle": "drive"}, [], "score-0", "at least one"),
        ({"bundle": "drive", "image": "99"}, [("acc", "0.9")], "image", ""),
    ],
)
def test_what_is_wrong_with_a_bundle_stands_beside_its_field(
    client: httpx.Client, fields: dict[str, str], scores: list[tuple[str, str]], where: str, says: str
) -> None:
    answer = send(client, *scores, to="/bundle", **fields)
    assert answer.status_code == 422 and says in beside(answer.text, where)


def test_the_form_takes_scores_of_several_classes_for_a_dataset_that_has_them(client: httpx.Client) -> None:
    answer = send(client, ("acc", "0.9533"), ("f1 macro", "0.9532"), dataset="iris")
    assert answer.status_code == 200 and "setosa" in answer.text
    wrong = send(client, ("f1 macro", "0.9532"), p="10", n="10")
    assert "classes" in beside(wrong.text, "score-0")


def test_the_effort_goes_with_the_claim_from_page_to_page(client: httpx.Client) -> None:
    answer = send(client, ("acc", "0.9567"), p="100", n="200", effort="high")
    assert answer.status_code == 200 and answer.url.params["effort"] == "high"
    links = [html.unescape(link) for link in re.findall(r'href="(/[a-z.]*\?c=[^"]*)"', answer.text)]
    assert links and all(link.endswith("&effort=high") for link in links)
    change = next(link for link in links if link.startswith("/?"))
    assert '<option value="high" selected>' in client.get(change).text
    assert "choose" in beside(send(client, ("acc", "0.9"), p="9", n="9", effort="huge").text, "effort")
    wrong = finished(client, f"/claim?c={pack(CLAIMS['consistent'])}&effort=hu%22%0dge")
    assert wrong.status_code == 422 and "expected one of" in beside(wrong.text, "effort")
