"""The words of an explanation: a paragraph for a report, plain text, Markdown.  Never an accusation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoreproof.decision import CONSISTENT, INCONSISTENT
from scoreproof.insight.phrases import listed
from scoreproof.insight.places import places, printed_in
from scoreproof.insight.sentence import place, words_for
from scoreproof.insight.words import conventions
from scoreproof.verdict import Verdict

if TYPE_CHECKING:
    from scoreproof.insight.explanation import Explanation, Possible
    from scoreproof.insight.strength import Strength

#: Explanations told in the paragraph, and in the lists.
FIRST = 3
MOST = 8


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
    return f"{start} The comparison was not decided ({verdict.reason}), so nothing follows from it."


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
    told = [
        f"No {words_for(found.verdict).things} give all of them"
        + (f": {_clash_words(found)}" if found.clashes else "")
        + f"{conventions.tried(found.verdict)}.",
        "This follows from exact arithmetic; it says that figures and description do not belong together as "
        "printed, not how that came about.",
    ]
    possible = found.explanations[:FIRST]
    if possible:
        several = len(possible) > 1
        listing = "; ".join(
            f"{f'({number}) ' if several else ''}{each.words}{_caution(each)}"
            for number, each in enumerate(possible, 1)
        )
        what = "Simple explanations" if several else "A simple explanation"
        told.append(f"{what} with which they would agree: {listing}.")
    else:
        told.append("None of the simple explanations that were tried makes them agree.")
    told.append(
        f"The {words_for(found.verdict).things}, or a word from the authors on the set-up, would settle it."
    )
    return " ".join(told)


def _clash_words(found: Explanation) -> str:
    shortest = found.clashes[0]
    if len(shortest) == 1:
        alone = [each[0] for each in found.clashes if len(each) == 1]
        return f"{listed(alone)} alone {'is' if len(alone) == 1 else 'are'} no value that can occur"
    return f"{listed(shortest)} cannot hold together"


def _caution(possible: Possible) -> str:
    if not possible.weak:
        return ""
    return f" (this would explain {_percent(possible.share)} of similar figures, so its fit says little)"


def _fit(found: Explanation) -> str:
    told = [
        f"{words_for(found.verdict).things.capitalize()} exist that give all of them"
        + (f", but only if {conventions.takes(found.verdict.takes)}." if found.verdict.takes else "."),
        "This does not show that the figures are right, only that they can be.",
    ]
    if found.strength is not None:
        told.append(strength_words(found.strength))
    return " ".join(told)


def strength_words(strength: Strength) -> str:
    """How much a fit says, in words."""
    share = strength.caught / strength.slips
    what = "strong" if share >= 0.9 else "fair" if share >= 0.5 else "weak"
    told = (
        f"As a test this was {what}: of {strength.slips} ways to get one digit wrong, {strength.caught} "
        f"({_percent(share)}) would have been noticed"
    )
    if strength.undecided:
        told += f" and {strength.undecided} were not decided"
    if strength.helps is not None and strength.caught_then is not None:
        then = strength.caught_then / strength.slips
        told += (
            f"; with {strength.helps} ({strength.value}) printed as well, it would have been {_percent(then)}"
        )
    return told + "."


def _percent(share: float) -> str:
    if 0 < share < 0.001:
        return "less than 0.1 %"
    if 0.99 < share < 1:
        return "more than 99 %"
    return f"{100 * share:.{1 if share < 0.1 else 0}f} %"


# -- lists ---------------------------------------------------------------------------


def text(found: Explanation) -> str:
    """The explanation as plain text: a head line, lists, and the paragraph at the end."""
    lines = [found.verdict.sentence]
    for heading, rows in sections(found):
        lines += ["", f"{heading}:", *(f"  - {row}" for row in rows)]
    lines += ["", "In words for a report:", f"  {found.paragraph}"]
    return "\n".join(lines) + "\n"


def markdown(found: Explanation) -> str:
    """The same as Markdown."""
    title = found.verdict.claim.title or "The reported figures"
    lines = [f"## {title}: {found.verdict.status}", "", found.paragraph]
    for heading, rows in sections(found):
        lines += ["", f"### {heading}", "", *(f"- {row}" for row in rows)]
    return "\n".join(lines) + "\n"


def sections(found: Explanation) -> list[tuple[str, list[str]]]:
    """The lists of an explanation: heading and rows, empty ones left out."""
    if found.verdict.status == CONSISTENT:
        rows = [("How strong the test was", [strength_words(found.strength)] if found.strength else [])]
    elif found.verdict.status == INCONSISTENT:
        rows = [
            ("What cannot hold together" + _unless(found.clashes_complete), [listed(c) for c in found.clashes]),
            ("What the other figures leave possible", [*_ranges(found)]),
            ("What may have happened" + _unless(found.complete), [_row(e) for e in found.explanations[:MOST]]),
            (
                "The nearest value of a single figure that mends it",
                [
                    f"{m.label}: {m.value} instead of {m.printed} ({_kind(m.kind, m.change)})"
                    for m in found.nearest
                ],
            ),
        ]
    else:
        rows = []
    return [(heading, lines) for heading, lines in rows if lines]


def _unless(complete: bool) -> str:
    return "" if complete else " (as far as was tried)"


def _kind(kind: str, change: int) -> str:
    words = {
        "digit": "one digit",
        "digits swapped": "two neighbouring digits swapped",
        "another column": "it repeats the figure of another score",
    }
    return words.get(kind, f"{change} digits")


def _row(possible: Possible) -> str:
    told = f"{possible.words}; this would explain {_percent(possible.share)} of similar figures"
    if possible.weak:
        told += ", so its fit says little"
    if possible.also:
        told += f" (also: {'; '.join(possible.also)})"
    return told


def _ranges(found: Explanation) -> list[str]:
    if len(found.ranges) < 2:
        return []
    nothing = "nothing, the others clash without it"
    told = {label: nothing if r is None else r.words(6) for label, r in found.ranges.items()}
    fits = found.verdict.status == CONSISTENT  # where a range is missing, the score is undefined
    return [f"{label}: {words}" for label, words in told.items() if not (fits and words is nothing)]
