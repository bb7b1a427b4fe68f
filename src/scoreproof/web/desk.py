"""From a request to a worker and back.

Work that pages wait for is a job: started once, waited for by any number of requests, stopped on demand with
what it has until then, and kept for a while under its name.  A job that came to a bad end says so, and is
started again only if somebody asks for that.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from scoreproof.web.links import Asked
from scoreproof.web.settings import Settings
from scoreproof.web.work import Busy, Errand, Pool, Stopped

#: Finished work that is kept, so that a page and its downloads need no second computation: how many jobs,
#: how many bytes of answers, and for how many seconds after somebody looked at them.
KEPT = 128
MOST_BYTES = 256 * 2**20
KEEP = 3600.0
#: Seconds after which work gives way to other work that waits, if no page has asked for it.
FORGOTTEN = 30.0
#: Seconds of computing that work has to end with what it has, once it was asked to, and seconds in all.
GRACE, LONGEST_GRACE = 10.0, 120.0
#: Seconds from which on the time that is left is told from how far the work is.
TELLING = 2.0

#: The address of whoever sent the request that is being answered.
CLIENT: ContextVar[str] = ContextVar("client", default="")

Found = dict[str, Any]


class Refused(HTTPException):
    """Something that gets no answer: an HTTP status, the field that is wrong, and the reason."""

    def __init__(self, status: int, field: str, message: str) -> None:
        super().__init__(status, message, {"retry-after": "2"} if status == 429 else None)
        self.field = field


class Unfit(Refused):
    """Input that is wrong."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(422, field, message)


class Died(Refused):
    """Work that came to a bad end; ``job`` is set where a page may start it again."""

    job: Job | None = None

    def __init__(self, message: str, status: int = 422, field: str = "claim") -> None:
        super().__init__(status, field, message)


