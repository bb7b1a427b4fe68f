"""From a request to a worker and back.

Work that pages wait for is started once, waited for by any number of requests, and stopped on demand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from scoreproof.web.links import Asked
from scoreproof.web.settings import Settings
from scoreproof.web.work import Busy, Pool, Stopped

#: Finished work that is kept, so that a page and its downloads need no second computation.
KEPT = 128
#: Seconds after which work is stopped that no page has asked for.
FORGOTTEN = 30.0

Found = dict[str, Any]
Notify = Callable[[Any], None]


class Refused(HTTPException):
    """Something that gets no answer: an HTTP status, the field that is wrong, and the reason."""

    def __init__(self, status: int, field: str, message: str) -> None:
        super().__init__(status, message, {"retry-after": "2"} if status == 429 else None)
        self.field = field


class Unfit(Refused):
    """Input that is wrong."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(422, field, message)


@dataclass(slots=True, eq=False)
class Job:
    """Something that is being computed, or was."""

    name: str
    kind: str  # what is being computed, such as "check"
    about: Asked
    task: asyncio.Task[Found]
    started: float
    seen: float
    patience: float  # seconds after which it is stopped if no page has asked for it
    progress: Any = None

    @property
    def running(self) -> bool:
        return not self.task.done()

    def answer(self) -> Found:
        """What was found, or Refused."""
        if self.task.cancelled():
            raise Unfit("claim", "the work was stopped; check again to start anew")
        return self.task.result()


class Working(Exception):
    """The job is not done yet."""

    def __init__(self, job: Job) -> None:
        self.job = job


class Desk:
    """The processes that compute, and the jobs by name."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pool = Pool(quick=settings.workers, slow=settings.workers, patience=settings.patience)
        self.jobs: dict[str, Job] = {}

    async def __aenter__(self) -> Desk:
        await self.pool.open()
        self.watch = asyncio.create_task(self._forget())
        return self

    async def __aexit__(self, *why: object) -> None:
        tasks = [self.watch, *(job.task for job in self.jobs.values())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.pool.close()

    async def compute(
        self, do: str, limit: float, notify: Notify | None = None, long: bool = False, **given: Any
    ) -> Found:
        """What a worker found out, or Refused."""
        try:
            message = await self.pool.run({"do": do, "with": given}, limit=limit, notify=notify, long=long)
        except Busy:
            raise Refused(429, "request", "too much is waiting already; try again in a moment") from None
        except Stopped as stopped:
            more = "say more about the set-up, or use the command line with more time"
            raise Unfit("claim", f"claim: {stopped}; {more}") from None
        if "error" in message:
            raise Unfit(**message["error"])
        if "bug" in message:
            words = f"scoreproof: an unexpected problem, please report the claim ({message['bug']})"
            raise Refused(500, "scoreproof", words)
        answer: Found = message["answer"]
        return answer

    def ask(self, kind: str, asked: Asked, **more: Any) -> Job:
        """The job that computes what a page of this kind shows."""
        timeout = self.settings.seconds(kind)
        limit = self.settings.hard_limit(2 * timeout if kind == "report" else timeout)
        given = {"claim": asked.text, "effort": asked.effort, "timeout": timeout, **more}
        return self.start(kind, asked, limit, given)

    def start(
        self, kind: str, about: Asked, limit: float, given: Found, patience: float = FORGOTTEN, **lane: bool
    ) -> Job:
        """The job of this kind about this claim, started if need be."""
        job = self.about(kind, about)
        now = asyncio.get_running_loop().time()
        if job is not None and (job.running or not (job.task.cancelled() or job.task.exception())):
            self.jobs[job.name] = self.jobs.pop(job.name)  # to the end
            job.seen = now
            return job

        def notify(progress: Any) -> None:
            made.progress = progress

        task = asyncio.create_task(self.compute(kind, limit, notify, **lane, **given))
        # A job nobody came back for must not complain when it is thrown away.
        task.add_done_callback(lambda task: task.cancelled() or task.exception())
        made = self.jobs[_name(kind, about)] = Job(_name(kind, about), kind, about, task, now, now, patience)
        for old in [each for each in self.jobs.values() if not each.running][: max(0, len(self.jobs) - KEPT)]:
            del self.jobs[old.name]
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

    async def found(self, job: Job, seconds: float) -> Found:
        """What the job found; Working if it takes longer than that."""
        if not await self.wait(job, seconds):
            raise Working(job)
        return job.answer()

    async def _forget(self) -> None:
        while True:
            await asyncio.sleep(FORGOTTEN / 6)
            now = asyncio.get_running_loop().time()
            for job in self.jobs.values():
                if job.running and now - job.seen > job.patience:
                    job.task.cancel()


def _name(kind: str, about: Asked) -> str:
    return sha256(f"{kind}\n{about.effort}\n{about.text}".encode("utf-8", "replace")).hexdigest()[:24]


def desk_of(request: Request) -> Desk:
    desk: Desk = request.state.desk
    return desk


async def while_connected(request: Request, work: Coroutine[Any, Any, Found]) -> Found:
    """What the work finds, stopped when the one who asked goes away."""
    tasks = asyncio.create_task(work), asyncio.create_task(_gone(request))
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not tasks[0].done():
            raise Refused(499, "request", "stopped, since nobody waits for the answer any more")
        return tasks[0].result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _gone(request: Request) -> Found:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    return {}
