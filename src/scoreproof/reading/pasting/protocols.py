"""How a text says that items were tested: folds, runs, a part that was kept for testing."""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil, floor
from typing import Any

from scoreproof.reading.pasting.found import SetUp, placed
from scoreproof.reading.pasting.result import told
from scoreproof.reading.prose.protocols import averaging_in, folds_in, kept_in, runs_in

#: Keys of an experiment that say how many items there are.
COUNTED = frozenset({"p", "n", "total", "dataset", "classes", "one_of"})
#: Words before folds or a score that say which of several values it is.
OVER = {"median": "median", "best": "max", "maximum": "max", "max": "max", "highest": "max", "worst": "min",
        "minimum": "min", "min": "min", "lowest": "min"}  # fmt: skip
WHICH = re.compile(
    rf"\b({'|'.join(OVER)})\.?\s+(?:\w+\s+){{0,2}}?(?:of|over|from|among|across|in)\s+(?:the\s+|all\s+)?$",
    re.IGNORECASE,
)
_MEAN = re.compile(r"\baverag|\bmeans?\b|±|\+/-", re.IGNORECASE)
#: Runs that are taken apart, at most.
MOST_RUNS = 1_000


def folds(text: str, found: SetUp) -> None:
    """Folds, repeats, stratification and averaging."""
    said = [each for each in placed(text, folds_in) if found.free(*each.at)]
    chosen: dict[str, Any] = {}
    sure = True
    for each in said:
        what = dict(each.said.what)
        if chosen.get("folds", what["folds"]) != what["folds"]:
            found.notes.append(
                f"not used: {', '.join(told(what))}, since folds = {chosen['folds']} stands before it"
            )
        else:
            chosen |= what
            sure = sure and each.said.sure
        for start, end in each.at:
            found.note_span(text, start, end, "experiment.folds", what["folds"])
    for key, value in chosen.items():
        found.experiment.setdefault(key, value)
    if not sure:
        found.notes.append(
            "the folds may be those for choosing the model, or of groups: they were taken as the evaluation's"
        )
    for each in placed(text, averaging_in):
        if found.experiment.keys() & {"folds"}:
            found.experiment.setdefault("aggregate", each.said.what["aggregate"])
            for start, end in each.at:
                if not runs_in(text[start:end]):  # "mean over 3 runs" says more than that it is one
                    found.note_span(text, start, end, "experiment.aggregate", each.said.what["aggregate"])
            break


def splits(text: str, found: SetUp) -> None:
    """A part of the items that was kept for testing, of which the figures may be."""
    said = None if found.tested else kept_in(found.without(text))
    counted = found.experiment.keys() & COUNTED
    if said is None or not counted or found.matrix or found.experiment.keys() & {"folds", "holdout"}:
        return
    ways = found.ways()
    if any("matrix" in way for way in ways):
        return
    words = text[said.start : said.end].strip()
    if not said.share or any("classes" in way for way in ways):
        found.choose("", [{}])
        found.notes.append(
            f"the counts of the text were not used: items were kept for testing (“{words}”), and it is not "
            "said how many of each class; give the counts of the test set"
        )
        return
    for start, end in ((said.start, said.end), *said.others):
        found.note_span(text, start, end, "experiment.holdout", said.share)
    drawn = {"holdout": said.share, **({"stratified": True} if "stratif" in text.casefold() else {})}
    tried = []
    for way in ways:
        name = " of " * ("name" in way) + way.get("name", "")
        if "total" in way:  # of which nobody says how many are positive
            exact = Fraction(said.share.split()[0]) / 100 * way["total"]
            for size in {floor(exact): 0, ceil(exact): 0}:
                tried.append({**way, "name": f"a test set of {size} items{name}", "total": size})
        else:
            tried.append({**way, "name": f"a test set of {said.share}{name}", **drawn})
        tried.append({**way, "name": f"all items{name}"})
    found.choose("figures of", tried)
    found.notes.append(
        f"“{words}”: the figures may be of a test set of {said.share}, or of all items; both are tried"
    )


def runs(text: str, found: SetUp) -> None:
    """Figures that are means over runs: of the same test set, of drawn ones, or of all folds."""
    said = runs_in(found.without(text))
    if said is None or found.matrix or not found.experiment.keys() & COUNTED or "repeats" in found.experiment:
        return
    words, count = text[said.start : said.end].strip(), said.times
    if count is None or count > MOST_RUNS:
        found.choose("", [{}])
        found.notes.append(
            f"the counts of the text were not used: figures may be means over runs (“{words}”); give how many "
            "as repeats"
        )
        return
    found.note_span(text, said.start, said.end, "experiment.repeats", count)
    if "folds" in found.experiment:
        if count != found.experiment["folds"]:
            ways = found.ways()
            found.choose("runs", [{**way, "name": name, **more} for way in ways for name, more in (
                ("every fold once", {}), (f"{count} times all folds", {"repeats": count})
            )])  # fmt: skip
            found.notes.append(
                f"“{words}”: the folds may have been dealt {count} times, or once; both are tried"
            )
        return
    which = WHICH.search(text, max(0, said.start - 40), said.start)
    how = OVER[which[1].casefold()] if which else "mean"
    mean = {"repeats": count, "aggregate": how}
    tried = []
    for way in found.ways():
        name = ", " * ("name" in way) + way.get("name", "")
        drawn = {} if "holdout" in way else {"folds": 1}
        tried.append({**way, **mean, **drawn, "name": f"{how} over {count} runs{name}"})
        if which is None and not _MEAN.search(text):
            tried.append({**way, "name": f"a single run{name}"})
    found.choose("figures of", tried)
    which_way = (
        f"the {how} over {count} runs" if len(tried) == 1 else f"means over {count} runs, or of a single one"
    )
    found.notes.append(f"“{words}”: the figures were read as {which_way}")
