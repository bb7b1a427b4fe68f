"""Claims written from the truth: what a careful reader would type for every row of scores."""

from __future__ import annotations

import random
import re
from typing import Any

Truth = dict[str, Any]
BRACKETS = re.compile(r"^([0-9.]+) \(([0-9.]+)\)$")


def figure(text: str, unit: str, sd: str | None, layout: str) -> str:
    """The text of a cell as the claim has it: points for commas, ± for a deviation in brackets, the unit."""
    text = re.sub(r"(?<=\d),(?=\d)", ".", text)
    found = BRACKETS.match(text) if layout == "deviation_in_brackets" else None
    if found:
        text = f"{found[1]} ± {found[2]}"
    if sd is not None:
        text = f"{text} ± {sd.replace(',', '.')}"
    if not unit:
        return text
    if "±" in text:
        mean, spread = text.split("±")
        return f"{mean.strip()}% ± {spread.strip()}%"
    if "(" in text or "[" in text:
        return text  # above 1, so percent in any case
    return text + unit


def claim_of(table: Truth, claim: Truth) -> dict[str, Any]:
    """The claim as ``check`` takes it."""
    cells = table["cells"]
    scores: dict[str, str] = {}
    per_class: dict[str, dict[str, str]] = {}
    for score, row, col, unit, sd, label in claim["figures"]:
        beside = None if sd is None else cells[row][sd]
        into = per_class.setdefault(label, {}) if label else scores
        into[score] = figure(cells[row][col], unit, beside, table["layout"])
    made: dict[str, Any] = {"experiment": claim["experiment"], "scores": scores}
    if per_class:
        made["per_class"] = per_class
    return made


def slipped(rng: random.Random, text: str) -> str:
    """The figure with one digit of its value changed, as a slip of the pen would."""
    end = re.search(r"[ ±(\[%]|$", text)
    assert end is not None
    value = text[: end.start()]
    places = [i for i, sign in enumerate(value) if sign.isdigit()]
    at = rng.choice(places[1:] if len(places) > 2 else places[-1:])
    digit = rng.choice([d for d in "0123456789" if d != value[at]])
    return value[:at] + digit + value[at + 1 :] + text[end.start() :]
