"""A verdict in sections: heading, figures, picture, readings, matrices, notes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from scoreproof.decision import CONSISTENT, INCONSISTENT, UNDECIDED, Outcome
from scoreproof.insight.display.drawing import html
from scoreproof.insight.display.html import Html, badge, table, tag, text
from scoreproof.insight.display.picture import pictures
from scoreproof.insight.phrases import assumed, grouped
from scoreproof.insight.table import figures
from scoreproof.proof.class_matrices import ClassWitness
from scoreproof.proof.witness import Witness
from scoreproof.question.question import Labels
from scoreproof.scores import Matrix
from scoreproof.verdict import Verdict

MOST_ROWS = 60
MOST_PARTS = 5
EXAMPLE = "An example that fits"
WHY = "Why they cannot hold together"
#: The headings of matrices, and of readings outside the claim.
COUNTS = ("p", "n", "TP", "FP", "FN", "TN", "times")
OTHERS = ("if …", "the figures would be")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report: a short name for links, a heading, and what stands under it."""

    name: str
    heading: str
    body: Html

    def html(self, level: int = 2) -> Html:
        return tag(
            "section",
            tag(f"h{level}", self.heading, id=self.name),
            self.body,
            aria_labelledby=self.name,
            class_=f"part {self.name}",
        )


def said(status: str, words: str) -> Html:
    """The verdict and what is said about it."""
    return tag("p", badge(status), " ", words, class_="verdict")


def head(verdict: Verdict) -> Html:
    """The verdict at a glance: the word, and the sentence."""
    source = verdict.claim.source
    more = [tag("p", str(source[key]), class_=key) for key in ("citation", "note") if source.get(key)]
    # The badge says the first word of the sentence.
    first, _, rest = verdict.sentence.partition(" ")
    words = rest if first.rstrip(":").casefold() == verdict.status else verdict.sentence
    return tag("div", said(verdict.status, words), more)


def sections(verdict: Verdict) -> list[Section]:
    """Everything worth showing about the verdict, in order."""
    kinds = (_figures, _why, _picture, _matrices, _readings, _other_readings, _notes)
    return [section for kind in kinds if (section := kind(verdict)) is not None]


def _figures(verdict: Verdict) -> Section | None:
    rows = figures(verdict)
    if not rows:
        return None
    others = any(row.range for row in rows)
    headings = ["score", "printed", "stands for", *(["could be, given the others"] if others else [])]
    body = []
    for row in rows:
        clash = tag("strong", " ✗ clashes", class_="clash") if row.clashes else None
        body.append([[row.label, clash], row.printed, row.interval, *([row.range] if others else [])])
    return Section("figures", "The figures", table(headings, body, label="The printed figures"))


def _why(verdict: Verdict) -> Section | None:
    if verdict.status != INCONSISTENT:
        return None
    parts = []
    for each in verdict.why:
        taking = tag("p", f"Taking {each.reading}:") if each.reading else None
        parts.append([taking, tag("ol", [tag("li", step.words) for step in each.steps])])
    return Section("why", WHY, text(parts))


def _picture(verdict: Verdict) -> Section | None:
    drawn = [html(each) for each in pictures(verdict)]
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
    return Section("matrices", heading, table(COUNTS[:-1], rows, caption=caption, numbers=range(6)))


def _example(shown: object) -> Section:
    return Section("matrices", EXAMPLE, text(shown))


def _labels(question: Labels, witness: Witness) -> Section:
    """The counts of labels; of items without a label nothing is known."""
    rows = [
        [name, *map(grouped, (matrix.p, matrix.tp, matrix.fp, matrix.fn))]
        for name, matrix in list(zip(question.names, witness.parts, strict=True))[:MOST_ROWS]
    ]
    caption = "One way to get these figures, label by label"
    return _example(table(("", "items", "TP", "FP", "FN"), rows, caption=caption, numbers=range(1, 5)))


def _classes(witness: ClassWitness) -> Section:
    """The matrices of several classes."""
    tables = []
    for index, grid in enumerate(witness.matrices[:MOST_PARTS]):
        of = f", part {index + 1} of {len(witness.matrices)}" if len(witness.matrices) > 1 else ""
        rows = [[name, *row] for name, row in zip(witness.names, grid, strict=True)]
        caption = f"Items of each class (row) by what they were called (column){of}"
        numbers = range(1, len(witness.names) + 1)
        tables.append(table(("", *witness.names), rows, caption=caption, numbers=numbers))
    return _example(tables)


def _readings(verdict: Verdict) -> Section | None:
    if len(verdict.usual) == 1:
        return None
    outcomes = list(verdict.usual)
    caption = f"{len(outcomes)} ways to read the claim"
    if len(outcomes) > MOST_ROWS:  # what fits stands first: the rest may be long
        outcomes.sort(key=lambda outcome: (CONSISTENT, UNDECIDED, INCONSISTENT).index(outcome.status))
        caption += f" (the first {MOST_ROWS}, those that fit before the others)"
    rows = [[*reading_row(each), each.reason] for each in outcomes[:MOST_ROWS]]
    for row in rows:
        row[1] = badge(row[1])
    headings = ["reading", "verdict", "matrices", "reason"]
    if not any(reason for *_, reason in rows):
        rows, headings = [row[:-1] for row in rows], headings[:-1]
    return Section("readings", "Readings", table(headings, rows, caption=caption, numbers=(2,)))


def reading_row(outcome: Outcome) -> list[str]:
    """What the reading assumes, its verdict, and how many matrices fit."""
    count = "" if outcome.count is None else grouped(outcome.count)
    return [assumed(outcome.reading), outcome.status, count]


def _other_readings(verdict: Verdict) -> Section | None:
    if verdict.status != INCONSISTENT or not verdict.other_readings:
        return None
    rows = [[each["words"], badge(each["verdict"])] for each in verdict.other_readings]
    caption = "Readings outside the claim; they change no verdict"
    return Section("other-readings", "Other readings", table(OTHERS, rows, caption=caption))


def _notes(verdict: Verdict) -> Section | None:
    if not verdict.remarks:
        return None
    return Section("notes", "Notes", tag("ul", [tag("li", note) for note in verdict.remarks]))
