"""What is sent to be worked through at length: taken out of its form, and laid down while the work needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from uuid import uuid4

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from scoreproof.errors import shorten
from scoreproof.web.desk import Desk, Found, Job, Refused, Unfit, desk_of
from scoreproof.web.form import Form, typed
from scoreproof.web.links import Asked
from scoreproof.web.pages import attachment

#: Seconds after which such work gives way to other work of its kind, if nobody looks at it.
PATIENCE = 1800.0
#: Seconds a page waits before it says that the work goes on.
WAIT = 0.5


class Sent(NamedTuple):
    """What was sent: the field it stood in, what to call it, the end of its name, and its bytes."""

    field: str
    name: str
    ending: str
    data: bytes


async def sent(request: Request) -> tuple[Form, Sent | None]:
    """The form as it was sent, and the table or document in it: a file, or what was pasted, not both."""
    name, data = "", b""
    try:
        async with request.form(max_files=1, max_fields=60) as found:
            form = typed([(key, value) for key, value in found.multi_items() if isinstance(value, str)])
            file = found.get("file")
            if isinstance(file, UploadFile) and file.filename:
                name, data = file.filename, await file.read()
    except HTTPException:
        raise Unfit(
            "file", "the form could not be read; choose one file, or paste less, and send it again"
        ) from None
    pasted = form.table.strip()
    if name:
        if pasted:
            form.complain("table", "a file was chosen as well; empty this field, or choose no file")
        return form, Sent("file", name, Path(name).suffix.lower(), data)
    if pasted:
        ending = ".jsonl" if pasted.startswith("{") else ".txt"
        return form, Sent("table", "what was pasted", ending, form.table.encode("utf-8", "replace"))
    return form, None


class Folder:
    """A folder of the server's own: it goes away with the work, even if the process in it is ended."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.job: Job | None = None

    def lay(self, name: str, data: bytes) -> Path:
        (self.path / name).write_bytes(data)
        return self.path / name

    def begin(self, desk: Desk, kind: str, what: Sent, limit: float, given: Found) -> Job:
        """The work of this kind about what was sent, which has the folder until its end."""
        about = Asked(f"{shorten(what.name, 80)}\n{uuid4()}", given["effort"])
        self.job = desk.start(kind, about, limit, given, PATIENCE, long=True)
        self.job.sent = True
        return self.job


@contextmanager
def folder() -> Iterator[Folder]:
    """A folder for what was sent."""
    kept = TemporaryDirectory(prefix="scoreproof-", ignore_cleanup_errors=True)
    found = Folder(Path(kept.name))
    try:
        yield found
    finally:
        if found.job is None:
            kept.cleanup()
        else:
            found.job.task.add_done_callback(lambda task: kept.cleanup())


def name_of(job: Job) -> str:
    """What the job is about, as its sender calls it."""
    return job.about.text.partition("\n")[0]


def job_of(request: Request, kind: str) -> Job:
    """The job whose page this is."""
    job = desk_of(request).get(request.path_params["name"], kind)
    if job is None:
        raise Refused(404, "link", "what stood here is no longer kept; send it again")
    return job


async def found_of(request: Request, job: Job) -> Found:
    """What was found; Working if it takes longer."""
    return await desk_of(request).found(job, WAIT)


def saved(request: Request, kind: str, part: str, name: str, media: str) -> Response:
    """A part of what was found, to be kept as a file."""
    job = job_of(request, kind)
    if job.running:
        raise Unfit("file", "it is not done yet")
    return attachment(name, f"{media}; charset=utf-8", str(job.answer()[part]))
