"""The verdict in one plain, neutral sentence."""

from __future__ import annotations

from collections.abc import Mapping

from scoreproof.claim.tree import Classes, Ranking, Regression, Uncounted
from scoreproof.decision import CONSISTENT, INCONSISTENT
from scoreproof.insight.phrases import Words, assuming, outside, rule
from scoreproof.insight.words.conventions import takes
from scoreproof.missing import WITHOUT
from scoreproof.verdict import Verdict

BEYOND = "; neither cutting digits off nor rounding up explains it"


def words_for(verdict: Verdict) -> Words:
    """The words for the kind of experiment."""
    match verdict.outcomes[0].reading.experiment:
        case Classes():
            from scoreproof.insight.words import classes

            return classes.WORDS
        case Regression():
            from scoreproof.insight.words import regression

            return regression.WORDS
        case Ranking():
            from scoreproof.insight.words import ranking

            return ranking.WORDS
    from scoreproof.insight.words import two_classes

    return two_classes.WORDS


def place(verdict: Verdict) -> str:
    """The experiment in words, with the name of its dataset."""
    words = words_for(verdict).place(verdict)
    experiment = verdict.claim.source.get("experiment")
    dataset = None
    if isinstance(experiment, Mapping):
        # counted claims name it beside their counts
        dataset = experiment.get("dataset") or dict(experiment.get("from") or {}).get("dataset")
    return f"{words} (dataset {dataset})" if dataset else words


#: The convention that other numbers of a text are the counts.
COUNTS_MEANT = "counts meant"


def _only_as_means(verdict: Verdict) -> bool:
    """Whether nothing is said about counts or folds, and no single test set gives the figures."""
    node = verdict.decisive.reading.experiment
    means = isinstance(node, Uncounted) and node.averaged
    return means and len(verdict.usual) > 1 and verdict.outcomes[0].status == INCONSISTENT


def sentence(verdict: Verdict) -> str:
    """One sentence that says what was decided about what."""
    words = words_for(verdict)
    where = place(verdict)
    match verdict.status:
        case "consistent":
            outcome = verdict.decisive
            fitting = sum(each.status == CONSISTENT for each in verdict.outcomes)
            usual = len(verdict.usual)
            taking = assuming(outcome.reading)
            share = f" under {fitting} of {usual} readings" if usual > 1 else ""
            if verdict.untried:
                share += f" (stopped at the first fit; {verdict.untried} more were not tried)"
            if verdict.takes:
                share = f" only if {takes(verdict.takes)}"
                where = "the text" if COUNTS_MEANT in verdict.takes else where
            elif _only_as_means(verdict):
                share, taking = " only as means over several test sets, impossible for one", ""
            return f"Consistent with {where}{share}: {taking}{words.fit(outcome)}; figures {rule(verdict)}."
        case "inconsistent":
            clash = outside(verdict) or words.clash(verdict)
            fits = [str(each["words"]) for each in verdict.other_readings if each["verdict"] == CONSISTENT]
            tail = f"; they would fit if {', or if '.join(fits)}" if fits else ""
            tail += BEYOND if verdict.severity == "beyond" else ""
            open_ = [str(each["words"]) for each in verdict.other_readings if "reason" in each]
            tail += f"; whether they would fit if {', or if '.join(open_)} {WITHOUT}" if open_ else ""
            tail += "; the time ran out before all was tried" if verdict.cut_short else ""
            return f"Inconsistent with {where}: {clash}; figures {rule(verdict)}{tail}."
    from scoreproof.insight.settling import usually_refuted

    start = "inconsistent as usually read, but under other conventions " if usually_refuted(verdict) else ""
    hope = "; or ".join(verdict.would_settle)
    if not hope:
        partial = getattr(verdict.decisive.problem, "partial", False)
        hope = f"the {words.things} themselves{'; more work would not' if partial else ''}"
    return f"Undecided for {where}: {start}{verdict.reason}. This would settle it: {hope}."
