"""The trusted base: what a reader must believe in order to believe that a question has the answer it got.

It is `proof` with every module it imports, however indirectly: a question (parts, figures as exact intervals)
and a certificate or a witness go in, yes or no comes out.  What stands there is small, plain and visible: no
engine, no language, no text of a paper, no import that a reader of the file cannot see.  That the question is
the one the claim asks is another matter (`claim`, `asking`, `printed`): `verifier` derives it again from the
claim, and `tests/oracles/claims` holds a second reader of claims that shares no line with the first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
#: Lines of Python a reader can be asked to believe, and what there are today: they may only fall.
FEW_LINES = 10_000
MOST_LINES = 10_000
#: The rooms that proofs stand on; any other one is above them.
ROOMS = {"proof", "question", "scores", "interval", "exact", "lattice", "budget", "errors"}
#: Modules that tabulate in machine numbers: no other may, and these only with the width of every number shown.
MACHINE_NUMBERS = {
    f"scoreproof.proof.sums.{name}" for name in ("calls", "folds", "grid", "join", "profiles", "replay")
}
#: The only libraries beyond the standard one.
LIBRARIES = {"numpy"}


def file_of(module: str) -> Path | None:
    place = SOURCE.joinpath(*module.split("."))
    return next((each for each in (place / "__init__.py", place.with_suffix(".py")) if each.exists()), None)


def imported(module: str) -> Iterator[str]:
    """Every module that is imported somewhere in this one, also inside functions."""
    path = file_of(module)
    assert path is not None, module
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not node.level and node.module, f"{module} imports by a relative name"
            yield node.module
            yield from (name for each in node.names if file_of(name := f"{node.module}.{each.name}"))
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def trusted() -> dict[str, set[str]]:
    """The modules of the trusted base, each with what it imports."""
    proof = SOURCE / "scoreproof" / "proof"
    files = [each.relative_to(SOURCE).with_suffix("") for each in proof.rglob("*.py")]
    waiting = [".".join(each.parts).removesuffix(".__init__") for each in files]
    found: dict[str, set[str]] = {}
    while waiting:
        module = waiting.pop()
        if module in found or module == "scoreproof":
            continue
        found[module] = set(imported(module))
        packages = module.split(".")
        waiting += [".".join(packages[:length]) for length in range(2, len(packages))]
        waiting += [each for each in found[module] if each.startswith("scoreproof.")]
    return found


BASE = trusted()


def test_it_stands_on_no_room_above_it() -> None:
    strange = {module for module in BASE if module.split(".")[1] not in ROOMS}
    ways = {one: sorted(strange & wanted) for one, wanted in BASE.items() if strange & wanted}
    assert not strange, ways


def lines_of(modules: Iterable[str]) -> dict[str, int]:
    """The length of every module, the longest first."""
    lines = {module: len(file_of(module).read_text(encoding="utf-8").splitlines()) for module in modules}
    return dict(sorted(lines.items(), key=lambda each: -each[1]))


def test_it_is_small_enough_to_be_read() -> None:
    lines = lines_of(BASE)
    assert sum(lines.values()) <= FEW_LINES, (sum(lines.values()), list(lines.items())[:12])


def test_it_does_not_grow() -> None:
    lines = lines_of(BASE)
    assert sum(lines.values()) <= MOST_LINES, (sum(lines.values()), list(lines.items())[:12])


def test_it_counts_in_plain_integers() -> None:
    for module, names in BASE.items():
        others = {name.split(".")[0] for name in names} & LIBRARIES
        assert not others or module in MACHINE_NUMBERS, (module, others)


def test_every_import_can_be_seen() -> None:
    """No module is found by its name at run time, so that the layers and this test see them all."""
    for module in BASE:
        text = file_of(module).read_text(encoding="utf-8")
        assert not any(word in text for word in ("import_module", "__import__", "importlib")), module
        tree = ast.parse(text)
        called = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"eval", "exec", "compile", "__import__"}, module


def test_it_imports_the_standard_library_and_itself() -> None:
    import sys

    for module, names in BASE.items():
        strange = {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - LIBRARIES
        assert strange <= {"scoreproof"}, (module, strange)
