"""`scoreproof mcp` as an assistant meets it: through the client of the protocol's own package, over stdio."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

import pytest
from campaign import share

import scoreproof
from command_line import run
from frozen.corpus import read
from reading.pasted_texts import LINES, MIXED, SENTENCES, TABLES
from scoreproof.cases import published
from scoreproof.reading.files import parse, read_file
from web.claims_of_all_kinds import KINDS

pytest.importorskip("mcp", reason="needs mcp (the extra mcp)")

from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters

CLASH = {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567", "sens": "0.8500"}}
PAPER = """We tested on 100 positives and 200 negatives.

| model | acc    | sens   |
|-------|--------|--------|
| A     | 0.9567 | 0.8500 |
| B     | 0.95   | 0.90   |
"""
Found = TypeVar("Found")
#: Seconds a claim may take: so many that work ends it, not the clock of a busy machine.
TIME = "900"
TOOLS = ["check", "explain", "reconstruct", "tables", "scan", "datasets", "verify"]


@dataclass(frozen=True)
class Answer:
    """What a tool said, and the findings it attached."""

    text: str
    refused: bool
    found: list[Any]
    addresses: list[str]


@dataclass(frozen=True)
class Assistant:
    """A client with a server of its own, in a thread that talks to it."""

    client: Client
    loop: asyncio.AbstractEventLoop

    def wait(self, work: Coroutine[Any, Any, Found]) -> Found:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(1000)

    def ask(self, tool: str, **arguments: Any) -> Answer:
        answer = self.wait(self.client.call_tool(tool, arguments))
        text, *links = answer.content
        read = [self.wait(self.client.read_resource(link.uri)).contents[0].text for link in links]
        return Answer(text.text, answer.is_error, [*map(json.loads, read)], [str(each.uri) for each in links])


@contextmanager
def started(*options: str) -> Iterator[Assistant]:
    made: Future[Assistant] = Future()
    over: list[asyncio.Event] = []

    async def talk() -> None:
        words = ["-m", "scoreproof", "mcp", *options]
        async with Client(
            StdioServerParameters(command=sys.executable, args=words, env=environment())
        ) as client:
            over.append(asyncio.Event())
            made.set_result(Assistant(client, asyncio.get_running_loop()))
            await over[0].wait()

    thread = Thread(target=lambda: asyncio.run(talk()))
    thread.start()
    try:
        found = made.result(120)
        yield found
        found.loop.call_soon_threadsafe(over[0].set)
    finally:
        thread.join(60)


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is allowed, beside a file that is not."""
    here = tmp_path_factory.mktemp("files")
    (here / "allowed" / "folder").mkdir(parents=True)
    (here / "allowed" / "paper.md").write_text(PAPER, encoding="utf-8")
    (here / "secret.md").write_text("secret", encoding="utf-8")
    (here / "allowed" / "link.md").symlink_to(here / "secret.md")
    return here / "allowed"


@pytest.fixture(scope="module")
def assistant(folder: Path) -> Iterator[Assistant]:
    with started("--files", str(folder), "--timeout", TIME) as found:
        yield found


