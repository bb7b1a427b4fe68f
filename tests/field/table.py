"""What ``check`` says of every published figure, by what is known about it.

    python -m tests.field.table [--strict] [--each]

``SCOREPROOF_FIELD`` names the folder of ``field.json``.
"""

from __future__ import annotations

import argparse
from collections import Counter

from .entries import Entry, Said, entries, knows, said

COLUMNS = (
    "consistent",
    "consistent, with a convention",
    "undecided",
    "inconsistent",
)


def judged(*, strict: bool = False) -> list[tuple[Entry, Said]]:
    """Every entry with its verdict; a printed matrix counts where the figures alone hide the slip."""
    return [
        (each, said(each, strict=strict, matrix=each.kind == "missed" and knows("matrix")))
        for each in entries()
    ]


def table(rows: list[tuple[Entry, Said]]) -> str:
    """Kinds of entries down, verdicts across; inconsistent ones within a unit of the last digit apart."""
    counts = Counter((entry.kind, row.column) for entry, row in rows)
    near = Counter(
        entry.kind for entry, row in rows if row.status == "inconsistent" and row.severity == "last digit"
    )
    lines = [f"{'':20}" + "".join(f"{each.replace(', with a convention', ' *'):>14}" for each in COLUMNS)]
    lines[0] += f"{'within a unit':>15}"
    for kind in sorted({entry.kind for entry, _ in rows}):
        cells = "".join(f"{counts[kind, column]:14}" for column in COLUMNS)
        lines.append(f"{kind:20}{cells}{near[kind]:15}")
    return "\n".join([*lines, "* with a convention the claim does not state"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strict", action="store_true", help="keep to what is stated")
    parser.add_argument("--each", action="store_true", help="print every entry")
    given = parser.parse_args()
    rows = judged(strict=given.strict)
    print(table(rows))
    if given.each:
        for entry, row in rows:
            print(f"\n[{entry.kind}] {entry.text}\n  {row.column} ({row.takes} {row.severity}): {row.sentence}")


if __name__ == "__main__":
    main()
