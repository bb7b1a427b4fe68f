"""Work that pages wait for: started once, waited for by any number of requests, stopped on demand."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from scoreproof.web.answers import Refused
from scoreproof.web.links import Asked

#: Finished work that is kept, so that a page and its downloads need no second computation.
KEPT = 128
#: Seconds after which work is stopped that no page has asked for.
FORGOTTEN = 30.0


@dataclass(slots=True, eq=False)
class Job:
    """Something that is being computed, or was."""

    name: str
    kind: str  # what is being computed, such as "check"
    about: Asked
    task: asyncio.Task[dict[str, Any]]
    started: float
    seen: float
    patience: float  # seconds after which it is stopped if no page has asked for it
    progress: Any = None

    @property
    def running(self) -> bool:
        return not self.task.done()

    def answer(self) -> dict[str, Any]:
        """What was found, or Refused."""
        if self.task.cancelled():
            raise Refused(422, "claim", "the work was stopped; check again to start anew")
        return self.task.result()


class Store:
    """The jobs by name."""

    def __init__(self) -> None:
        self.jobs: OrderedDict[str, Job] = OrderedDict()
        self.watch: asyncio.Task[None] | None = None

    def start(
        self,
        kind: str,
        about: Asked,
        work: Callable[[Callable[[Any], None]], Awaitable[dict[str, Any]]],
        patience: float = FORGOTTEN,
    ) -> Job:
        """The job of this kind about this claim, started if need be."""
        name = _name(kind, about)
        job = self.jobs.get(name)
        if job is not None and not job.task.cancelled() and not (job.task.done() and job.task.exception()):
            self.jobs.move_to_end(name)
            job.seen = asyncio.get_running_loop().time()
            return job
        now = asyncio.get_running_loop().time()

        def notify(progress: Any) -> None:
            made.progress = progress

        async def working() -> dict[str, Any]:
            return await work(notify)

        made = Job(name, kind, about, asyncio.create_task(working()), now, now, patience)
        made.task.add_done_callback(_looked_at)
        self.jobs[name] = made
        for old in [each for each in self.jobs.values() if not each.running][: max(0, len(self.jobs) - KEPT)]:
            del self.jobs[old.name]
        if self.watch is None:
            self.watch = asyncio.create_task(self._forget())
        return made

    def about(self, kind: str, about: Asked) -> Job | None:
        """The job of this kind about this claim, if there is one."""
        return self.jobs.get(_name(kind, about))

    def get(self, name: str, kind: str = "") -> Job | None:
        """The job of this name; None, too, where it is of another kind."""
        job = self.jobs.get(name)
        if job is None or (kind and job.kind != kind):
            return None
        job.seen = asyncio.get_running_loop().time()
        return job

    async def wait(self, job: Job, seconds: float) -> bool:
        """Whether the job is done within that time."""
        await asyncio.wait({job.task}, timeout=seconds)
        job.seen = asyncio.get_running_loop().time()
        return not job.running

    async def stop(self, job: Job) -> None:
        job.task.cancel()
        await asyncio.wait({job.task}, timeout=5)

    async def close(self) -> None:
        tasks = [job.task for job in self.jobs.values()] + ([self.watch] if self.watch else [])
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _forget(self) -> None:
        while True:
            await asyncio.sleep(FORGOTTEN / 6)
            now = asyncio.get_running_loop().time()
            for job in self.jobs.values():
                if job.running and now - job.seen > job.patience:
                    job.task.cancel()


def _name(kind: str, about: Asked) -> str:
    return sha256(f"{kind}\n{about.effort}\n{about.text}".encode("utf-8", "replace")).hexdigest()[:24]


def _looked_at(task: asyncio.Task[Any]) -> None:
    """A job nobody came back for must not complain when it is thrown away."""
    if not task.cancelled():
        task.exception()
