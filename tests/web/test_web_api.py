"""The JSON API: the same answers as the command line, and clear refusals."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest
from click.testing import CliRunner
from served import serving

import scoreproof
from scoreproof.cli import cli
from scoreproof.web.links import pack
from scoreproof.web.settings import Settings

CLAIMS = {
    "consistent": {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567", "sens": "0.9100"}},
    "inconsistent": {
        "title": "Table 2",
        "experiment": {"p": 100, "n": 200},
        "scores": {"acc": "0.9567", "sens": "0.8500", "spec": "97.50 %"},
    },
    "readings": {
        "experiment": {"p": 30, "n": 70},
        "scores": {"sens": "0.86", "acc": "0.89"},
        "rounding": "open",
    },
    "averaged": {
        "experiment": {"p": 20, "n": 30, "folds": 5, "stratified": True, "aggregate": "mean"},
        "scores": {"acc": "0.9000", "sens": "0.8500"},
    },
}
#: 1,901 readings of some tenths of a second each: minutes of work on any machine.
#: With the work of an ordinary check it ends within seconds; SLOWLY makes it last for a minute and more.
SLOW = {
    "experiment": {"total": 1900, "folds": 10, "aggregate": "mean"},
    "scores": {"mcc": "0.8500 ± 0.0301", "f1": "0.9312 ± 0.0002"},
}
SLOWLY = "high"
SLOW_PAGE = f"/claim?c={pack(SLOW)}&effort={SLOWLY}"


def through_cli(claim: dict[str, object]) -> dict[str, object]:
    result = CliRunner().invoke(cli, ["check", "-", "--json"], input=json.dumps(claim))
    found: dict[str, object] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize("name", CLAIMS)
def test_browser_command_line_python_and_api_give_the_same_json(client: httpx.Client, name: str) -> None:
    claim = CLAIMS[name]
    in_python = json.loads(json.dumps(scoreproof.check(claim).to_dict()))
    by_api = client.post("/api/check", json=claim).json()
    in_browser = client.get(f"/save/verdict.json?c={pack(claim)}").json()
    assert in_python == through_cli(claim) == by_api == in_browser
    assert client.post("/api/verify", json=by_api).json()["confirmed"] is True


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ('{"experiment": {"p": -1, "n": 2}, "scores": {"acc": "0.9"}}', "experiment.p"),
        ('{"experiment": {"p": 10, "n": 5}, "scores": {"acc": "x"}}', "scores.acc"),
        ('{"experiment": {"p": 10, "n": 5}, "scores": {"acurracy": "0.9"}}', "scores"),
        ('{"experiment": {"p": 10, "n": 5}}', "scores"),
        ('{"scores": ', "claim"),
        ("/etc/passwd", "scores"),
        ("", "scores"),
        ("[1, 2]", "claim"),
        ("\ufeffnull", "scores"),
    ],
)
def test_wrong_input_is_refused_with_one_sentence_that_names_the_field(
    client: httpx.Client, body: str, field: str
) -> None:
    answer = client.post("/api/check", content=body.encode())
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["field"] == field and len(error["message"].splitlines()) == 1
    assert "root:" not in answer.text


@pytest.mark.parametrize("query", ["timeout=0", "timeout=nan", "timeout=x", "first_fit=maybe"])
def test_wrong_parameters_are_refused(client: httpx.Client, query: str) -> None:
    answer = client.post(f"/api/check?{query}", json=CLAIMS["consistent"])
    assert answer.status_code == 422 and answer.json()["error"]["field"] == query.partition("=")[0]


def test_first_fit_stops_at_the_first_reading_that_fits(client: httpx.Client) -> None:
    found = client.post("/api/check?first_fit=true", json=CLAIMS["readings"]).json()
    assert found["verdict"] == "consistent" and found["untried"] > 0


def test_a_forged_verdict_is_not_confirmed(client: httpx.Client) -> None:
    verdict = client.post("/api/check", json=CLAIMS["inconsistent"]).json()
    assert client.post("/api/verify", json={**verdict, "verdict": "consistent"}).json()["confirmed"] is False
    assert client.post("/api/verify", content=b"/etc/passwd").status_code == 422


def test_the_description_names_every_address_of_the_api(client: httpx.Client) -> None:
    from scoreproof.web.app import make_app

    routes = [getattr(route, "path", "") for route in make_app().routes]
    described = client.get("/openapi.json").json()["paths"]
    assert {path for path in routes if path.startswith("/api/")} == set(described)


def test_unknown_addresses_and_methods_are_refused_in_json(client: httpx.Client) -> None:
    assert client.get("/api/nothing").json()["error"]["field"] == "request"
    assert client.get("/api/check").status_code == 405


def test_slow_claims_do_not_hold_up_the_others_and_end_when_nobody_waits() -> None:
    async def run(address: str) -> None:
        async with httpx.AsyncClient(base_url=address, timeout=600) as client:
            # More slow claims than there are processes: those that wait hold up no others either.
            place = f"/api/check?effort={SLOWLY}"
            slow = [asyncio.create_task(client.post(place, json=SLOW)) for _ in range(3)]
            for _ in range(8):
                answer = await client.post("/api/check", json=CLAIMS["consistent"])
                assert answer.status_code == 200
            assert not any(task.done() for task in slow)
            for task in slow:
                task.cancel()
            await asyncio.gather(*slow, return_exceptions=True)
            # Stopped with their connections: the slow lane is free for somebody else.
            answer = await client.post(f"{place}&timeout=1", json=SLOW, timeout=120)
            assert answer.json()["verdict"] == "undecided"

    with serving(Settings(timeout=300, workers=1, patience=0.2)) as address:
        asyncio.run(run(address))


def test_a_claim_that_cannot_be_stopped_politely_is_ended() -> None:
    """The limit of the server holds even where an engine does not look at the clock."""
    from scoreproof.web.work import Pool, Stopped

    async def run() -> None:
        pool = Pool(quick=1, slow=1, patience=0.1)
        await pool.open()
        try:
            with pytest.raises(Stopped):
                await pool.run(
                    {"do": "check", "with": {"claim": json.dumps(SLOW), "timeout": 900, "effort": SLOWLY}},
                    limit=1.0,
                )
            again = {"claim": json.dumps(CLAIMS["consistent"]), "timeout": 10}
            assert (await pool.run({"do": "check", "with": again}, limit=600))["answer"]["json"]["count"] == 1
        finally:
            await pool.close()

    asyncio.run(run())
