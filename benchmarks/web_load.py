"""Many users of the page at once, beside claims that take long.

    python benchmarks/web_load.py --users 50 --seconds 60 --slow 4

Each user checks random claims about one matrix, mostly through the JSON API and at times on the pages, with a
short pause between them; others keep asking for claims that run into the time limit, and one sends a table of
such claims and looks how far it is until the end.  Printed are the number of answers, errors, how long the
one-matrix claims took, the memory of all processes, and what stands in the log beside a line for each request.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import subprocess
import sys
import tempfile
import time

import httpx

from scoreproof.web.links import pack

SLOW = {
    "experiment": {"total": 1900, "folds": 10, "aggregate": "mean"},
    "scores": {"mcc": "0.8500 ± 0.0301", "f1": "0.9312 ± 0.0002"},
}


def some_claim(rng: random.Random) -> dict[str, object]:
    """A claim about one matrix, with figures of a real one or one digit off."""
    p, n = rng.randint(20, 1000), rng.randint(20, 5000)
    tp, tn = rng.randint(p // 2, p), rng.randint(n // 2, n)
    digits = rng.choice([3, 4])
    values = {"acc": (tp + tn) / (p + n), "sens": tp / p, "spec": tn / n, "f1": 2 * tp / (p + tp + n - tn)}
    if rng.random() < 0.5:
        name = rng.choice(list(values))
        values[name] = max(0.0, values[name] - 10.0**-digits)
    return {"experiment": {"p": p, "n": n}, "scores": {k: f"{v:.{digits}f}" for k, v in values.items()}}


async def user(
    client: httpx.AsyncClient, seed: int, until: float, pause: float, took: list[float], bad: list[str]
) -> None:
    rng = random.Random(seed)
    await asyncio.sleep(rng.random() * pause)
    while time.monotonic() < until:
        start = time.monotonic()
        claim = some_claim(rng)
        try:
            if rng.random() < 0.75:
                answer = await client.post("/api/check", json=claim)
            else:
                answer = await client.get(f"/claim?c={pack(claim)}", headers={"accept": "text/html"})
                while answer.status_code == 202:  # as the page itself looks again
                    await asyncio.sleep(1)
                    answer = await client.get(f"/claim?c={pack(claim)}", headers={"accept": "text/html"})
            took.append(time.monotonic() - start)
            if answer.status_code != 200 or "consistent" not in answer.text:
                bad.append(f"{answer.status_code} {answer.text[:100]}")
        except httpx.HTTPError as error:
            bad.append(repr(error))
        await asyncio.sleep(pause * (0.5 + rng.random()))


async def slow_user(client: httpx.AsyncClient, until: float, seen: list[str]) -> None:
    while time.monotonic() < until:
        answer = await client.post("/api/check", json=SLOW)
        seen.append(answer.json().get("verdict", f"status {answer.status_code}"))


async def table_user(client: httpx.AsyncClient, until: float, bad: list[str], seen: list[str]) -> None:
    """Sends a table that takes longer than there is time, looks how far it is, and stops it."""
    rows = "total,folds,aggregate,mcc,f1\n" + "1900,10,mean,0.8500 ± 0.0301,0.9312 ± 0.0002\n" * 500
    page = await client.post("/batch", files={"file": ("slow.csv", rows.encode())})
    job = f"/jobs/{page.headers['location'].rpartition('/')[2]}"
    while time.monotonic() < until:
        answer = await client.get(job)
        if answer.status_code != 200 or not answer.json()["running"]:
            bad.append(f"table: {answer.status_code} {answer.text[:200]}")
            return
        await asyncio.sleep(1)
    seen.append(f"table: {answer.json()['says']}")
    await client.post(f"{job}/stop")
    while (state := (await client.get(job)).json()["state"]) == "stopping":
        await asyncio.sleep(0.5)
    seen.append(f"table {state}")


def weight(pid: int) -> float:
    """Megabytes of memory of a process and its children."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,rss"], capture_output=True, text=True, check=True).stdout
    rows = [tuple(map(int, line.split())) for line in listed.splitlines()[1:]]
    return sum(rss for own, parent, rss in rows if pid in (own, parent)) / 1024


async def load(address: str, users: int, slow: int, seconds: float, pause: float) -> None:
    took: list[float] = []
    bad: list[str] = []
    seen: list[str] = []
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=address, timeout=300, limits=limits) as client:
        until = time.monotonic() + seconds
        slow_ones = [asyncio.create_task(slow_user(client, until, seen)) for _ in range(slow)]
        table = asyncio.create_task(table_user(client, until, bad, seen))
        await asyncio.gather(*(user(client, seed, until, pause, took, bad) for seed in range(users)))
        await table
        for task in slow_ones:
            task.cancel()
        ended = await asyncio.gather(*slow_ones, return_exceptions=True)
    trouble = [repr(each) for each in ended if isinstance(each, httpx.HTTPError)]
    ranks = statistics.quantiles(took, n=100)
    print(f"{users} users, {slow} with slow claims, one with a table, {seconds:.0f} s: {len(took)} answers")
    print(f"median {ranks[49]:.3f} s, p95 {ranks[94]:.3f} s, p99 {ranks[98]:.3f} s, longest {max(took):.3f} s")
    print(f"errors {len(bad)} {trouble or ''}; slow work: {len(seen)} ({', '.join(sorted(set(seen)))})")
    for each in bad[:5]:
        print(" ", each)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--users", type=int, default=50)
    options.add_argument("--slow", type=int, default=4)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--pause", type=float, default=2.0, help="seconds between the claims of a user")
    given = options.parse_args()
    command = [sys.executable, "-m", "scoreproof", "serve", "--port", "0", "--no-browser", "--log"]
    log = tempfile.TemporaryFile("w+")  # noqa: SIM115
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        assert server.stdout is not None
        address = next(word for word in server.stdout.readline().split() if word.startswith("http"))
        for _ in range(600):
            try:
                httpx.get(address, timeout=5)
                break
            except httpx.HTTPError:
                time.sleep(0.2)
        before = weight(server.pid)
        asyncio.run(load(address, given.users, given.slow, given.seconds, given.pause))
        print(f"memory of all processes: {before:.0f} MB before, {weight(server.pid):.0f} MB after")
        log.seek(0)
        lines = log.read().splitlines()
        odd = [line for line in lines if not line.endswith(" ms")]
        print(f"{len(lines)} lines in the log, {len(odd)} about something else than a request")
        for each in odd[:5]:
            print(" ", each)
    finally:
        server.terminate()
        server.wait(30)


if __name__ == "__main__":
    main()
