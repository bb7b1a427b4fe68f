"""The reference is made from the code: nothing that the code knows is missing from it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import scoreproof
from scoreproof.claim.fields import FIELDS
from scoreproof.cli.commands import COMMANDS, cli
from scoreproof.scores.listing import listing
from scoreproof.web.openapi import ADDRESSES, SCHEMAS

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools" / "site"))

import reference  # noqa: E402  (it stands beside the site it is for)


def test_every_key_of_the_claim_file_is_on_its_page() -> None:
    page = reference.claim_keys()
    assert not [key.path for key in FIELDS if f"| `{'.'.join(key.path)}` |" not in page]
    assert page.count("\n| `") == len(FIELDS)


def test_every_command_is_there_with_all_its_options() -> None:
    page = reference.commands()
    for name in COMMANDS:
        command = cli.get_command(None, name)
        assert command is not None
        (part,) = re.findall(rf"^## {name}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
        options = [name for each in command.params for name in each.opts if name.startswith("--")]
        assert not [name for name in options if name not in part], name


def test_every_score_is_in_the_table() -> None:
    table = reference.scores()
    assert not [row["name"] for row in listing() if f"| `{row['name']}` |" not in table]


def test_every_public_name_is_on_the_page_of_python_with_words_of_its_own() -> None:
    page = reference.python()
    assert not [name for name in scoreproof.__all__ if not re.search(rf"(^### |`){name}\b", page, re.MULTILINE)]
    assert not re.findall(r"^### \w+\n+(?=### )", page, re.MULTILINE)


def test_every_address_and_format_is_on_the_page_of_json() -> None:
    page = reference.json_formats()
    assert not [each.path for each in ADDRESSES if f"{each.method.upper()} {each.path}`" not in page]
    assert not [name for name in SCHEMAS if f"## {name}\n" not in page]


def test_every_kind_of_proof_is_in_the_table() -> None:
    table = reference.kinds()
    proofs = (path.read_text(encoding="utf-8") for path in (ROOT / "src/scoreproof/proof").rglob("*.py"))
    declared = {word for text in proofs for word in re.findall(r'^@node\("([a-z-]+)"\)', text, re.MULTILINE)}
    assert len(declared) > 30
    assert not [kind for kind in declared if f"| `{kind}` |" not in table]
