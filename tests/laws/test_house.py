"""The house: modules that fit in the head, functions that fit on a page, imports that can be seen.

What is still over a limit stands in a list with its number.  Nothing may join a list and no number
may rise; an entry leaves once it is no longer needed, and the lists end empty.  The lists as they are
now are printed by ``python tests/laws/test_house.py``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2] / "src" / "scoreproof"

MOST_LINES = 500
MOST_BRANCHES = 20
WHOLE = 35_000
#: How many lines the whole has while it is still too large.
PRESENT = 77_628

#: Modules over the limit, with their lines.
LONG: dict[str, int] = {}
#: Functions over the limit, with their branches.
BRANCHED: dict[str, int] = {}
#: Packages with logic in them, with the number of statements that are none of the permitted ones.
LOGIC: dict[str, int] = {}


def worse(found: dict[str, int], known: dict[str, int]) -> dict[str, int]:
    """What is over its limit and not in the list, or further over it than the list says."""
    return {name: count for name, count in found.items() if count > known.get(name, 0)}


@cache
def modules() -> dict[str, str]:
    """The text of every module, by its path."""
    paths = sorted(ROOT.rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def long() -> dict[str, int]:
    lines = {path: text.count("\n") for path, text in modules().items()}
    return {path: count for path, count in lines.items() if count > MOST_LINES}


def test_every_module_fits_in_the_head() -> None:
    assert not worse(long(), LONG)


def test_the_whole_is_small() -> None:
    total = sum(text.count("\n") for text in modules().values())
    assert total <= max(PRESENT, WHOLE)


# -- branches --------------------------------------------------------------------------------------

BRANCHING = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.comprehension)


def branches(function: ast.AST) -> int:
    """The ways through a function (cyclomatic complexity), its inner functions left out."""
    found = 1
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            continue
        if isinstance(node, BRANCHING):
            found += 1
        if isinstance(node, ast.comprehension):
            found += len(node.ifs)
        if isinstance(node, ast.BoolOp):
            found += len(node.values) - 1
        if isinstance(node, ast.Match):
            found += len(node.cases) - 1
        waiting += ast.iter_child_nodes(node)
    return found


def functions(node: ast.AST, name: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield f"{name}{child.name}", child
        inner = f"{name}{child.name}." if hasattr(child, "name") and isinstance(child.name, str) else name
        yield from functions(child, inner)


def branched() -> dict[str, int]:
    found = {}
    for path, text in modules().items():
        lines = text.splitlines()
        for name, function in functions(ast.parse(text)):
            count = branches(function)
            body = lines[function.lineno - 1 : function.end_lineno]
            if count > MOST_BRANCHES and not any("# cc: " in line for line in body):
                found[f"{path} {name}"] = count
    return found


def test_a_function_with_many_branches_says_why() -> None:
    """A comment ``# cc: …`` in the function is the reason."""
    assert not worse(branched(), BRANCHED)


# -- packages and imports --------------------------------------------------------------------------


def permitted(statement: ast.stmt) -> bool:
    """Whether it may stand in an ``__init__.py``: documentation, imports, what is public."""
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
            return name in ("__all__", "__version__")
        case ast.If(test=ast.Name(id="TYPE_CHECKING"), body=body, orelse=[]):
            return all(map(permitted, body))
        case _:
            return False


def logic() -> dict[str, int]:
    packages = {path: text for path, text in modules().items() if path.endswith("__init__.py")}
    found = {path: sum(not permitted(each) for each in ast.parse(text).body) for path, text in packages.items()}
    return {path: count for path, count in found.items() if count}


def test_a_package_is_its_documentation_and_what_is_public() -> None:
    assert not worse(logic(), LOGIC)


def test_no_import_is_hidden_from_the_layers() -> None:
    """An import by a name that is put together, or looked up, is seen by no contract."""
    hidden = []
    for path, text in modules().items():
        for node in ast.walk(ast.parse(text)):
            names = {alias.name for alias in getattr(node, "names", []) if isinstance(alias, ast.alias)}
            called = getattr(node, "id", None) or getattr(node, "attr", None)
            if names & {"importlib", "import_module"} or called in ("__import__", "import_module"):
                hidden.append(f"{path}:{getattr(node, 'lineno', 0)}")
    assert not hidden


def test_every_public_name_is_there() -> None:
    import scoreproof

    assert len(set(scoreproof.__all__)) == len(scoreproof.__all__)
    assert not [name for name in scoreproof.__all__ if not hasattr(scoreproof, name)]


if __name__ == "__main__":
    for name, found in (("LONG", long()), ("BRANCHED", branched()), ("LOGIC", logic())):
        print(f"{name} = {{", *(f'    "{where}": {count},' for where, count in found.items()), "}", sep="\n")
    print(f"PRESENT = {sum(text.count(chr(10)) for text in modules().values())}")
