"""Work that takes long: how far it is, what a stop keeps, and what is said of work that came to a bad end."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from served import finished, serving
from test_web_api import CLAIMS, SLOW, SLOW_PAGE, SLOWLY

from scoreproof.web.desk import Desk, Died
from scoreproof.web.links import Asked, pack, unpack
from scoreproof.web.progress import in_words, told
from scoreproof.web.settings import Settings

QUICK_ROWS = "".join(f"study {i},100,200,0.9567,,\n" for i in range(100))
SLOW_ROWS = "slow,,,0.8500 ± 0.0301,1900,10\n" * 100
HEADINGS = "study,p,n,acc,total,folds\n"


@pytest.fixture
def patient() -> Iterator[httpx.Client]:
    """A server on which slow claims take very long."""
    settings = Settings(timeout=600, workers=1, patience=0.2)
    with serving(settings) as address, httpx.Client(base_url=address, timeout=120) as client:
        yield client


def upload(client: httpx.Client, text: str) -> str:
    answer = client.post("/batch", files={"file": ("results.csv", text.encode(), "text/csv")})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def job_on(page: httpx.Response) -> str:
    """The address under which a script looks how far the work is."""
    assert page.status_code == 202
    found = re.search(r'data-job="(/jobs/\w+)"', page.text)
    assert found is not None
    return found.group(1)


def until(client: httpx.Client, job: str, *states: str) -> dict[str, Any]:
    end = time.monotonic() + 120
    while (said := client.get(job).json())["state"] not in states:
        assert time.monotonic() < end, said
        time.sleep(0.1)
    return dict(said)


def test_a_script_can_see_how_far_the_work_is(patient: httpx.Client) -> None:
    job = job_on(patient.get(SLOW_PAGE))
    said = until(patient, job, "running")
    assert said["kind"] == "check" and said["doing"] == "Checking the claim" and said["running"]
    assert said["seconds"] > 0 and 0 < said["left"] <= 600 and said["left_words"] == "at most 10 min more"
    assert said["result"] == SLOW_PAGE and said["left_words"] in said["says"]
    assert patient.get(job, headers={"accept": "text/html"}).headers["location"] == said["result"]
    assert patient.post(said["stop"]).headers["location"] == said["result"]
    until(patient, job, "stopped")


def test_a_stopped_table_keeps_the_rows_that_are_done(
    patient: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    slow = "study,p,n,acc,total,folds,aggregate,mcc,f1\n" + "".join(
        f"quick {i},100,200,{'0.9567' if i % 2 else '0.8512'},,,,,\n" for i in range(50)
    )
    slow += "slow,,,,1900,10,mean,0.8500 ± 0.0301,0.9312 ± 0.0002\n" * 50
    place = upload(patient, slow)
    job = job_on(patient.get(place))
    while (said := patient.get(job).json())["done"] != 50:
        time.sleep(0.1)
    assert said["total"] == 100 and said["percent"] == 50 and said["words"] == "50 of 100 rows checked"
    assert list(tmp_path.iterdir())
    patient.post(said["stop"])
    page = finished(patient, place).text
    assert not list(tmp_path.iterdir())  # what was uploaded is gone
    assert "Stopped after" in page and "not checked (50)" in page and "inconsistent (25)" in page
    assert "/again" not in page  # what was sent is gone, and a second try would lose what was found
    assert patient.post(f"{job}/again").headers["location"] == "/batch"
    rows = list(csv.DictReader(io.StringIO(patient.get(f"{place}/verdicts.csv").text)))
    assert [row["status"] for row in rows] == ["inconsistent", "consistent"] * 25 + ["not checked"] * 50
    assert until(patient, job, "stopped")["result"] == place


def test_a_stopped_explanation_has_what_was_found_until_then() -> None:
    claim = {
        "experiment": {"p": 244, "n": 262, "folds": 5, "stratified": True, "repeats": 2},
        "scores": {
            "acc": "0.9447 ± 0.01",
            "sens": "0.9139 ± 0.02",
            "spec": "0.8511 ± 0.02",
            "f1": "0.9301 ± 0.01",
        },
    }

    async def run() -> None:
        async with Desk(Settings(timeout=600, workers=1)) as desk:
            job = desk.ask("explain", Asked(json.dumps(claim), "high"), html=True)
            while job.running and "explanations tried" not in told(job)["words"]:
                await asyncio.sleep(0.05)
            desk.stop(job)
            assert told(job)["state"] == "stopping"
            found = await desk.found(job, 60)
            assert job.state == "stopped" and found["stopped"]
            said = found["json"]
            assert said["verdict"] == "inconsistent" and said["clashes"] and said["cut_short"]
            assert "cannot" in found["html"]

    asyncio.run(run())


def test_a_stop_before_the_work_began_keeps_nothing_and_says_so(patient: httpx.Client) -> None:
    first = upload(patient, HEADINGS + SLOW_ROWS)  # tables are checked one after the other
    second = upload(patient, HEADINGS + QUICK_ROWS)
    until(patient, job_on(patient.get(first)), "running")
    job = job_on(patient.get(second))
    assert patient.get(job).json()["state"] == "waiting"
    patient.post(f"{job}/stop")
    shown = patient.get(second)
    assert shown.status_code == 422 and "It was stopped after" in shown.text and 'href="/batch"' in shown.text
    patient.post(job_on(patient.get(first)) + "/stop")


def test_work_whose_process_died_is_started_again_only_on_demand() -> None:
    async def run() -> None:
        async with Desk(Settings(timeout=600, workers=1, patience=0.2)) as desk:
            job = desk.ask("check", Asked(json.dumps(SLOW), SLOWLY))
            while job.errand.worker is None:
                await asyncio.sleep(0.05)
            os.kill(job.errand.worker.process.pid, signal.SIGKILL)
            await desk.wait(job, 60)
            for _ in range(2):  # looking again changes nothing
                assert desk.ask("check", Asked(json.dumps(SLOW), SLOWLY)) is job
                with pytest.raises(Died, match="the process was ended") as died:
                    job.answer()
                assert died.value.job is job and told(job)["state"] == "failed"
            desk.drop(job)
            assert desk.ask("check", Asked(json.dumps(SLOW), SLOWLY)).running

    asyncio.run(run())


def the_one_that_computes() -> int:
    """The process among our workers that spends time."""

    def spent() -> dict[int, int]:
        listed = ["pgrep", "-P", str(os.getpid()), "-f", "web.work.worker"]
        found = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
        return {int(pid): int(Path(f"/proc/{pid}/stat").read_text().split()[13]) for pid in found}

    before = spent()
    while True:
        time.sleep(1)
        more = {pid: ticks - before.get(pid, ticks) for pid, ticks in spent().items()}
        if max(more.values()) >= 5:
            return max(more, key=lambda pid: more[pid])


def test_a_page_about_work_that_ended_badly_offers_to_try_again() -> None:
    with (
        serving(Settings(timeout=600, workers=1)) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        place = SLOW_PAGE
        job = job_on(client.get(place))
        until(client, job, "running")
        os.kill(the_one_that_computes(), signal.SIGKILL)
        assert until(client, job, "failed")["message"]
        shown = client.get(place)
        again = re.search(r'action="(/jobs/\w+/again)"', shown.text)
        assert shown.status_code == 422 and "the process was ended" in shown.text and again is not None
        assert client.post(again.group(1)).headers["location"] == place
        assert client.get(place).status_code == 202


def test_what_is_done_is_kept_for_those_who_come_back(client: httpx.Client) -> None:
    page = client.get(f"/claim?c={pack(CLAIMS['consistent'])}")
    assert page.status_code == 200
    assert client.get("/jobs/nothing").status_code == 404
    assert client.post("/jobs/nothing/stop").status_code == 404


def test_every_row_of_a_table_leads_to_its_claim(client: httpx.Client) -> None:
    text = "study,p,n,acc,sens\na,100,200,0.9567,0.9100\nb,100,200,0.9567,0.8512\nc,100,200,x,0.8512\n"
    page = finished(client, client.post("/batch", files={"file": ("results.csv", text.encode(), "text/csv")}))
    assert "not consistent (2)" in page.text and "inconsistent (1)" in page.text
    links = re.findall(r'href="(/claim\?c=[^"]+)">open&nbsp;row&nbsp;(\d)<', page.text)
    assert [number for _, number in links] == ["2", "3"]
    assert finished(client, links[0][0]).text.count("inconsistent")
    every = client.get(f"{page.url.path}?show=all").text
    codes = re.findall(r'href="/claim\?c=([^"]+)">open&nbsp;row&nbsp;(\d)<', every)
    assert [number for _, number in codes] == ["2", "3", "1"]  # those that fit last
    claim = json.loads(unpack(codes[2][0]))
    assert claim["experiment"] == {"p": 100, "n": 200} and claim["scores"]["sens"] == "0.9100"


def test_a_row_read_in_the_other_way_leads_to_the_claim_that_was_judged(client: httpx.Client) -> None:
    # In a column of percentages 0.91 may be a share; only that fits.
    text = "study,p,n,sens\na,100,200,85.00\nb,100,200,91.00\nc,100,200,0.91\n"
    page = finished(client, client.post("/batch", data={"table": text}, files={"x": ("", b"")}))
    every = client.get(f"{page.url.path}?show=all").text
    code = re.search(r'href="/claim\?c=([^"]+)">open&nbsp;row&nbsp;3<', every)
    assert code is not None and "consistent (3)" in every
    assert finished(client, f"/claim?c={code.group(1)}").text.count("inconsistent") == 0


def test_rows_end_in_carriage_returns_as_well(client: httpx.Client) -> None:
    with (
        serving(Settings(workers=1, most_rows=20)) as address,
        httpx.Client(base_url=address, timeout=60) as few,
    ):
        for end in ("\n", "\r", "\r\n"):
            text = end.join(["study,p,n,acc", *["a,100,200,0.9567"] * 21])
            answer = few.post("/batch", files={"file": ("t.csv", text.encode(), "text/csv")})
            assert answer.status_code == 422 and "more than 20 rows" in answer.text


def test_a_pasted_table_is_checked_like_a_file(client: httpx.Client) -> None:
    table = "study\tp\tn\tacc\na\t100\t200\t0.9567\nb\t100\t200\t0.8512"
    page = finished(client, client.post("/batch", data={"table": table}))
    assert "2 rows of what was pasted" in page.text and "inconsistent (1)" in page.text


def test_time_to_come_is_never_told_too_exactly() -> None:
    assert [in_words(each) for each in (0, 5.1, 59, 61, 3601)] == [
        "a few seconds",
        "10 s",
        "60 s",
        "2 min",
        "2 h",
    ]
