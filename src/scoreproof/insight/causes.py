"""What may have happened to a claim that does not fit, one row per cause.

Every cause rewrites the claim file: each rewriting is again a claim file that can be
checked, saved and argued about.  Causes never change a verdict.  ``prior`` says how often a
cause is met compared with the others; it only orders them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from scoreproof.insight import other_figures as figure
from scoreproof.insight import other_set_ups as set_up
from scoreproof.insight import slips
from scoreproof.insight.other_figures import Rewrite, Rewritten, figures
from scoreproof.insight.places import Place, Source, changed


@dataclass(frozen=True, slots=True)
class Slip:
    """One figure was printed wrongly: what it may have been, and the verb between the two."""

    texts: slips.Slips
    verb: str
    how: str = ""

    def words(self, place: Place, text: str) -> str:
        return f"{place.label} {place.text.strip()} {self.verb} {text.strip()}{self.how}"


@dataclass(frozen=True, slots=True)
class Cause:
    """What may have happened, in words that follow "they would fit if", and how to rewrite the claim."""

    name: str
    prior: float
    rewrite: Rewrite | Slip
    words: str
    repeats: bool = False  # it is that figures are the same, and fits whatever they say
    quick: bool = False  # also tried for the sentence of a verdict

    def rewritings(self, source: Source) -> Rewritten:
        """Every claim file the cause could have started from, with the words for it."""
        if not isinstance(self.rewrite, Slip):
            yield from self.rewrite(source)
            return
        for place in figures(source):
            for text in self.rewrite.texts(place.text):
                yield self.rewrite.words(place, text), changed(source, place.path, text)


# fmt: off
CAUSES = (
    #      name                 prior  rewriting
    Cause("digit",               4.0, Slip(slips.one_changed, "is a slip for"),
          "one digit of one figure is another"),
    Cause("digits swapped",      2.0, Slip(slips.two_swapped, "is a slip for"),
          "two neighbouring digits of one figure are swapped"),
    Cause("digit dropped",       3.0, Slip(slips.one_more, "should read", " (a digit was lost)"),
          "one figure has lost a digit"),
    Cause("digit added",         3.0, Slip(slips.one_fewer, "should read", " (a digit too many)"),
          "one figure has a digit too many"),
    Cause("decimal mark",        0.3, Slip(slips.mark_moved, "should read", " (the decimal mark slipped)"),
          "the decimal mark of one figure slipped"),
    Cause("slip after ±",        4.0, figure.slipped_deviations,
          "one number after ± is printed wrongly"),
    Cause("percent",             2.0, figure.without_percent, "percent signs stand after shares"),
    Cause("repeated figure",     2.0, figure.repeated, "one figure repeats that of another row or column",
          repeats=True),
    Cause("rows swapped",        2.0, figure.swapped_rows,
          "the figures of two rows stand in each other's place"),
    Cause("names swapped",       2.0, figure.swapped_names, "two figures stand in each other's place"),
    Cause("complement",          2.0, figure.complement, "one figure is one minus the score"),
    Cause("classes exchanged",   2.0, set_up.exchange, "the other class was called positive"),
    Cause("other class",         1.5, figure.other_class, "one figure was computed for the other class"),
    Cause("rounded down",        2.0, partial(figure.rounding, "down"),
          "further digits were cut off instead of rounded"),
    Cause("rounded up",          0.3, partial(figure.rounding, "up"), "the figures were rounded up"),
    Cause("pooled",              3.0, partial(set_up.aggregate, "pooled"),
          "the counts of all parts were pooled before scoring", quick=True),
    Cause("averaged",            3.0, partial(set_up.aggregate, "mean"),
          "the scores of the parts were averaged", quick=True),
    Cause("partly pooled",       0.5, set_up.partly_pooled,
          "one score was pooled and the others averaged, or the reverse"),
    Cause("F of means",          1.0, set_up.convention(set_up.averages_f, f_mean="of_means"),
          "F was computed from the mean precision and the mean recall", quick=True),
    Cause("F of means, zero",    0.2, set_up.convention(set_up.averages_f, f_mean="of_means", undefined="zero"),
          "F came from the mean precision and recall, undefined folds as 0", quick=True),
    Cause("F of means, skip",    0.2, set_up.convention(set_up.averages_f, f_mean="of_means", undefined="skip"),
          "F came from the mean precision and recall, undefined folds left out", quick=True),
    Cause("F of mean precision and recall", 1.0, set_up.convention(set_up.has_classes, f_mean="of_means"),
          "F was computed from the mean precision and the mean recall", quick=True),
    Cause("unpredicted as zero", 0.7, set_up.convention(set_up.has_classes, undefined="zero"),
          "scores of classes that were never predicted counted as 0", quick=True),
    Cause("undefined as zero",   0.7, set_up.convention(set_up.averages, undefined="zero"),
          "undefined folds counted as 0", quick=True),
    Cause("undefined skipped",   0.7, set_up.convention(set_up.averages, undefined="skip"),
          "undefined folds were left out", quick=True),
    Cause("balanced",            2.0, partial(set_up.recounted, set_up.balanced),
          "the classes were balanced before scoring"),
    Cause("nearly balanced",     0.3, partial(set_up.recounted, set_up.nearly_balanced),
          "the smaller class was oversampled to nearly the size of the larger"),
    Cause("items missing",       2.0, partial(set_up.recounted, set_up.dropped), "a few items went missing"),
    Cause("item added",          0.3, partial(set_up.recounted, set_up.added),
          "one item more was evaluated"),
    Cause("multiplied",          1.0, partial(set_up.recounted, set_up.multiplied),
          "items were counted more than once"),
    Cause("thinned out",         0.3, partial(set_up.recounted, set_up.deduplicated),
          "duplicates were removed"),
    Cause("held out",            1.5, partial(set_up.recounted, set_up.held_out),
          "a share of the data was evaluated"),
    Cause("zero cells",          1.0, set_up.convention(set_up.one_table, zero_cells="half-all"),
          "half an item was added to every cell of a table with an empty one"),
    Cause("deviation",           2.0, set_up.deviations, "the numbers after ± are another deviation"),
    Cause("other variant",       1.0, set_up.other_choice,
          "another region, annotator, split or task was evaluated"),
    Cause("other folds",         2.0, set_up.folded, "the number of folds was another"),
    Cause("stratified",          1.0, partial(set_up.stratified, True), "the folds were stratified"),
    Cause("not stratified",      0.7, partial(set_up.stratified, False), "the folds were not stratified"),
    Cause("training items",      1.0, set_up.training, "the items of training were scored"),
    Cause("macro average",       0.9, partial(set_up.averaged_classes, "macro"),
          "the scores are plain averages over both classes"),
    Cause("weighted average",    0.9, partial(set_up.averaged_classes, "weighted"),
          "the scores are averages over both classes, weighted with their sizes"),
    Cause("sample variance",     1.0, set_up.convention(set_up.has_variance, sd="sample"),
          "the variance of the targets was computed with N - 1", quick=True),
    Cause("rounding any",        0.05, partial(figure.rounding, "any"),
          "the figures may be off by up to one unit of the last digit", quick=True),
    Cause("last digit",          0.005, figure.coarser, "the last digit is not reliable"),
)
# fmt: on
