"""A verdict in sections: heading, figures, picture, readings, matrices, notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scoreproof.claim.fields import Key, keys_of
from scoreproof.decision import CONSISTENT, INCONSISTENT, UNDECIDED, Outcome
from scoreproof.errors import shorten
from scoreproof.insight.display.drawing import html
from scoreproof.insight.display.html import Html, badge, table, tag, text
from scoreproof.insight.phrases import assumed, grouped
from scoreproof.insight.table import figures
from scoreproof.missing import Missing, told
from scoreproof.proof.class_matrices import ClassWitness
from scoreproof.proof.witness import Witness
from scoreproof.question.question import Labels
from scoreproof.reading.pasting.result import READ_AS
from scoreproof.scores import Matrix
from scoreproof.scores.names import known
from scoreproof.verdict import Verdict

MOST_ROWS = 60
MOST_PARTS = 5
#: Rows that are shown before the rest is folded away.
FEW = 5
#: Characters of a value in the recap.
BRIEF = 60
EXAMPLE = "An example that fits"
WHY = "Why they cannot hold together"
#: The headings of matrices, and of readings outside the claim.
COUNTS = ("p", "n", "TP", "FP", "FN", "TN", "times")
OTHERS = ("if …", "the figures would be")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report: a short name for links, a heading, what stands under it; folded or not."""

    name: str
    heading: str
    body: Html
    folded: bool = False

    def html(self, level: int = 2) -> Html:
        if self.folded:
            return folded(self.heading, self.body, id=self.name, class_=f"part {self.name}")
        return tag(
            "section",
            tag(f"h{level}", self.heading, id=self.name),
            self.body,
            aria_labelledby=self.name,
            class_=f"part {self.name}",
        )


def folded(heading: str, body: object, **attributes: object) -> Html:
    """Something that is there for those who look for it."""
    return tag("details", tag("summary", heading), body, **attributes)


def said(status: str, words: str) -> Html:
    """The verdict and what is said about it."""
    return tag("p", badge(status), " ", words, class_="verdict")


def head(verdict: Verdict) -> Html:
    """The verdict at a glance: what was checked, the word, the sentence, and its terms."""
    source = verdict.claim.source
    more = [tag("p", str(source[key]), class_=key) for key in ("citation", "note") if source.get(key)]
    # The badge says the first word of the sentence.
    first, _, rest = verdict.sentence.partition(" ")
    words = rest if first.rstrip(":").casefold() == verdict.status else verdict.sentence
    words, _, terms = words.partition("; figures ")
    small = tag("p", "Figures ", terms, class_="terms") if terms else None
    return tag("div", recap(source), said(verdict.status, words + ("." if terms else "")), small, more)


def recap(claim: Mapping[str, Any]) -> Html:
    """What was checked, in the words of the form: counts, set-up, figures."""
    said = {key.name: value for key, value in _told(claim)}
    keys = {key.name: key for key, _ in _told(claim)}
    shown = [
        tag(
            "li",
            f"{keys[name].label or keys[name].name.replace('_', ' ')}: ",
            tag("b", _brief(keys[name], value)),
        )
        for name, value in said.items()
    ]
    scores = claim.get("scores")
    if isinstance(scores, Mapping):
        shown += [tag("li", f"{name} ", tag("b", str(figure))) for name, figure in scores.items()]
    return tag("ul", shown, class_="recap", aria_label="What was checked") if shown else Html()


def _told(claim: Mapping[str, Any]) -> Iterator[tuple[Key, Any]]:
    """The keys of the set-up that say something, in the order of the table of keys."""
    for place in ("experiment", "", "conventions"):
        found = claim.get(place, {}) if place else claim
        for name, key in keys_of(place).items():
            if isinstance(found, Mapping) and name in found and (place or (key.label and name != "title")):
                yield key, found[name]


