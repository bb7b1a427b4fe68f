"""A verdict from somebody else: replayed, held against one's own claim, and restated."""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from scoreproof.claim.fields import SPOKEN
from scoreproof.insight.display.dossier import CLAIM, VERDICT
from scoreproof.scores import SCORES
from scoreproof.web.desk import Found, Refused, Unfit, Working, desk_of
from scoreproof.web.form import Form
from scoreproof.web.links import Asked, pack
from scoreproof.web.pages import WAIT, page
from scoreproof.web.tools.fields import in_words

KIND = "verify"
#: A verdict about these figures, which none can have; as an example.
EXAMPLE = {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567", "sens": "0.8500", "spec": "0.9000"}}
#: Characters that are put back into a field beside its complaint.
MOST_BACK = 200_000
LABELS = {"verdict": "The verdict, as text", "file": "The verdict, as a file", "against": "The claim you hold"}


def show(form: Form, status: int = 200) -> Response:
    return page("tools/verify", status, form=form, labels=LABELS, shown=None, here="/verify")


async def ask(request: Request) -> Response:
    if "example" not in request.query_params:
        return show(Form(values={"verdict": "", "against": ""}))
    desk = desk_of(request)
    job = desk.ask("check", Asked(json.dumps(EXAMPLE)), html=True)
    found = await desk.found(job, WAIT)
    text = json.dumps(found["json"], ensure_ascii=False, indent=1)
    return show(Form(values={"verdict": text, "against": json.dumps(EXAMPLE, indent=1)}))


class Sent(NamedTuple):
    """What was sent: the two texts as typed, and the file if one was chosen."""

    verdict: str
    against: str
    file: bytes | None


async def sent(request: Request) -> Sent:
    try:
        most = desk_of(request).settings.largest_upload
        async with request.form(max_files=2, max_fields=10, max_part_size=most) as found:
            verdict, against = (str(found.get(name) or "").strip() for name in ("verdict", "against"))
            file = found.get("file")
            chosen = isinstance(file, UploadFile) and bool(file.filename)
            return Sent(
                verdict, against, await file.read() if isinstance(file, UploadFile) and chosen else None
            )
    except HTTPException:
        raise Unfit("file", "the form could not be read; choose the file again and send it again") from None


async def take(request: Request) -> Response:
    verdict, against, file = given = await sent(request)
    form = Form(values={"verdict": verdict[:MOST_BACK], "against": against[:MOST_BACK]})
    if file is not None and verdict:
        form.complain("verdict", "a file was chosen as well; empty this field, or choose no file")
    elif file is not None:
        try:
            verdict, packed = await asyncio.to_thread(opened, file)
            against = against or packed
        except ValueError as error:
            form.complain("file", str(error))
    elif not verdict:
        form.complain("file", "choose the file with the verdict, or paste its text below")
    if form.errors:
        return show(form, 422)
    desk = desk_of(request)
    mark = sha256(f"{verdict}\0{against}".encode("utf-8", "replace")).hexdigest()
    texts = {"claim": verdict, "against": against}
    job = desk.start(KIND, Asked(f"the verdict\n{mark}"), desk.settings.hard_limit(10), texts)
    try:
        await desk.found(job, WAIT)
    except Unfit as refused:
        place = "verdict" if given.verdict else "file"
        if refused.field.startswith("against") and given.against:
            place = "against"
        form.complain(place, refused.detail.removeprefix(f"{refused.field}: "))
        return show(form, 422)
    except Working:
        pass  # its page says so
    return RedirectResponse(f"/verify/{job.name}", 303)


def opened(data: bytes) -> tuple[str, str]:
    """The verdict in a file, and the claim beside it in a dossier; ValueError says what is wrong."""
    largest = 16 * 2**20
    try:
        if not data.startswith(b"PK"):
            return data.decode("utf-8-sig"), ""
        with ZipFile(io.BytesIO(data)) as archive:
            texts = []
            for name in (VERDICT, CLAIM):
                with archive.open(name) as file:
                    texts.append(file.read(largest + 1))
            if any(len(text) > largest for text in texts):
                raise ValueError("is too large when unpacked")
            return texts[0].decode("utf-8-sig"), texts[1].decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8 text; choose the verdict as it was saved") from None
    except (KeyError, BadZipFile, NotImplementedError, RuntimeError, EOFError):
        raise ValueError(f"is an archive without {VERDICT} and {CLAIM}; choose the verdict itself") from None


async def look(request: Request) -> Response:
    desk = desk_of(request)
    job = desk.get(request.path_params["name"], KIND)
    if job is None:
        raise Refused(404, "link", "this verdict is no longer kept; send it again")
    try:
        found = await desk.found(job, WAIT)
    except Unfit as refused:
        form = Form(values={"verdict": "", "against": ""})
        form.complain("verdict", refused.detail)
        return show(form, 422)
    return page(
        "tools/verify",
        form=Form(values={"verdict": "", "against": ""}),
        labels=LABELS,
        shown=_shown(found, desk.settings.longest_link),
        job=job,
        here="/verify",
    )


def _shown(found: Found, longest: int) -> dict[str, Any]:
    said, verdict = found["json"], found["verdict"]
    link = f"/claim?c={pack(verdict['claim'])}" if verdict["claim"] else ""
    state = "confirmed" if said["confirmed"] else "refused" if said["same_claim"] else "other"
    rows = [line.partition(": ") for line in said["about"]]
    return {
        **verdict,
        "state": state,
        "words": said["sentence"].partition(": ")[2],
        "about": [(what, WORDED.get(what, str)(rest)) for what, _, rest in rows if rest],
        "made": [line for line, _, rest in rows if not rest],
        "link": link if len(link) <= longest else "",
    }


def _named(figures: str) -> str:
    """The figures with the names of their scores."""
    return re.sub(
        r"(^|, )(\w+) = ",
        lambda part: f"{part[1]}{in_words(part[2]) if part[2] in SCORES else part[2]} ",
        figures,
    )


def _assumed(said: str) -> str:
    """What is assumed or stated about the figures, in the words of the form."""
    keys = {".".join(key.path): key for key in SPOKEN.values()}

    def words(part: re.Match[str]) -> str:
        key = keys.get(part[2])
        return f"{part[1]}{key.label}: {dict(key.choices).get(part[3], part[3])}" if key else part[0]

    return re.sub(r"(^|, )([\w.]+) = ([\w-]+)", words, said)


#: How lines that restate a verdict are worded for people.
WORDED: dict[str, Callable[[str], str]] = {"figures": _named, "assumptions": _assumed}

ROUTES = [
    Route("/verify", ask),
    Route("/verify", take, methods=["POST"]),
    Route("/verify/{name}", look),
]