def test_every_tool_is_listed_and_called_and_brings_its_finding(assistant: Assistant) -> None:
    """Short words of ours for the model; what the command line prints as JSON stands beside them."""
    verdict = scoreproof.check(CLASH)

    client, ask = assistant.client, assistant.ask
    listed = assistant.wait(client.list_tools()).tools
    assert [tool.name for tool in listed] == TOOLS
    for tool in listed:
        assert tool.annotations and tool.annotations.read_only_hint
        Draft202012Validator.check_schema(tool.input_schema)
    assert Draft202012Validator(listed[0].input_schema).is_valid({"claim": CLASH})
    assert not Draft202012Validator(listed[0].input_schema).is_valid({"claim": {"socres": {}}})
    assert sum(len(json.dumps(tool.input_schema)) for tool in listed) < 25_000  # a model reads them

    checked = ask("check", claim=CLASH)
    assert checked.text.startswith(verdict.sentence) and "rounding: nearest" in checked.text
    assert checked.found == [json.loads(run("check", "-", "--json", stdin=json.dumps(CLASH)).stdout)]
    assert len(checked.text) < 1000
    for about in (checked.found[0], checked.addresses[0], json.dumps(checked.found[0])):
        assert ask("verify", verdict=about, against=CLASH).text.startswith("Confirmed: inconsistent")
    other = {**CLASH, "scores": {"acc": "0.9567"}}
    assert ask("verify", verdict=checked.found[0], against=other).text.startswith("Refused")
    forged = {**checked.found[0], "certificate": None, "verdict": "consistent"}
    assert not ask("verify", verdict=forged).text.startswith("Confirmed")

    explained = ask("explain", claim=CLASH)
    assert explained.found[0]["paragraph"] in explained.text
    rebuilt = ask("reconstruct", text="accuracy 0.9567, 100 positives and 200 negatives", scores=["f1"])
    assert "f1: 0.93048" in rebuilt.text and "TP: 87 to 100" in rebuilt.text
    study = {"sens": "0.92 (0.84-0.97)", "spec": "0.88 (0.83-0.92)"}
    tables = ask("tables", scores=study, p=87)
    assert "clopper-pearson: 109 tables, TP 80" in tables.text
    words = ["tables", *(f"{name}={figure}" for name, figure in study.items()), "--p", "87", "--json"]
    assert tables.found == [json.loads(run(*words).stdout)]
    review = ask("tables", table="study,total,sens,spec\nLee,300,0.87,0.90\n")
    assert review.text.startswith("Lee: consistent; TP 7 to 253")

    for given in ({"name": "paper.md", "text": PAPER}, {"file": "paper.md"}):
        scanned = ask("scan", **given)
        assert scanned.text.startswith("1 table, 2 rows with scores; 1 fit, 1 clash")
        assert verdict.sentence in scanned.text
    assert "pima: " in ask("datasets", search="diabetes").text
    assert "p 268, n 500" in ask("datasets", name="pima").text

    pasted = ask("check", text="model,p,n,acc\nours,100,200,0.9567\ntheirs,100,200,0.9568\n")
    assert [each["verdict"] for each in pasted.found[0]["verdicts"]] == ["consistent", "inconsistent"]
    assert pasted.found[1:] == pasted.found[0]["verdicts"]  # each can be verified on its own
    beside = ask("check", text="accuracy 0.9568", known={"p": 100, "n": 200})
    assert beside.text.startswith("Inconsistent with 100 positives and 200 negatives")
    assert pasted.addresses[0] in {str(each.uri) for each in assistant.wait(client.list_resources()).resources}


