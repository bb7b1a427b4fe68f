"""Worker processes in two lanes.

Every job starts in the quick lane.  One that is not done after ``patience`` seconds of computing (not
of waiting for a busy machine, where the system tells the difference) moves over: its
process gets a lower priority and keeps running in the slow lane, and a fresh process takes its
place.  If the slow lane is full, the job is stopped and starts again when there is room.  So
jobs that take long wait for each other, never the others for them.  One process of the quick lane is
kept for jobs that are light by the look of them (one matrix), and one more stands by, warm.  What is known
to take minutes goes one by one through a lane of its own (``long``).
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

logger = logging.getLogger("scoreproof")

Notify = Callable[[Any], None]


#: Words in a job that may stand for many matrices, so for minutes of work.
HEAVY = (
    "folds",
    "parts",
    "one_of",
    "total",
    "prevalence",
    "dropped",
    "dataset",
    "classes",
    "labels",
    "support",
    "bundle",
    "samples",
)


def heavy(job: dict[str, Any]) -> bool:
    """Whether a job may take long, by the look of it; only who goes first depends on it."""
    if job["do"] in ("read", "verify", "table"):
        return False
    text = str(job["with"].get("claim", ""))
    return job["do"] in ("explain", "report") or any(word in text for word in HEAVY)


class Busy(Exception):
    """More is waiting than can be taken on."""


class Stopped(Exception):
    """The job took longer than it may, or its process died; the message says which."""


class _Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls) -> _Worker:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            # One process, one core: otherwise a single job could take them all.
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "scoreproof.web.work.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=environment,
        )
        worker = cls(process)
        try:
            await worker.receive()
        except BaseException:
            await worker.end()
            raise
        return worker

    async def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        try:
            head = await self.process.stdout.readexactly(4)
            data = await self.process.stdout.readexactly(int.from_bytes(head, "big"))
        except asyncio.IncompleteReadError:
            raise Stopped("needed more memory than a claim may take, or the process was ended") from None
        message: dict[str, Any] = json.loads(data)
        return message

    async def ask(self, job: dict[str, Any], notify: Notify | None) -> dict[str, Any]:
        assert self.process.stdin is not None
        data = json.dumps(job, ensure_ascii=False).encode("utf-8", "replace")
        try:
            self.process.stdin.write(len(data).to_bytes(4, "big") + data)
            await self.process.stdin.drain()
        except ConnectionError:
            raise Stopped("the process was ended") from None
        while "progress" in (message := await self.receive()):
            if notify is not None:
                notify(message["progress"])
        return message

    def computed(self) -> float | None:
        """Seconds the process has been computing; None where the system does not say."""
        try:
            with open(f"/proc/{self.process.pid}/stat", encoding="ascii", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError, AttributeError):
            return None

    def step_back(self) -> None:
        """Give way to the quick lane."""
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, self.process.pid, 10)

    async def end(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
        # The pipes are closed with their transport, not when somebody collects it.
        self.process._transport.close()  # type: ignore[attr-defined]


class Pool:
    """Runs jobs; see the module for the two lanes."""

    def __init__(self, quick: int = 2, slow: int = 2, patience: float = 1.0, most_waiting: int = 400) -> None:
        self.quick, self.slow, self.patience, self.most_waiting = quick, slow, patience, most_waiting
        self.waiting = 0
        self.idle: list[_Worker] = []
        self.all: set[_Worker] = set()
        self.spares: set[asyncio.Task[None]] = set()
        self.closed = False

    async def open(self) -> None:
        self.quick_lane = asyncio.Semaphore(self.quick)
        self.slow_lane = asyncio.Semaphore(self.slow)
        self.long_lane = asyncio.Semaphore(1)
        self.heavy_jobs = asyncio.Semaphore(max(1, self.quick - 1))
        self.idle += await asyncio.gather(*(self._start() for _ in range(self.quick + 1)))

    async def close(self) -> None:
        self.closed = True
        for task in tuple(self.spares):
            task.cancel()
        await asyncio.gather(*self.spares, return_exceptions=True)
        for worker in tuple(self.all):
            await self._end(worker)

    async def run(
        self, job: dict[str, Any], *, limit: float, notify: Notify | None = None, long: bool = False
    ) -> dict[str, Any]:
        """The answer of a worker to the job, within ``limit`` seconds of computing."""
        if self.waiting >= self.most_waiting or self.closed:
            raise Busy
        self.waiting += 1
        try:
            if long:
                return await self._slowly(self.long_lane, job, limit, notify)
            if not heavy(job):
                return await self._quickly(job, limit, notify)
            await self.heavy_jobs.acquire()
            return await self._quickly(job, limit, notify, self.heavy_jobs)
        finally:
            self.waiting -= 1

    async def _quickly(
        self, job: dict[str, Any], limit: float, notify: Notify | None, held: asyncio.Semaphore | None = None
    ) -> dict[str, Any]:
        """``held`` is a place among the heavy jobs, given back with the place in the quick lane."""
        try:
            await self.quick_lane.acquire()
        except BaseException:
            if held is not None:
                held.release()
            raise
        inside = True

        def leave() -> None:
            nonlocal inside
            inside = False
            self.quick_lane.release()
            if held is not None:
                held.release()

        worker = None
        task = None
        try:
            worker = self.idle.pop() if self.idle else await self._start()
            task = asyncio.create_task(worker.ask(job, notify))
            if await self._soon(worker, task, limit):
                answer = task.result()
                self.idle.append(worker)
                worker = None
                return answer
            if limit <= self.patience:
                raise Stopped(f"was stopped after {limit:.3g} seconds")
            if self.slow_lane.locked():
                await self._drop(worker, task)
                worker = task = None
                leave()
                return await self._slowly(self.slow_lane, job, limit, notify)
            async with self.slow_lane:
                worker.step_back()
                self._prepare_spare()
                leave()
                return await self._rest(task, limit - self.patience)
        finally:
            if inside:
                leave()
            if worker is not None:
                await self._drop(worker, task)

    async def _soon(self, worker: _Worker, task: asyncio.Task[Any], limit: float) -> bool:
        """Whether the job is done before it counts as slow."""
        clock = asyncio.get_running_loop().time
        until = clock() + limit
        before = worker.computed()
        while True:
            wait = min(self.patience, until - clock())
            done, _ = await asyncio.wait({task}, timeout=max(wait, 0.0))
            now = worker.computed()
            if done or before is None or now is None or now - before >= 0.8 * self.patience or clock() >= until:
                return bool(done)

    async def _slowly(
        self, lane: asyncio.Semaphore, job: dict[str, Any], limit: float, notify: Notify | None
    ) -> dict[str, Any]:
        async with lane:
            worker = await self._start()
            worker.step_back()
            task = asyncio.create_task(worker.ask(job, notify))
            try:
                return await self._rest(task, limit)
            finally:
                await self._drop(worker, task)

    async def _rest(self, task: asyncio.Task[dict[str, Any]], limit: float) -> dict[str, Any]:
        done, _ = await asyncio.wait({task}, timeout=limit)
        if not done:
            raise Stopped(f"was stopped after {limit:.0f} seconds")
        return task.result()

    # -- processes -------------------------------------------------------------

    async def _start(self) -> _Worker:
        worker = await _Worker.start()
        self.all.add(worker)
        if self.closed:
            await self._end(worker)
            raise Busy
        return worker

    def _prepare_spare(self) -> None:
        """Start a process in the background, so that the next job need not wait for it."""

        async def spare() -> None:
            worker = await self._start()
            self.idle.append(worker)

        task = asyncio.create_task(spare())
        self.spares.add(task)
        task.add_done_callback(self.spares.discard)

    async def _drop(self, worker: _Worker, task: asyncio.Task[Any] | None) -> None:
        if task is not None:
            task.cancel()
        await asyncio.shield(self._end(worker))
        if task is not None:
            await asyncio.gather(task, return_exceptions=True)
        if len(self.idle) + len(self.spares) <= self.quick and not self.closed:
            self._prepare_spare()

    async def _end(self, worker: _Worker) -> None:
        self.all.discard(worker)
        if worker in self.idle:
            self.idle.remove(worker)
        await worker.end()
