"""A form and its answer on one page: what is asked stands in the address, which can be kept and sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scoreproof.web.desk import Found, Job, Unfit, desk_of
from scoreproof.web.form import Form
from scoreproof.web.links import Asked
from scoreproof.web.pages import WAIT, attachment, page
from scoreproof.web.settings import LONG, STUDY_TIMES
from scoreproof.web.tools.fields import Field, form_of, read_all, refuse

Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its address, the job that does it, what it asks for, and how its answer is shown."""

    name: str
    job: str
    fields: tuple[Field, ...]
    wish: Callable[[Values, Form], Values]  # what the job is asked; it may complain
    view: Callable[[Found, Values], Mapping[str, Any]]  # what the page shows of the answer
    examples: tuple[tuple[str, Mapping[str, str]], ...] = ()
    effort: bool = True  # whether the job takes one

    @property
    def links(self) -> list[tuple[str, str]]:
        """The examples: words, and the address of each with its answer."""
        return [(words, f"/{self.name}?{urlencode({**said, 'go': '1'})}") for words, said in self.examples]

    @property
    def routes(self) -> list[Route]:
        return [Route(f"/{self.name}", self.look), Route(f"/{self.name}/rows.csv", self.save)]

    def show(self, form: Form, status: int = 200, **more: Any) -> Response:
        fields = {field.name: field for field in self.fields}
        return page(
            f"tools/{self.name}", status, tool=self, form=form, asked=fields, here=f"/{self.name}", **more
        )

    async def look(self, request: Request) -> Response:
        form = form_of(self.fields, request.query_params)
        if "go" not in request.query_params:
            return self.show(form, found=None)
        wish = self.wish(read_all(self.fields, form), form)
        if form.errors:
            return self.show(form, 422, found=None)
        try:
            job = self.start(request, wish)
            found = await desk_of(request).found(job, WAIT)
        except Unfit as refused:
            refuse(self.fields, form, refused.field, refused.detail)
            return self.show(form, 422, found=None)
        return self.show(form, job=job, found=self.view(found, wish), query=request.url.query)

    def start(self, request: Request, wish: Values) -> Job:
        """The job that finds the answer."""
        desk = desk_of(request)
        timeout = desk.settings.seconds(self.job)
        text = json.dumps(wish, ensure_ascii=False)
        given: Values = {"claim": text, "timeout": timeout}
        if self.effort:
            given["effort"] = "normal"
        limit = desk.settings.hard_limit(timeout, self.job)
        most = STUDY_TIMES * timeout if self.job in LONG else timeout
        return desk.start(self.job, Asked(f"{self.name}\n{text}"), limit, given, most=most)

    async def save(self, request: Request) -> Response:
        """The rows of the answer, to be saved."""
        form = form_of(self.fields, request.query_params)
        wish = self.wish(read_all(self.fields, form), form)
        if form.errors:
            raise Unfit(*next(iter(form.errors.items())))
        job = self.start(request, wish)
        while not await desk_of(request).wait(job, 5):
            pass  # the job has its own limit
        found = job.answer()
        return attachment(f"{self.name}.csv", "text/csv; charset=utf-8", found["csv"])
