"""Every example in the README and the documentation is executed, and says what it prints."""

from __future__ import annotations

import doctest
import re
import shlex
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from scoreproof.cli import cli

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PROSE = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
FILES = ("toml", "json", "csv", "text")  # a block of these with a name is a file of the page's examples
#: Languages whose blocks are executed; those of R by the R package's own tests, where R is installed.
EXECUTED = ("console", "python", "r")
BLOCK = re.compile(r"^```(\w+)(?: ([^\n]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def clean(text: str) -> str:
    text = re.sub(
        r"\b(made|replayed) by scoreproof [\d.]+", r"\1 by scoreproof", text
    )  # whichever it is by now
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def run_console(block: str, page: str) -> None:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        words = shlex.split(command, comments=True)
        target = None
        if ">" in words:
            at = words.index(">")
            words, target = words[:at], words[at + 1]
        assert words[0] == "scoreproof", f"{page}: only scoreproof commands are executed: {command}"
        result = CliRunner().invoke(cli, words[1:], prog_name="scoreproof")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        if target is not None:
            Path(target).write_text(result.stdout, encoding="utf-8")
        else:
            assert clean(result.output) == clean(expected), f"{page}: {command}"


def called(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=called)
def test_examples_say_what_they_print(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # What is printed should not hang on how busy the machine is: the last-resort clock counts processor time.
    monkeypatch.setattr(time, "monotonic", time.process_time)
    scope: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    for number, (language, name, body) in enumerate(BLOCK.findall(page.read_text(encoding="utf-8"))):
        if language in FILES and name:
            Path(name).write_text(body, encoding="utf-8")
        elif language == "console":
            run_console(body, page.name)
        elif language == "python":
            test = doctest.DocTestParser().get_doctest(body, scope, f"{page.name}[{number}]", str(page), 0)
            assert test.examples, f"{page.name}: a python block without an example"
            runner.run(test, clear_globs=False)
            scope = test.globs
    assert runner.summarize(verbose=False).failed == 0


FENCE = re.compile(r"(?:^<!-- not run: ([^\n]+) -->\n)?^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PROSE, ids=called)
def test_every_block_is_executed_or_says_why_not(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for reason, head, body in FENCE.findall(text):
        language, _, name = head.partition(" ")
        if page in PAGES and (head in EXECUTED or (language in FILES and name)):
            assert not reason, f"{head}: is executed"
            if name:
                assert text.count(name) > 1, f"{name}: is never used"
        else:
            assert len(reason.split()) > 2, f"neither executed nor said why: {head} {body[:60]}"


def test_docstring_examples() -> None:
    import importlib
    import pkgutil

    import scoreproof

    attempted = doctest.testmod(scoreproof, raise_on_error=True).attempted
    for module in pkgutil.walk_packages(scoreproof.__path__, "scoreproof."):
        if module.name.endswith("__main__"):
            continue
        result = doctest.testmod(importlib.import_module(module.name))
        assert result.failed == 0, module.name
        attempted += result.attempted
    assert attempted > 10


def test_every_public_name_and_command_is_documented() -> None:
    import scoreproof

    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    missing = [name for name in scoreproof.__all__ if not re.search(rf"\b{name}\b", text)]
    missing += [f"scoreproof {name}" for name in cli.list_commands(None) if f"scoreproof {name}" not in text]
    assert not missing
