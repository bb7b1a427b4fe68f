"""The counts of a dataset as rows for people to read."""

from __future__ import annotations

from scoreproof.reading.datasets.entry import Counts, Dataset


def total_of(entry: Dataset) -> str:
    """Its counts where they are few, else of what kind they are."""
    if len(entry.counts) == 1 and entry.counts[0].pair:
        return "p={}, n={}".format(*entry.counts[0].pair)
    if len(entry.counts) == 1 and len(entry.counts[0].classes) <= 4:
        return ", ".join(str(count) for _, count in entry.counts[0].classes)
    choices = ", ".join(key for key, values in entry.keys.items() if len(values) > 1)
    return f"{entry.kind}{f' (by {choices})' if choices else ''}"


def lines_of(entry: Dataset, row: Counts) -> list[dict[str, str]]:
    """The counts of a row, by their headings."""
    if row.classes:
        return [{"class": name, entry.unit: str(count)} for name, count in row.classes]
    if row.pair:
        return [dict(zip("pn", map(str, row.pair), strict=True))]
    names = row.names()
    counts = {"images": names[0] if len(names) == 1 else str(len(names))}
    if row.images:
        sums = {"p": sum(p for _, p, _ in row.images), "n": sum(n for _, _, n in row.images)}
    else:
        sums = {entry.unit: sum(p + n for _, p, n in row.at(0))}
        sums |= {f"p at {value}": sum(p for _, p, _ in row.at(int(value))) for value in entry.thresholds}
    return [counts | {heading: str(count) for heading, count in sums.items()}]
