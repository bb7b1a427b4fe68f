"""Worker processes in two lanes.

Every job starts in the quick lane.  One that is not done after ``patience`` seconds of computing (not
of waiting for a busy machine, where the system tells the difference) moves over: its
process gets a lower priority and keeps running in the slow lane, and a fresh process takes its
place.  If the slow lane is full, the job is stopped and starts again when there is room.  So
jobs that take long wait for each other, never the others for them.  One process of the quick lane is
kept for jobs that are light by the look of them (one matrix), and one more stands by, warm.  What is known
to take minutes goes one by one through a lane of its own (``long``).

Whoever waits holds an ``Errand``: it says how far the work is, and asks it to stop.  A process that is
asked ends at its next look at the clock, and answers with what it has.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any, Literal

Answer = dict[str, Any]

#: Words in a job that may stand for many matrices, so for minutes of work.
HEAVY = (
    "folds", "holdout", "parts", "one_of", "total", "prevalence", "dropped", "dataset", "classes", "labels",
    "support", "bundle", "samples",
)  # fmt: skip
#: Bytes of an answer that are read, at most.
LONGEST = 2**30


def heavy(job: dict[str, Any]) -> bool:
    """Whether a job may take long, by the look of it; only who goes first depends on it."""
    if job["do"] in ("read", "verify", "headings"):
        return False
    text = str(job["with"].get("claim", ""))
    return job["do"] in ("explain", "report") or any(word in text for word in HEAVY)


def packed(message: dict[str, Any]) -> bytes:
    """The message as a line: JSON has no line breaks of its own."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


class Busy(Exception):
    """More is waiting than can be taken on."""


class Stopped(Exception):
    """The job took longer than it may, or its process died; the message says which."""


class Errand:
    """One piece of work on its way: when a process began it, how far it is, and the means to stop it."""

    def __init__(self) -> None:
        self.worker: _Worker | None = None
        self.began: float | None = None
        self.told = 0.0  # when it was said last how far it is
        self.progress: Any = None
        self.size = 0  # bytes of the answer

    def taken(self, worker: _Worker | None) -> None:
        """A process has begun with it, or it waits (again)."""
        self.worker, self.progress = worker, None
        self.began = None if worker is None else asyncio.get_running_loop().time()

    def computed(self) -> float | None:
        """Seconds its process has been computing; None where nobody can tell."""
        return None if self.worker is None else self.worker.computed()

    def stop(self) -> bool:
        """Whether a process could be asked to end with what it has; else nothing is begun yet."""
        if self.worker is None or self.worker.process.stdin is None:
            return False
        with suppress(ConnectionError, RuntimeError):  # it is gone already
            self.worker.process.stdin.write(packed({"stop": True}))
        return True


class _Lane(asyncio.Semaphore):
    """Places in a lane; ``wanted`` is how many wait for one."""

    wanted = 0

    async def acquire(self) -> Literal[True]:
        self.wanted += 1
        try:
            return await super().acquire()
        finally:
            self.wanted -= 1


class _Worker:
    """One process, and what it was asked last."""

    process: Process
    task: asyncio.Task[Answer] | None = None
    quick = True
    received = 0  # bytes of the last message

    async def start(self) -> None:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            # One process, one core: otherwise a single job could take them all.
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }
        words = sys.executable, "-m", "scoreproof.web.work.worker"
        self.process = await asyncio.create_subprocess_exec(
            *words, stdin=PIPE, stdout=PIPE, env=environment, limit=LONGEST
        )
        try:
            await self._receive()
        except BaseException:
            await self.end()
            raise

    async def _receive(self) -> Answer:
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise Stopped("needed more memory than a claim may take, or the process was ended")
        message: Answer = json.loads(line)
        self.received = len(line)
        return message

    def ask(self, job: dict[str, Any], errand: Errand) -> asyncio.Task[Answer]:
        """The answer that is to come."""
        errand.taken(self)

        async def answer() -> Answer:
            assert self.process.stdin is not None
            try:
                self.process.stdin.write(packed(job))
                await self.process.stdin.drain()
            except ConnectionError:
                raise Stopped("the process was ended") from None
            while "progress" in (message := await self._receive()):
                errand.progress, errand.told = message["progress"], asyncio.get_running_loop().time()
            errand.size = self.received
            return message

        self.task = asyncio.create_task(answer())
        return self.task

    def computed(self) -> float | None:
        """Seconds the process has been computing; None where the system does not say."""
        try:
            with open(f"/proc/{self.process.pid}/stat", encoding="ascii", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError, AttributeError):
            return None

    def step_back(self) -> None:
        """Give way to the quick lane, for good."""
        self.quick = False
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, self.process.pid, 10)

    @property
    def fit(self) -> bool:
        """Whether it has answered and can be asked again."""
        task = self.task
        return self.quick and task is not None and task.done() and not (task.cancelled() or task.exception())

    async def end(self) -> None:
        if self.task is not None:
            self.task.cancel()
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
        # The pipes are closed with their transport, not when somebody collects it.
        self.process._transport.close()  # type: ignore[attr-defined]
        if self.task is not None:
            await asyncio.gather(self.task, return_exceptions=True)