def _brief(key: Key, value: Any) -> str:
    """A value in a few words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return dict(key.choices).get(value, value)
    if isinstance(value, int):
        return grouped(value)
    if isinstance(value, Mapping) and all(isinstance(each, (str, int)) for each in value.values()):
        return shorten(", ".join(f"{name} {each}" for name, each in value.items()), BRIEF)
    if isinstance(value, list) and all(isinstance(each, int) for each in value):
        return shorten(", ".join(map(str, value)), BRIEF)
    return f"{len(value)} given" if isinstance(value, (Mapping, list)) else str(value)


def sections(verdict: Verdict) -> list[Section]:
    """Everything worth showing about the verdict, in order; what few will look for comes last, folded."""
    kinds = (_picture, _why, _figures, _matrices, _notes, _readings, _other_readings)
    return [section for kind in kinds if (section := kind(verdict)) is not None]


def in_words(label: str) -> str:
    """The name of a score with its code: "balanced accuracy (bacc)"; as it is where it says enough."""
    found = known(label)
    if found is None or label != found.score.name or found.score.title.casefold() == label.casefold():
        return label
    return f"{found.score.title} ({label})"


def _figures(verdict: Verdict) -> Section | None:
    rows = figures(verdict)
    if not rows:
        return None
    others = any(row.range for row in rows)
    headings = ["score", "printed", "stands for", *(["could be, given the others"] if others else [])]
    body = []
    for row in rows:
        clash = tag("strong", " ✗ clashes", class_="clash") if row.clashes else None
        body.append([[in_words(row.label), clash], row.printed, row.interval, *([row.range] if others else [])])
    return Section("figures", "The figures", table(headings, body, label="The printed figures"))


def _why(verdict: Verdict) -> Section | None:
    if verdict.status != INCONSISTENT:
        return None
    parts = []
    for each in verdict.why:
        taking = tag("p", f"If {each.reading}:") if each.reading else None
        parts.append([taking, tag("ol", [tag("li", step.words) for step in each.steps])])
    return Section("why", WHY, text(parts))


def _picture(verdict: Verdict) -> Section | None:
    try:
        with told("drawing where the figures hold"):
            from scoreproof.insight.display.picture import pictures

            drawn = [html(each) for each in pictures(verdict)]
    except Missing:  # a report without its picture says all the same
        return None
    return Section("picture", "Where the figures hold", text(drawn)) if drawn else None


def matrix_rows(matrices: tuple[Matrix, ...] | list[Matrix]) -> list[list[str]]:
    """p, n, TP, FP, FN, TN of each matrix, equal ones counted."""
    return [
        [*(grouped(each) for each in (matrix.p, matrix.n, *matrix)), str(times)]
        for matrix, times in list(Counter(matrices).items())[:MOST_ROWS]
    ]


def _matrices(verdict: Verdict) -> Section | None:
    witness = verdict.witness
    if isinstance(witness, ClassWitness):
        return _classes(witness)
    if not isinstance(witness, Witness):
        return None
    if isinstance(verdict.decisive.problem, Labels):
        return _labels(verdict.decisive.problem, witness)
    if len(witness.parts) > 1:
        caption = "One way to get these figures, part by part"
        return _example(table(COUNTS, matrix_rows(witness.parts), caption=caption, numbers=range(7)))
    listed = verdict.matrices(MOST_ROWS) or list(witness.parts)
    heading, caption = "Matrices that fit", "Confusion matrices that give these figures"
    if verdict.count is None and len(listed) == 1:
        heading, caption = EXAMPLE, "A matrix that gives these figures"
    if verdict.count is not None and verdict.count > len(listed):
        at_least = "" if verdict.count_exact else "at least "
        caption += f" (the first {len(listed)} of {at_least}{grouped(verdict.count)})"
    rows = [row[:-1] for row in matrix_rows(listed)]
    shown = table(COUNTS[:-1], rows[:FEW], caption=caption, numbers=range(6))
    if len(rows) <= FEW:
        return Section("matrices", heading, shown)
    others = table(COUNTS[:-1], rows[FEW:], label="More confusion matrices that fit", numbers=range(6))
    return Section("matrices", heading, text([shown, folded(f"{len(rows) - FEW} more of them", others)]))


def _example(shown: object) -> Section:
    return Section("matrices", EXAMPLE, text(shown))


def _labels(question: Labels, witness: Witness) -> Section:
    """The counts of labels; of items without a label nothing is known."""
    rows = [
        [name, *map(grouped, (matrix.p, matrix.tp, matrix.fp, matrix.fn))]
        for name, matrix in list(zip(question.names, witness.parts, strict=True))[:MOST_ROWS]
    ]
    caption = "One way to get these figures, label by label"
    return _example(table(("label", "items", "TP", "FP", "FN"), rows, caption=caption, numbers=range(1, 5)))


def _classes(witness: ClassWitness) -> Section:
    """The matrices of several classes."""
    tables = []
    for index, grid in enumerate(witness.matrices[:MOST_PARTS]):
        of = f", part {index + 1} of {len(witness.matrices)}" if len(witness.matrices) > 1 else ""
        rows = [[name, *row] for name, row in zip(witness.names, grid, strict=True)]
        caption = f"Items of each class (row) by what they were called (column){of}"
        numbers = range(1, len(witness.names) + 1)
        tables.append(table(("class", *witness.names), rows, caption=caption, numbers=numbers))
    return _example(tables)


def _readings(verdict: Verdict) -> Section | None:
    if len(verdict.usual) == 1:
        return None
    outcomes = list(verdict.usual)
    caption = "What each takes for granted"
    if len(outcomes) > MOST_ROWS:  # what fits stands first: the rest may be long
        outcomes.sort(key=lambda outcome: (CONSISTENT, UNDECIDED, INCONSISTENT).index(outcome.status))
        caption += f" (the first {MOST_ROWS}, those that fit before the others)"
    rows = [[*reading_row(each), each.reason] for each in outcomes[:MOST_ROWS]]
    for row in rows:
        row[1] = badge(row[1])
    headings = ["reading", "verdict", "matrices", "reason"]
    if not any(reason for *_, reason in rows):
        rows, headings = [row[:-1] for row in rows], headings[:-1]
    shown = table(headings, rows, caption=caption, numbers=(2,))
    return Section("readings", f"The {len(verdict.usual)} ways to read the claim", shown, folded=True)


def reading_row(outcome: Outcome) -> list[str]:
    """What the reading assumes, its verdict, and how many matrices fit."""
    count = "" if outcome.count is None else grouped(outcome.count)
    return [assumed(outcome.reading), outcome.status, count]


def _other_readings(verdict: Verdict) -> Section | None:
    if verdict.status != INCONSISTENT or not verdict.other_readings:
        return None
    rows = [[each["words"], badge(each["verdict"])] for each in verdict.other_readings]
    caption = "Readings outside the claim; they change no verdict"
    fits = any(each["verdict"] == CONSISTENT for each in verdict.other_readings)
    return Section("other-readings", "Other readings", table(OTHERS, rows, caption=caption), folded=not fits)


def _notes(verdict: Verdict) -> Section | None:
    # what was read of a text stands above already, figure by figure
    shown = [note for note in verdict.remarks if not note.startswith(READ_AS)]
    return Section("notes", "Notes", tag("ul", [tag("li", note) for note in shown])) if shown else None
