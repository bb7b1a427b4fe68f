"""The protocol: tools are listed and called, findings are listed and read."""

from __future__ import annotations

import asyncio
import json
import re
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp import MCPError
from mcp import types as protocol
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from scoreproof.errors import BadClaim, ScoreproofError, shorten
from scoreproof.mcp.answers import told
from scoreproof.mcp.kept import SCHEME, Kept, Shelf
from scoreproof.mcp.tools import TOOLS, Arguments, Job
from scoreproof.reading.datasets import dataset, known_datasets
from scoreproof.version import __version__
from scoreproof.web.desk import Desk, Refused, Unfit
from scoreproof.web.folder import opened_in
from scoreproof.web.settings import Settings
from scoreproof.web.work import Errand

INSTRUCTIONS = (
    "scoreproof decides in exact arithmetic whether printed scores can be true of the stated experiment. "
    "Give figures as text exactly as printed. Quote the sentence of a verdict as it stands, with what it "
    "assumes: it is the finding, and a summary in other words is not. 'Inconsistent' is about figures and "
    "description, never about people. The resource attached to an answer is the verdict with its proof; the "
    "tool verify replays it."
)
#: Verdicts of one text that get an address of their own.
MOST_LINKS = 20
#: Seconds between two words on how far the work is.
PACE = 1.0
CLOSED = "no file may be opened: send the text, or ask the user to allow a folder when the server is started"


