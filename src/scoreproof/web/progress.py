"""Work that goes on: how far it is, for people and for scripts, and the means to stop it or start it again."""

from __future__ import annotations

import asyncio
from math import ceil
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from scoreproof.web.api import as_json
from scoreproof.web.desk import KEEP, Died, Job, Refused, Working, desk_of
from scoreproof.web.pages import page
from scoreproof.web.uploads import name_of

#: What is being done, by the kind of job; {} stands for the name of what was sent.
DOING = {
    "check": "Checking the claim",
    "explain": "Looking for what may have happened",
    "reconstruct": "Finding the range of every score",
    "report": "Putting the report together",
    "bundle": "Trying every evaluation",
    "batch": "Checking the rows of {}",
    "review": "Finding the tables of {}",
    "document": "Scanning {}",
    "study": "Looking for the tables",
    "aggregate": "Averaging the folds",
    "power": "Making up papers, and checking them",
    "simulate": "Cross-validating again and again",
    "cases": "Checking the published cases",
    "verify": "Following the proof",
}
#: Where jobs are shown whose page is found by their name.
PAGES = {"batch": "batch", "review": "review", "document": "scan", "verify": "verify"}
#: Seconds that a stopped job is waited for before its page is shown.
SOON = 2.5


def doing(job: Job) -> str:
    return DOING.get(job.kind, "Working").format(name_of(job))


def here(job: Job) -> str:
    """The address of the page that shows what is found."""
    if job.kind in PAGES:
        return f"/{PAGES[job.kind]}/{job.name}"
    return job.address or (f"/result/{job.name}" if job.kind == "check" else f"/{job.kind}?{job.about.query()}")


def in_words(seconds: float) -> str:
    """Seconds to come, no more exact than anybody can know.

    >>> [in_words(each) for each in (3, 31.5, 80, 3600, 9000)]
    ['a few seconds', '40 s', '2 min', '60 min', '3 h']
    """
    if seconds <= 5:
        return "a few seconds"
    if seconds <= 60:
        return f"{10 * ceil(seconds / 10)} s"
    return f"{ceil(seconds / 60)} min" if seconds <= 3600 else f"{ceil(seconds / 3600)} h"


def time_left(job: Job) -> str:
    """The time that is left in words; empty where nobody can tell."""
    left = job.left()
    if left is None:
        return ""
    seconds, all_of_it = left
    return f"at most {in_words(seconds)} more" if all_of_it else f"about {in_words(seconds)} left"


def passed(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole} s so far" if whole < 120 else f"{whole // 60} min {whole % 60} s so far"


def told(job: Job) -> dict[str, Any]:
    """How far the work is, for a script."""
    state, progress = job.state, job.progress or {}
    done, total = progress.get("done"), progress.get("total")
    left = job.left() if state == "running" else None
    words = progress.get("words") or ("waiting for other work to be done" if state == "waiting" else "")
    if state == "stopping":
        words = "stopping; what is done is kept"
    said = [words, passed(job.seconds), time_left(job) if state == "running" else ""]
    message = ""
    if not job.running:
        try:
            job.answer()
        except Refused as refused:
            message = refused.detail
    return {
        "format": 1,
        "job": job.name,
        "kind": job.kind,
        "doing": doing(job),
        "state": state,
        "running": job.running,
        "done": done,
        "total": total,
        "percent": int(100 * done / total) if done and total else None,
        "words": words,
        "seconds": round(job.seconds, 1),
        "left": None if left is None else round(left[0]),
        "left_words": time_left(job) if state == "running" else "",
        "says": ", ".join(word for word in said if word),
        "message": message,
        "result": here(job),
        "stop": f"/jobs/{job.name}/stop",
        "again": f"/jobs/{job.name}/again",
    }


async def waiting(request: Request, error: Exception) -> Response:
    """The page that says that a job is still running."""
    assert isinstance(error, Working)
    job = error.job
    if request.method == "GET":
        job.address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return page("waiting", 202, job=told(job), kept=in_words(KEEP))


def ended_badly(error: Died) -> Response:
    """The page that says what became of a job, and offers to try it again."""
    job = error.job
    again, back = "", "/"
    if job is not None:
        # What was sent is gone with its job, and has to be sent again.
        back = f"/{PAGES[job.kind]}" if job.kind in PAGES else "/"
        again = "" if job.kind in PAGES else f"/jobs/{job.name}/again"
    return page("error", error.status_code, message=error.detail, again=again, back=back)


def _named(request: Request) -> Job:
    job = desk_of(request).get(request.path_params["name"])
    if job is None:
        raise Refused(404, "job", "this work is no longer kept; start it again")
    return job


async def look(request: Request) -> Response:
    """How far a job is; a browser is sent to its page."""
    job = _named(request)
    if "text/html" in request.headers.get("accept", ""):
        return RedirectResponse(here(job), 303)
    return as_json(told(job))


async def stop(request: Request) -> Response:
    """Stop a job, which keeps what is done."""
    job = _named(request)
    desk_of(request).stop(job)
    await asyncio.wait({job.task}, timeout=SOON)
    return RedirectResponse(here(job), 303)


async def again(request: Request) -> Response:
    """Forget how a job ended, so that its page starts it anew."""
    job = _named(request)
    if job.kind in PAGES:  # what was sent is gone with the work, and what was found is not to be
        return RedirectResponse(f"/{PAGES[job.kind]}", 303)
    desk_of(request).drop(job)
    if job.kind == "check":  # its page may know it by name alone
        address, job = here(job), desk_of(request).ask("check", job.about, html=True)
        job.address = job.address or address
    return RedirectResponse(here(job), 303)


ROUTES = [
    Route("/jobs/{name}", look),
    Route("/jobs/{name}/stop", stop, methods=["POST"]),
    Route("/jobs/{name}/again", again, methods=["POST"]),
]
