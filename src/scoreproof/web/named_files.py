"""Files of this machine that are named in the box instead of dropped on it, from a folder that was allowed."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from scoreproof.web import many, papers
from scoreproof.web.desk import Unfit, desk_of
from scoreproof.web.folder import opened_in
from scoreproof.web.form import Form
from scoreproof.web.uploads import Sent

#: A line that can only be the name of a file.
_NAMED = re.compile(r"(?:file://|~/|/|[A-Za-z]:[\\/]|\.{1,2}/)[^\n\r]*\.[A-Za-z0-9]{2,8}")
TABLES = (".csv", ".tsv", ".jsonl", ".xlsx", ".parquet")
CLOSED = "this page opens no files by their name: drop the file here, or start the page with --files FOLDER"


def named(text: str) -> str:
    """The name of a file, where the text is nothing else.

    >>> named(" file:///home/me/paper%201.tex "), named("accuracy 0.9/0.8")
    ('/home/me/paper 1.tex', '')
    """
    line = text.strip()
    if not _NAMED.fullmatch(line):
        return ""
    return unquote(urlsplit(line).path) if line.startswith("file://") else line


def opened(request: Request, name: str) -> Sent:
    """The file of that name, if it lies in the folder that was allowed; Unfit otherwise."""
    settings = desk_of(request).settings
    if not settings.files:
        raise Unfit("text", CLOSED)
    path, data = opened_in(settings, name, "text")
    return Sent("text", path.name, path.suffix.lower(), data)


async def read_whole(request: Request, form: Form, file: Sent) -> Response | None:
    """The page of the work about a file; None where its text is to be read like what was pasted."""
    if file.ending in (".json", ".toml"):
        form.text = file.data.decode("utf-8-sig", "replace")
        return None
    form.text = ""
    if file.ending in TABLES:
        job = await many.started(request, "batch", form, file)
        return many.show(form, request, 422) if job is None else RedirectResponse(f"/batch/{job.name}", 303)
    return RedirectResponse(f"/scan/{papers.started(request, form, file).name}", 303)
