"""The page with claims of every kind: it agrees with the others and shows what each has to show."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest
from claims_of_all_kinds import KINDS
from served import finished
from test_web_api import through_cli

import scoreproof
from scoreproof.insight.display.html import text
from scoreproof.insight.table import figures
from scoreproof.web.links import pack


@pytest.mark.parametrize("name", KINDS)
def test_browser_command_line_python_and_api_agree_on_claims_of_every_kind(
    client: httpx.Client, name: str
) -> None:
    claim, status = KINDS[name]
    in_python = json.loads(json.dumps(scoreproof.check(claim).to_dict()))
    by_api = client.post("/api/check", json=claim).json()
    in_browser = client.get(f"/save/verdict.json?c={pack(claim)}").json()
    assert in_python == through_cli(claim) == by_api == in_browser
    assert by_api["verdict"] == status
    assert client.post("/api/verify", json=by_api).json()["confirmed"] is True


@pytest.mark.parametrize("name", ["several classes", "residuals"])
def test_what_a_kind_of_claim_does_not_have_is_said_quietly(client: httpx.Client, name: str) -> None:
    answer = finished(client, f"/reconstruct?c={pack(KINDS[name][0])}")
    part = re.search(r'<div id="part">(.*?)</div>', answer.text, re.DOTALL)
    assert part is not None and "problem" not in part.group(1) and "experiment:" not in part.group(1)
    assert "two classes" in part.group(1)


def test_work_of_another_kind_is_not_shown_as_a_result_and_the_other_way_round(client: httpx.Client) -> None:
    sent = client.post("/batch", files={"file": ("t.csv", b"p,n,acc\n100,200,0.95\n")})
    done = finished(client, str(sent.url))
    name = done.url.path.rpartition("/")[2]
    for path in (f"/result/{name}", f"/save/verdict.json?r={name}", f"/explain?r={name}"):
        assert client.get(path).status_code == 404
    parts = [{"p": 3 + i % 7, "n": 5 + i % 11, "name": f"part {i * i * 7919}"} for i in range(900)]
    claim = {"experiment": {"parts": parts, "aggregate": "pooled"}, "scores": {"acc": "0.9"}}
    page = finished(client, str(client.post("/check", data={"claim": json.dumps(claim)}).url))
    name = page.url.path.rpartition("/")[2]
    for path in (f"/batch/{name}", f"/batch/{name}/verdicts.csv"):
        assert client.get(path).status_code == 404


def test_a_verdict_the_page_has_shown_is_found_again_with_all_the_time_before_it_is_explained(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from scoreproof.web.work import jobs

    given: list[float] = []

    def noted(claim: object, timeout: float) -> scoreproof.Verdict:
        given.append(timeout)
        return scoreproof.check(claim, timeout=timeout)

    monkeypatch.setattr(jobs, "check", noted)
    claim = json.dumps(KINDS["one matrix, inconsistent"][0])
    asked = {"claim": claim, "timeout": 300, "html": True, "decided": True}
    told = jobs.JOBS["explain"](**asked, progress=lambda _: None)["json"]["paragraph"]
    assert given == [300] and "No confusion matrices give all of them" in told


def test_what_is_no_verdict_is_refused_with_its_field(client: httpx.Client) -> None:
    answer = client.post("/api/verify", json={"verdict": 5})
    assert answer.status_code == 422 and answer.json()["error"]["field"] == "verdict"


def test_a_printed_interval_that_clashes_is_marked_in_its_row() -> None:
    claim = KINDS["an interval, inconsistent"][0]
    verdict = scoreproof.check(claim)
    assert verdict.conflict == ("interval of sens",)
    assert [row.label for row in figures(verdict) if row.clashes] == ["sens"]


def test_open_counts_are_not_called_the_stated_set_up_twice() -> None:
    claim: dict[str, Any] = {
        "experiment": {"total": 30},
        "scores": {"acc": "0.9567", "sens": "0.8500", "spec": "0.9750"},
    }
    told = scoreproof.explain(claim).paragraph
    assert "the stated set-up (30 items; figures read" in told and told.count("set-up (") == 1


@pytest.mark.parametrize("letters", ["a\x00b", "a\nb", "\x1b[1m", "é–∞", "<&>\"'"])
def test_letters_html_does_not_know_are_replaced_and_all_others_kept(letters: str) -> None:
    from html import unescape

    shown = unescape(text(letters))
    assert len(shown) == len(letters)
    assert all(a == b or (b == "\ufffd" and not a.isprintable()) for a, b in zip(letters, shown, strict=True))
    assert "\x00" not in shown and "\x1b" not in shown


def test_a_survey_of_a_bundle_shows_the_figures_it_is_about(client: httpx.Client) -> None:
    wish = {"bundle": "drive", "scores": {"acc": "0.9478", "<b>": "0.8532"}}
    refused = finished(client, f"/bundle?b={pack(wish)}")
    assert refused.status_code == 422 and "<b>" not in refused.text
    wish["scores"] = {"acc": "0.9478", "sens": "85.32 %"}
    assert "acc 0.9478, sens 85.32 %" in finished(client, f"/bundle?b={pack(wish)}").text


def test_readings_without_time_name_the_readings_that_had_some(monkeypatch: pytest.MonkeyPatch) -> None:
    from itertools import count
    from types import SimpleNamespace

    from scoreproof import budget, effort

    ticks = count()
    # A clock that jumps a second at every look: the time is over after a few readings, on any machine.
    clock = SimpleNamespace(monotonic=lambda: float(next(ticks)))
    monkeypatch.setattr(budget, "time", clock)
    monkeypatch.setattr(effort, "time", clock)
    verdict = scoreproof.check({"experiment": {"total": 40}, "scores": {"acc": "0.9567"}}, timeout=12)
    without = {
        outcome.reason for outcome in verdict.outcomes if outcome.reason.startswith("the time ran out after")
    }
    assert len(without) == 1