class Pool:
    """Runs jobs; see the module for the two lanes."""

    def __init__(self, quick: int = 2, slow: int = 2, patience: float = 1.0, most_waiting: int = 400) -> None:
        self.quick, self.patience, self.most_waiting = quick, patience, most_waiting
        self.quick_lane, self.slow_lane = _Lane(quick), _Lane(slow)
        self.heavy_jobs, self.long_lane = _Lane(max(1, quick - 1)), _Lane(1)
        self.waiting = 0
        self.idle: list[_Worker] = []
        self.all: set[_Worker] = set()
        self.spares: set[asyncio.Task[None]] = set()
        self.closed = False

    async def open(self) -> None:
        await asyncio.gather(*(self._spare() for _ in range(self.quick + 1)))

    async def close(self) -> None:
        self.closed = True
        for task in tuple(self.spares):
            task.cancel()
        await asyncio.gather(*self.spares, return_exceptions=True)
        for worker in tuple(self.all):
            await self._end(worker)

    async def run(
        self, job: dict[str, Any], *, limit: float, errand: Errand | None = None, long: bool = False
    ) -> Answer:
        """The answer of a worker to the job, within ``limit`` seconds of computing."""
        if self.waiting >= self.most_waiting or self.closed:
            raise Busy
        errand = errand or Errand()
        self.waiting += 1
        try:
            answer = None if long else await self._quickly(job, limit, errand)
            if answer is not None:
                return answer
            async with self.long_lane if long else self.slow_lane, self._worker(fresh=True) as worker:
                worker.step_back()
                return await self._rest(worker.ask(job, errand), limit)
        finally:
            self.waiting -= 1
            errand.taken(None)

    async def _quickly(self, job: dict[str, Any], limit: float, errand: Errand) -> Answer | None:
        """The answer, even of a job that has moved over; None if there is no room in the slow lane."""
        async with AsyncExitStack() as everything:
            places = await everything.enter_async_context(AsyncExitStack())
            if heavy(job):
                await places.enter_async_context(self.heavy_jobs)
            await places.enter_async_context(self.quick_lane)
            worker = await everything.enter_async_context(self._worker())
            task = worker.ask(job, errand)
            if await self._soon(worker, task, limit):
                return task.result()
            if limit <= self.patience:
                raise Stopped(f"was stopped after {limit:.3g} seconds")
            if self.slow_lane.locked():
                errand.taken(None)
                return None
            async with self.slow_lane:
                worker.step_back()
                self._prepare_spare()
                await places.aclose()
                return await self._rest(task, limit - self.patience)

    async def _soon(self, worker: _Worker, task: asyncio.Task[Answer], limit: float) -> bool:
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

    async def _rest(self, task: asyncio.Task[Answer], limit: float) -> Answer:
        done, _ = await asyncio.wait({task}, timeout=limit)
        if not done:
            raise Stopped(f"was stopped after {limit:.0f} seconds")
        return task.result()

    @asynccontextmanager
    async def _worker(self, *, fresh: bool = False) -> AsyncIterator[_Worker]:
        """A process for one job; it is kept for another if it has answered, else ended."""
        worker = await self._start() if fresh or not self.idle else self.idle.pop()
        try:
            yield worker
        finally:
            if worker.fit:
                self.idle.append(worker)
            else:
                await asyncio.shield(self._end(worker))
                if len(self.idle) + len(self.spares) <= self.quick and not self.closed:
                    self._prepare_spare()

    async def _start(self) -> _Worker:
        worker = _Worker()
        await worker.start()
        self.all.add(worker)
        if self.closed:
            await self._end(worker)
            raise Busy
        return worker

    def crowded(self, long: bool) -> bool:
        """Whether others wait for the place that work of this kind has."""
        return bool((self.long_lane if long else self.slow_lane).wanted)

    async def _spare(self) -> None:
        self.idle.append(await self._start())

    def _prepare_spare(self) -> None:
        """Start a process in the background, so that the next job need not wait for it."""
        task = asyncio.create_task(self._spare())
        self.spares.add(task)
        task.add_done_callback(self.spares.discard)

    async def _end(self, worker: _Worker) -> None:
        self.all.discard(worker)
        if worker in self.idle:
            self.idle.remove(worker)
        await worker.end()