def _deep(levels: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(levels):
        found = {"parts": [found]}
    return found


#: What a careless or hostile model may send, and a word of the sentence it gets.
HOSTILE: list[tuple[str, dict[str, Any], str]] = [
    ("check", {}, "give either claim"),
    ("check", {"claim": CLASH, "text": "acc 0.9"}, "give either claim"),
    ("check", {"clam": CLASH}, "did you mean 'claim'"),
    ("check", {"claim": [CLASH]}, "claim: expected an object"),
    ("check", {"claim": {**CLASH, "socres": {}}}, "scores"),
    ("check", {"claim": {"experiment": {"p": -1, "n": 2}, "scores": {"acc": "0.5"}}}, "p"),
    ("check", {"claim": {"experiment": {"p": 10**4000, "n": 2}, "scores": {"acc": "0.5"}}}, "too large"),
    ("check", {"claim": {"experiment": {"p": 1, "n": 2}, "scores": {"acc": "many"}}}, "acc"),
    ("check", {"claim": {"experiment": _deep(40), "scores": {"acc": "0.5"}}}, ""),
    ("check", {"claim": {"experiment": {"dataset": "x", "from": "/etc/passwd"}, "scores": {"acc": "1"}}}, ""),
    ("check", {"text": 5}, "text: expected text"),
    ("check", {"text": "/etc/passwd"}, ""),
    ("check", {"text": "x" * (2**20 + 1)}, "MiB"),
    ("check", {"text": "model,p,n,acc\n" + "a,10,20,0.9\n" * 101}, "more than 100"),
    ("check", {"claim": CLASH, "timeout": "soon"}, "timeout"),
    ("check", {"claim": CLASH, "timeout": -1}, "timeout"),
    ("check", {"claim": CLASH, "effort": 3}, "effort"),
    ("check", {"claim": CLASH, "effort": "endless"}, "effort"),
    ("check", {"claim": CLASH, "first_fit": "yes"}, "first_fit"),
    ("check", {"text": "acc 0.9", "known": 7}, "known: expected an object"),
    ("explain", {"claim": {"experiment": {"p": 1}}}, ""),
    ("check", {"claim": "{}"}, "claim: is an object like the claim file; a text"),
    ("reconstruct", {"claim": CLASH, "scores": "f1"}, "scores: expected a list"),
    ("reconstruct", {"claim": CLASH, "scores": ["f1", "fame"]}, "fame"),
    ("tables", {"scores": {"sens": "0.9 (0.8-0.95)"}, "p": "many"}, "p"),
    ("tables", {"scores": {"sens": "0.9 (0.8-0.95)"}, "p": 10**40}, "p"),
    ("tables", {"table": 3}, "table: expected the table as text"),
    ("tables", {"table": "a,acc\nx,0.9\n", "p": 3}, "p"),
    ("scan", {"text": PAPER}, "name: is missing"),
    ("scan", {"name": "paper.pdf", "base64": "///not base64"}, "base64"),
    ("scan", {"file": "../secret.md"}, "only files in"),
    ("scan", {"file": "/etc/passwd"}, "only files in"),
    ("scan", {"file": "link.md"}, "only files in"),
    ("scan", {"file": "none.md"}, "cannot be opened"),
    ("scan", {"file": "a\x00b"}, "cannot be opened"),
    ("scan", {"file": "folder"}, "is not a file"),
    ("scan", {"file": ["paper.md"]}, "file: expected the name"),
    ("scan", {"file": "paper.md", "text": PAPER}, "does not go together"),
    ("datasets", {"name": "../../etc"}, "dataset"),
    ("datasets", {"search": {"a": 1}}, "search: expected text"),
    ("datasets", {"search": "x" * 1000}, "search: more than 200"),
    ("datasets", {"search": "x", "name": "pima"}, "does not go together"),
    ("verify", {}, "verdict: is missing"),
    ("verify", {"verdict": "scoreproof://check/0123456789abcdef"}, "there is nothing at"),
    ("verify", {"verdict": "/etc/passwd"}, "verdict: expected a saved verdict"),
    ("verify", {"verdict": {"verdict": "inconsistent"}}, ""),
    ("check_all", {}, "there is no check_all"),
]


def test_hostile_arguments_are_refused_in_a_sentence_and_the_next_call_is_answered(
    assistant: Assistant,
) -> None:
    for tool, arguments, word in HOSTILE:
        answer = assistant.ask(tool, **arguments)
        assert answer.refused and word in answer.text, (tool, str(arguments)[:80], answer)
        assert "\n" not in answer.text and len(answer.text) < 500 and "Traceback" not in answer.text
        assert not answer.found
    with pytest.raises(MCPError, match="there is nothing at"):
        assistant.wait(assistant.client.read_resource("file:///etc/passwd"))
    assert assistant.ask("check", claim=CLASH).text.startswith("Inconsistent")


def test_what_no_client_would_send_does_not_end_the_server() -> None:
    """Lines on standard input that the protocol does not know, numbers that are none, nesting without end."""

    async def through() -> None:
        words = ["-m", "scoreproof", "mcp"]
        pipe = asyncio.subprocess.PIPE
        server = await asyncio.create_subprocess_exec(
            sys.executable, *words, stdin=pipe, stdout=pipe, stderr=pipe, env=environment(), limit=2**26
        )
        assert server.stdin and server.stdout

        async def send(line: str) -> None:
            assert server.stdin
            server.stdin.write(line.encode() + b"\n")
            await server.stdin.drain()

        async def called(number: int, arguments: str, tool: str = "check") -> dict[str, Any]:
            asked = f'"params":{{"name":"{tool}","arguments":{arguments}}}'
            await send(f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call",{asked}}}')
            while True:
                assert server.stdout
                message = json.loads(await asyncio.wait_for(server.stdout.readline(), 60))
                if message.get("id") == number:
                    return dict(message)

        about = '"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}'
        await send(f'{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{{about}}}}}')
        await asyncio.wait_for(server.stdout.readline(), 60)
        await send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
        await send("not JSON")
        await send('{"jsonrpc":"2.0","id":[],"method":7}')
        wrong = ('{"claim":{"experiment":{"p":NaN}}}', '{"claim":{"experiment":{"p":1e999}}}', '["claim"]')
        deep = ('{"claim":' + '{"a":' * levels + "1" + "}" * (levels + 1) for levels in (150, 400, 5000))
        for number, arguments in enumerate((*wrong, *deep, '{"text":"acc \\ud800 0.9"}'), 1):
            answer = await called(number, arguments)
            assert "error" in answer or answer["result"]["isError"], answer
            told = answer["error"]["message"] if "error" in answer else answer["result"]["content"][0]["text"]
            assert told and "Traceback" not in told
        closed = await called(8, json.dumps({"file": "paper.md"}), "scan")
        assert "no file may be opened" in closed["result"]["content"][0]["text"]
        answer = await called(9, json.dumps({"claim": CLASH}))
        assert answer["result"]["content"][0]["text"].startswith("Inconsistent with 100 positives")
        server.stdin.close()  # which ends it
        assert await asyncio.wait_for(server.wait(), 60) == 0

    asyncio.run(through())


# -- the same as on the command line ------------------------------------------------------------------


def claims() -> Iterator[dict[str, Any]]:
    """Claims of every kind, as a tool takes them: files that come along, texts as pasted, frozen ones."""
    kinds = [{"claim": claim} for claim, _ in KINDS.values()]
    texts = [{"text": text} for some in (SENTENCES[::2], MIXED[::2], LINES, TABLES[::2]) for text, _ in some]
    cases = [{"claim": parse(read_file(path))} for path in published().values()]
    frozen = sorted((each for each in read() if each.seconds < 0.5), key=lambda each: each.lot)
    rest = [{"claim": dict(each.claim)} for each in frozen[:200]]
    for several in zip_longest(kinds, texts, cases, rest):
        yield from filter(None, several)


def compared(assistant: Assistant, many: int) -> int:
    """Ask so many claims of the tool and of the command line; how many got a verdict."""
    decided = 0
    for given, _ in zip(claims(), range(many), strict=False):
        text = given["text"] if "text" in given else json.dumps(given["claim"])
        told = run("check", "-", "--json", "--timeout", TIME, stdin=text)
        answer = assistant.ask("check", **given)
        printed = json.loads(told.stdout)
        if told.exit_code == 2:
            assert answer.refused and answer.text == printed["error"]["message"], text
            continue
        decided += 1
        assert not answer.refused and answer.found[0] == printed, text
        for each in printed.get("verdicts", [printed])[:3]:
            assert each["sentence"][:1000] in answer.text
    return decided


def test_a_tool_finds_what_the_command_line_prints(assistant: Assistant) -> None:
    assert compared(assistant, 8) >= 6


@pytest.mark.campaign
def test_two_hundred_claims_are_answered_as_on_the_command_line(assistant: Assistant) -> None:
    many = share(200)
    assert compared(assistant, many) >= many * 0.8