@dataclass(slots=True, eq=False)
class Job:
    """Something that is being computed, or was."""

    name: str
    kind: str  # what is being computed, such as "check"
    about: Asked
    task: asyncio.Task[Found]
    errand: Errand
    started: float
    seen: float
    patience: float  # seconds after which it gives way if no page has asked for it
    most: float | None = None  # seconds the work may take by its own clock
    long: bool = False  # known to take minutes
    address: str = ""  # of the page that shows what is found
    stopping: float | None = None  # when it was asked to stop
    ended: float | None = None
    sent: bool = False  # about a file that was sent, and is gone when it ends

    @property
    def running(self) -> bool:
        return not self.task.done()

    @property
    def state(self) -> str:
        """One of waiting, running, stopping, done, stopped (with what was done), refused and failed."""
        if self.running:
            began = self.errand.began is not None
            return "stopping" if self.stopping is not None else "running" if began else "waiting"
        error = None if self.task.cancelled() else self.task.exception()
        if self.task.cancelled() or isinstance(error, Died):
            return "failed"
        return "refused" if error is not None else "stopped" if self.stopped else "done"

    @property
    def stopped(self) -> bool:
        """Whether it was stopped, and what was found is what was found until then."""
        return bool(self.task.done() and not self.task.cancelled() and not self.task.exception()) and bool(
            self.task.result().get("stopped")
        )

    @property
    def turned_away(self) -> bool:
        """Whether there was no room for it."""
        error = None if self.running or self.task.cancelled() else self.task.exception()
        return isinstance(error, Refused) and error.status_code == 429

    @property
    def progress(self) -> Any:
        """How far the work is: ``done`` of ``total`` and the ``words`` for it; None where nobody can tell."""
        return self.errand.progress

    @property
    def seconds(self) -> float:
        """Seconds since it was asked for, up to its end."""
        return (asyncio.get_running_loop().time() if self.ended is None else self.ended) - self.started

    def left(self) -> tuple[float, bool] | None:
        """Seconds that it may still take, and whether that is all it may take; None where nobody can tell."""
        if self.errand.began is None:
            return None
        passed = asyncio.get_running_loop().time() - self.errand.began
        pace = self.errand.told - self.errand.began  # seconds for what is done
        found = self.progress or {}
        done, total = found.get("done", 0), found.get("total", 0)
        rest = None if self.most is None else max(self.most - passed, 0.0)
        # Nothing can be told from a pace that is lost: something takes longer than all before it.
        if found.get("steady") and 0 < done < total and TELLING <= passed < 2 * pace:
            guess = max(pace * total / done - passed, 0.0)
            return (guess, False) if rest is None or guess < rest else (rest, True)
        return None if rest is None else (rest, True)

    def answer(self) -> Found:
        """What was found, or Refused."""
        try:
            return self.task.result()
        except asyncio.CancelledError:
            error = Died(self._why_ended())
        except Died as died:
            error = died
        error.job = self
        raise error

    def _why_ended(self) -> str:
        after = f"after {self.seconds:.0f} seconds"
        if self.stopping is None:
            return f"It was ended {after}, since nobody looked at it and others waited."
        if (self.ended or self.stopping) - self.stopping < GRACE / 2:
            return f"It was stopped {after}, before it was begun."
        return f"It was stopped {after}, and did not hand over what was done until then."


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
        self.graces: set[asyncio.Task[None]] = set()
        self.under_way: Counter[object] = Counter()  # work by whoever asked for it

    async def __aenter__(self) -> Desk:
        await self.pool.open()
        self.watch = asyncio.create_task(self._forget())
        return self

    async def __aexit__(self, *why: object) -> None:
        tasks = [self.watch, *self.graces, *(job.task for job in self.jobs.values())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.pool.close()

    async def compute(
        self, do: str, limit: float, errand: Errand | None = None, long: bool = False, **given: Any
    ) -> Found:
        """What a worker found out, or Refused."""
        with self._counted(long):
            return await self._computed(do, limit, errand, long, given)

    async def _computed(self, do: str, limit: float, errand: Errand | None, long: bool, given: Found) -> Found:
        try:
            message = await self.pool.run({"do": do, "with": given}, limit=limit, errand=errand, long=long)
        except Busy:
            raise Refused(429, "request", "too much is waiting already; try again in a moment") from None
        except Stopped as stopped:
            more = "say more about the set-up, or use the command line with more time"
            raise Died(f"claim: {stopped}; {more}") from None
        if "error" in message:
            raise Unfit(**message["error"])
        if "bug" in message:
            words = f"scoreproof: an unexpected problem, please report the claim ({message['bug']})"
            raise Died(words, 500, "scoreproof")
        answer: Found = message["answer"]
        return {**answer, "stopped": True} if message.get("stopped") else answer

    @contextmanager
    def _counted(self, long: bool) -> Iterator[None]:
        """A piece of work, as one of those its client has under way."""
        client, most = CLIENT.get(), self.settings.most_under_way
        busy, lengthy = self.under_way[client], self.under_way[client, "long"]
        if most and (busy >= most or (long and lengthy >= self.settings.most_long)):
            words = f"{lengthy if long else busy} pieces of work that you asked for are not done yet"
            raise Refused(429, "request", f"{words}; wait for one of them, or stop it")
        names = [client, (client, "long")] if long else [client]
        self.under_way.update(names)
        try:
            yield
        finally:
            self.under_way.subtract(names)
            for name in names:
                if not self.under_way[name]:
                    del self.under_way[name]

    def ask(self, kind: str, asked: Asked, **more: Any) -> Job:
        """The job that computes what a page of this kind shows."""
        timeout = self.settings.seconds(kind)
        limit = self.settings.hard_limit(2 * timeout if kind == "report" else timeout)
        given = {"claim": asked.text, "effort": asked.effort, "timeout": timeout, **more}
        if asked.row is not None:
            given["row"] = asked.row
        return self.start(kind, asked, limit, given, most=(3 if kind == "report" else 1) * timeout)

    def start(
        self,
        kind: str,
        about: Asked,
        limit: float,
        given: Found,
        patience: float = FORGOTTEN,
        *,
        long: bool = False,
        most: float | None = None,
    ) -> Job:
        """The job of this kind about this claim, started if there is none; ``most`` is its own clock."""
        job = self.about(kind, about)
        loop = asyncio.get_running_loop()
        now = loop.time()
        if job is not None and not job.turned_away:
            self.jobs[job.name] = self.jobs.pop(job.name)  # to the end
            job.seen = now
            return job
        errand = Errand()
        task = asyncio.create_task(self.compute(kind, limit, errand, long, **given))
        made = Job(_name(kind, about), kind, about, task, errand, now, now, patience, most, long)

        def ended(task: asyncio.Task[Found]) -> None:
            made.ended = loop.time()
            # A job nobody came back for must not complain when it is thrown away.
            task.cancelled() or task.exception()

        task.add_done_callback(ended)
        self.jobs[made.name] = made
        self._keep_few()
        return made

    def stop(self, job: Job) -> None:
        """Ask the job to end with what it has; after a while it is ended without."""
        if not job.running or job.stopping is not None:
            return
        loop = asyncio.get_running_loop()
        job.stopping = loop.time()
        if job.errand.stop():
            task = asyncio.create_task(self._grace(job))
            self.graces.add(task)
            task.add_done_callback(self.graces.discard)
        else:
            job.task.cancel()  # nothing is begun

    async def _grace(self, job: Job) -> None:
        """End the job unless it ends by itself; on a busy machine it has as much to compute as on any other."""
        clock = asyncio.get_running_loop().time
        asked, before = clock(), job.errand.computed()
        while not await self.wait(job, 0.5):
            passed, now = clock() - asked, job.errand.computed()
            spent = passed if before is None or now is None else now - before
            if spent > GRACE or passed > LONGEST_GRACE:
                job.task.cancel()
                return

    def drop(self, job: Job) -> None:
        """Forget the job, so that it is started again when somebody asks."""
        if not job.running:
            self.jobs.pop(job.name, None)

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
            for job in tuple(self.jobs.values()):
                if job.running and now - job.seen > job.patience and self.pool.crowded(job.long):
                    job.task.cancel()
                if not job.running and now - job.seen > KEEP:
                    self.drop(job)
            self._keep_few()

    def _keep_few(self) -> None:
        """Forget what was found longest ago, where it is too much."""
        done = [each for each in self.jobs.values() if not each.running]
        size = sum(each.errand.size for each in done)
        for number, old in enumerate(done):
            if len(done) - number <= KEPT and size <= MOST_BYTES:
                break
            size -= old.errand.size
            self.drop(old)


def _name(kind: str, about: Asked) -> str:
    return sha256(f"{kind}\n{about.effort}\n{about.row}\n{about.text}".encode("utf-8", "replace")).hexdigest()[
        :24
    ]


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