class Assistant:
    """What one client may ask."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.settings = desk, desk.settings
        self.shelf = Shelf()

    async def call(
        self, context: ServerRequestContext[Any], asked: protocol.CallToolRequestParams
    ) -> protocol.CallToolResult:
        """What a tool finds; what cannot be answered is one sentence, marked as an error."""
        try:
            return await self._called(context, asked.name, asked.arguments or {})
        except ScoreproofError as error:
            message = str(error)
        except Refused as refused:
            field = f"{refused.field}: "
            message = refused.detail if refused.detail.startswith(field) else field + refused.detail
        return protocol.CallToolResult(content=[protocol.TextContent(text=message)], is_error=True)

    async def _called(
        self, context: ServerRequestContext[Any], name: str, arguments: Arguments
    ) -> protocol.CallToolResult:
        if name not in TOOLS:
            raise BadClaim("tool", f"there is no {shorten(name)}; there are {', '.join(TOOLS)}")
        if name == "scan":
            arguments = self._with_file(arguments)
        if name == "verify":
            arguments = self._with_verdict(arguments)
        job = TOOLS[name].ask(arguments)
        found = _listed(json.loads(job.about)) if job.do == "datasets" else await self._found(context, job)
        links = [_link(self.shelf.keep(name, f"{name}: the finding in full, with its proof", found))]
        several = found.get("verdicts", []) if isinstance(found, dict) else []
        for number, each in enumerate(several[:MOST_LINKS], 1):
            links.append(_link(self.shelf.keep(name, f"{name}: the verdict on claim {number}", each)))
        return protocol.CallToolResult(content=[protocol.TextContent(text=told(name, found)), *links])

    async def _found(self, context: ServerRequestContext[Any], job: Job) -> Any:
        """What a worker found out, within the limits of the page."""
        largest = (
            self.settings.largest_upload * 4 // 3 + 1000 if job.do == "scan" else self.settings.largest_body
        )
        if len(job.about) > largest:
            raise BadClaim("claim", f"more than {largest // 2**20} MiB; the command line takes more")
        given = {**job.more, "claim": job.about}
        timeout = self.settings.timeout
        if "timeout" in given:
            timeout = given["timeout"] = min(given["timeout"], self.settings.seconds(job.do))
        errand = Errand()
        limit = self.settings.hard_limit(timeout, job.do)
        work = asyncio.create_task(self.desk.compute(job.do, limit, errand, **given))
        told = 0
        try:
            while not (await asyncio.wait({work}, timeout=PACE))[0]:
                far = errand.progress
                if far and far["done"] > told:  # what is told may only grow
                    told = far["done"]
                    await context.session.report_progress(told, far["total"], far["words"])
            return work.result()["json"]
        finally:
            work.cancel()

    def _with_file(self, arguments: Arguments) -> Arguments:
        """The document that is named, if it may be opened, in place of its name."""
        if "file" not in arguments:
            if "name" not in arguments:
                raise BadClaim("name", "is missing: give name and text (or base64), or file")
            return arguments
        for other in ("name", "text", "base64"):
            if other in arguments:
                raise BadClaim("file", f"does not go together with {other}; keep one")
        name = arguments["file"]
        if not isinstance(name, str):
            raise BadClaim("file", "expected the name of a file")
        if not self.settings.files:
            raise Unfit("file", CLOSED)
        path, data = opened_in(self.settings, name, "file")
        rest = {key: value for key, value in arguments.items() if key != "file"}
        return {**rest, "name": path.name, "base64": b64encode(data).decode("ascii")}

    def _with_verdict(self, arguments: Arguments) -> Arguments:
        """The verdict that an address stands for, in its place."""
        address = arguments.get("verdict")
        if not isinstance(address, str) or not address.startswith(SCHEME):
            return arguments
        kept = self.shelf.get(address)
        if kept is None:
            raise BadClaim("verdict", _gone(address))
        return {**arguments, "verdict": kept.text}

    async def read(
        self, context: ServerRequestContext[Any], asked: protocol.ReadResourceRequestParams
    ) -> protocol.ReadResourceResult:
        """A finding in full."""
        kept = self.shelf.get(str(asked.uri))
        if kept is None:
            raise MCPError(protocol.INVALID_PARAMS, _gone(str(asked.uri)))
        text = protocol.TextResourceContents(uri=kept.address, mime_type="application/json", text=kept.text)
        return protocol.ReadResourceResult(contents=[text])

    async def listed(
        self, context: ServerRequestContext[Any], asked: protocol.PaginatedRequestParams | None
    ) -> protocol.ListResourcesResult:
        """The findings that are kept."""
        return protocol.ListResourcesResult(
            resources=[
                protocol.Resource(uri=kept.address, name=kept.title, mime_type="application/json")
                for kept in self.shelf.found.values()
            ]
        )


def _gone(address: str) -> str:
    return f"there is nothing at {shorten(address)} (any more); ask the tool again"


def _link(kept: Kept) -> protocol.ResourceLink:
    return protocol.ResourceLink(
        uri=kept.address,
        name=kept.title,
        mime_type="application/json",
        size=len(kept.text.encode("utf-8", "replace")),
    )


def _listed(wish: Arguments) -> Any:
    """One dataset, or those with some words."""
    if "name" in wish:
        return dataset(wish["name"]).to_dict()
    return [each.brief() for each in known_datasets(wish.get("search", ""))]


async def _tools(
    context: ServerRequestContext[Any], asked: protocol.PaginatedRequestParams | None
) -> protocol.ListToolsResult:
    harmless = protocol.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    return protocol.ListToolsResult(
        tools=[
            protocol.Tool(
                name=tool.name, description=tool.description, input_schema=tool.schema(), annotations=harmless
            )
            for tool in TOOLS.values()
        ]
    )


@asynccontextmanager
async def server_of(settings: Settings) -> AsyncIterator[Server[Any]]:
    """A server with processes that compute for it, which are ended afterwards."""
    async with Desk(settings) as desk:
        assistant = Assistant(desk)
        yield Server(
            "scoreproof",
            version=__version__,
            instructions=INSTRUCTIONS,
            on_list_tools=_tools,
            on_call_tool=assistant.call,
            on_list_resources=assistant.listed,
            on_read_resource=assistant.read,
        )


async def serve(settings: Settings) -> None:
    """Answer on standard output what is asked on standard input, until that ends."""
    async with server_of(settings) as server, stdio_server() as (incoming, outgoing):
        sent, received = anyio.create_memory_object_stream[SessionMessage | Exception](0)

        async def sieve() -> None:
            """Whoever sends what cannot be read gets an answer, too, instead of waiting for one."""
            async with sent:
                async for item in incoming:
                    await (outgoing.send(_unread(item)) if isinstance(item, Exception) else sent.send(item))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(sieve)
            await server.run(received, outgoing, server.create_initialization_options())
            tasks.cancel_scope.cancel()


def _unread(error: Exception) -> SessionMessage:
    """The answer to a line that is no message: not JSON, or nested deeper than any claim."""
    line = str(error.errors()[0].get("input", "")) if isinstance(error, ValidationError) else ""
    number = None
    try:
        found = json.loads(line)
        number = found.get("id") if isinstance(found, dict) else None
    except (ValueError, RecursionError):
        if match := re.match(r'\s*\{\s*"jsonrpc"\s*:\s*"2.0"\s*,\s*"id"\s*:\s*(\d{1,18})\s*[,}]', line):
            number = int(match[1])
    why = protocol.ErrorData(code=protocol.PARSE_ERROR, message="request: not JSON, or too deep to be handled")
    known = number if isinstance(number, int | str) and not isinstance(number, bool) else None
    return SessionMessage(protocol.JSONRPCError(jsonrpc="2.0", id=known, error=why))
