"""The words of an explanation: a paragraph for a report, and lists.  Never an accusation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoreproof.decision import INCONSISTENT
from scoreproof.insight.phrases import listed
from scoreproof.insight.places import places, printed_in
from scoreproof.insight.sentence import place, words_for
from scoreproof.insight.settling import facts
from scoreproof.insight.words import conventions
from scoreproof.verdict import Verdict

if TYPE_CHECKING:
    from scoreproof.insight.explanation import Explanation
    from scoreproof.insight.nearest import Mend
    from scoreproof.insight.search import Possible
    from scoreproof.insight.strength import Strength

#: Explanations told in the paragraph, and in the lists.
FIRST = 3
MOST = 8
#: Steps of an argument that a letter has room for.
IN_LETTER = 4
#: What was changed in a figure that mends the claim, by its kind.
CHANGED = {
    "digit": "one digit",
    "digits swapped": "two neighbouring digits swapped",
    "another column": "it repeats the figure of another score",
}


def paragraph(found: Explanation) -> str:
    """What was assumed, what was tested, what follows; innocent explanations first."""
    verdict = found.verdict
    how = _set_up(verdict).removeprefix("the stated set-up; ")  # where the counts are open
    start = f"The reported figures{_figures(verdict)} were compared with the stated set-up ({how})."
    late = " The time ran out before everything was tried." if found.cut_short else ""
    match verdict.status:
        case "inconsistent":
            return f"{start} {_misfit(found)}{late}"
        case "consistent":
            return f"{start} {_fit(found)}{late}"
    asked = facts(verdict) or [f"the {words_for(verdict).things}, or a word from the authors on the set-up"]
    return (
        f"{start} The comparison was not decided ({verdict.reason}), so nothing follows from it. "
        f"This would settle it: {'; or '.join(asked)}."
    )


def _set_up(verdict: Verdict) -> str:
    rounding = verdict.claim.rounding
    how = "under every rounding rule" if rounding is None else f"read as {rounding.describe()}"
    assumed = ", which is an assumption" if verdict.claim.rounding_assumed and rounding is not None else ""
    several = len(verdict.usual)
    readings = f"; {several} readings of what is left open" if several > 1 else ""
    more = conventions.assumed(verdict.assumptions)
    return f"{place(verdict)}; figures {how}{assumed}{more}{readings}"


def _figures(verdict: Verdict) -> str:
    source = verdict.claim.source
    if not words_for(verdict).two_classes:
        found = {each.label: each.figure.text for each in printed_in(verdict.outcomes[0].reading.experiment)}
    else:
        found = {each.label: each.text for each in places(source)}
        for label, figure in source.get("scores", {}).items():
            found.setdefault(label, str(figure))
    printed = [f"{label} {figure.strip()}" for label, figure in found.items()]
    return f" ({', '.join(printed)})" if 0 < len(printed) <= 12 else ""


def _misfit(found: Explanation) -> str:
    things = words_for(found.verdict).things
    clash = f": {_clash_words(found)}" if found.clashes else ""
    told = [
        f"No {things} give all of them{clash}{conventions.tried(found.verdict)}.{_in_numbers(found)}",
        "This follows from exact arithmetic; it says that figures and description do not belong together as "
        "printed, not how that came about.",
    ]
    possible = [each for each in found.explanations if not each.weak][:FIRST]
    if possible:
        several = len(possible) > 1
        listing = "; ".join(
            f"{f'({number}) ' if several else ''}{each.words}" for number, each in enumerate(possible, 1)
        )
        what = "Simple explanations" if several else "A simple explanation"
        told.append(f"{what} with which they would agree: {listing}.")
    elif found.explanations:
        told.append(
            "The simple explanations that make them agree would fit many other figures, so none is named."
        )
    else:
        told.append("None of the simple explanations that were tried makes them agree.")
    told.append(f"The {things}, or a word from the authors on the set-up, would settle it.")
    return " ".join(told)


def _in_numbers(found: Explanation) -> str:
    """The argument itself, where it is short enough for a letter."""
    first = next(iter(found.verdict.why), None)
    if first is None or not first.by_hand or len(first.steps) > IN_LETTER:
        return ""
    return f" In numbers{first.reading and f', if {first.reading}'}: {first.words}"


def _clash_words(found: Explanation) -> str:
    shortest = [_named(label) for label in found.clashes[0]]
    if len(shortest) == 1:
        alone = [_named(each[0]) for each in found.clashes if len(each) == 1]
        if len(alone) > 1:
            return f"{listed(alone)} are values that cannot occur, each taken alone"
        return f"{alone[0]} alone is no value that can occur"
    return f"{listed(shortest)} cannot hold together"


def _named(label: str) -> str:
    return f"the ± of {label.removesuffix(' ±')}" if label.endswith(" ±") else label


def _fit(found: Explanation) -> str:
    things, takes = words_for(found.verdict).things, found.verdict.takes
    only_if = f", but only if {conventions.takes(takes)}" if takes else ""
    strength = f" {strength_words(found.strength)}" if found.strength is not None else ""
    uneven = found.verdict.unevenness
    strength += f" {uneven[0].upper()}{uneven[1:]}." if uneven else ""
    return (
        f"{things.capitalize()} exist that give all of them{only_if}. "
        f"This does not show that the figures are right, only that they can be.{strength}"
    )


def strength_words(strength: Strength) -> str:
    """How much a fit says, in words."""
    share = strength.share
    what = "strong" if share >= 0.9 else "fair" if share >= 0.5 else "weak"
    told = (
        f"As a test this was {what}: of {strength.slips} ways to get one digit wrong, "
        f"{f'{strength.caught} ({_percent(share)})' if strength.caught else 'none'} would have been noticed"
    )
    if strength.undecided:
        told += f" and {strength.undecided} were not decided"
    if strength.helps is not None and strength.caught_then is not None:
        then = _percent(strength.caught_then / strength.slips)
        told += f"; with {strength.helps} ({strength.value}) printed as well, it would have been {then}"
    return told + "."


def _percent(share: float) -> str:
    if 0 < share < 0.001:
        return "less than 0.1 %"
    if 0.99 < share < 1:
        return "more than 99 %"
    return f"{100 * share:.{1 if share < 0.1 else 0}f} %"


# -- lists ---------------------------------------------------------------------------


def sections(found: Explanation) -> list[tuple[str, list[str]]]:
    """The lists of an explanation: heading and rows, empty ones left out."""
    rows: dict[str, list[str]] = {}
    if found.strength is not None:
        rows["How strong the test was"] = [strength_words(found.strength)]
    if found.verdict.status == INCONSISTENT:
        clashing, happened = (
            "" if complete else " (as far as was tried)"
            for complete in (found.clashes_complete, found.complete)
        )
        rows[f"What cannot hold together{clashing}"] = [
            listed([_named(label) for label in each]) for each in found.clashes
        ]
        rows["What the other figures leave possible"] = _ranges(found)
        strong, weak = ([each for each in found.explanations if each.weak is said] for said in (False, True))
        rows[f"What may have happened{happened}"] = [_row(each) for each in strong[:MOST]]
        rows["What would fit as well, but says little"] = [_row(each) for each in weak[:FIRST]]
        rows["The nearest value of a single figure that mends it"] = [_mended(each) for each in found.nearest]
    return [(heading, lines) for heading, lines in rows.items() if lines]


def _mended(mend: Mend) -> str:
    how = CHANGED.get(mend.kind, f"{mend.change} digits")
    return f"{mend.label}: {mend.value} instead of {mend.printed} ({how})"


def _row(possible: Possible) -> str:
    told = f"{possible.words}; this would explain {_percent(possible.share)} of similar figures"
    if possible.also:
        told += f" (also: {'; '.join(possible.also)})"
    return told


def _ranges(found: Explanation) -> list[str]:
    if len(found.ranges) < 2:
        return []
    nothing = "nothing, the others clash without it"
    return [f"{label}: {nothing if r is None else r.words(6)}" for label, r in found.ranges.items()]
