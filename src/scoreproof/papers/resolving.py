"""Which set-up a row of a table is about: the readings that what the document says leaves for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.claim.fields import COUNTS
from scoreproof.papers.document import Place, Table
from scoreproof.papers.set_up import Facts, Reading, Readings, instructions
from scoreproof.papers.settings import Setting
from scoreproof.reading.prose.lexicon import LEFT
from scoreproof.reading.prose.named import sizes_of
from scoreproof.reading.prose.phrases import (
    Said,
    Scope,
    counts_in,
    scope_of,
    totals_in,
    with_place,
)
from scoreproof.reading.prose.protocols import averaging_in, folds_in

#: Other counts that are tried where several are said, and items up to which a number of all items is looked at.
MOST_CANDIDATES = 4
MOST_ITEMS = 5_000
MATRIX = frozenset({"tp", "fp", "fn", "tn"})
#: What says how items were dealt, and what says which they are.
DEALT = frozenset({"folds", "holdout", "repeats", "aggregate"})
COUNTED = frozenset({*COUNTS, "dataset", "samples"})


@dataclass(frozen=True, slots=True)
class About:
    """What a row says of itself: its name and the headings over it, the keys its columns give, its scores."""

    words: tuple[str, ...] = ()
    keys: frozenset[str] = frozenset()
    deviations: bool = False  # mean ± sd
    two_classes: bool = False  # its scores are those of two classes
    dataset: str = ""
    matrix: tuple[int, int] | None = None  # positives and negatives, where the row has a whole matrix

    @property
    def counted(self) -> bool:
        """Whether the row has counts of its own."""
        return bool(self.keys & {*COUNTS, *MATRIX})


@dataclass(frozen=True, slots=True)
class Told:
    """What instructions say about a row."""

    experiment: Mapping[str, Any]
    conventions: Mapping[str, Any]
    rounding: Any
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Candidates:
    """The counts a row may be about, each with its words; ``why`` they are not certain, if they are not."""

    counts: tuple[tuple[Mapping[str, Any], tuple[Said, ...]], ...]
    why: str = ""


def readings_of(
    facts: Facts, table: Table, number: int, about: About, settings: Sequence[Setting] = ()
) -> Readings:
    """The readings of a row, by what the document says and what was set."""
    # cc: what is set, counted, dealt and doubted, one after the other
    told = _told(facts, table, number, about, settings)
    scope = _scope(table, about)
    folds = [()] if told.experiment.keys() & DEALT or "folds" in about.keys else _folds(facts, table, scope)
    found = _counts(facts, table, scope, about, told)
    if about.keys & MATRIX:
        folds = [fold for fold in folds if _pooled(fold)][:1] or [()]  # the matrix of all folds together
    why = found.why or _otherwise(facts, about, told, found, folds)
    readings = []
    for what, said in found.counts:
        for fold in folds:
            if fold and "total" in what and "p" not in what:
                why = why or "the folds of unknown class counts are too many"
            else:
                readings.append(_reading(what, said, fold, told))
    if readings and not why:
        return Readings(tuple(readings), True)
    unread = _unreadable(facts, about)
    if unread:
        return Readings((), False, why, unread)
    left = {key: value for key, value in told.experiment.items() if key not in ("folds", "repeats")}
    last = Reading(left, told.said, told.conventions or None, told.rounding, bare=about.counted)
    return Readings((*readings, last), False, why or "the document gives no class counts for this table")


def _told(facts: Facts, table: Table, number: int, about: About, settings: Sequence[Setting]) -> Told:
    experiment: dict[str, Any] = {}
    conventions: dict[str, Any] = {}
    rounding: Any = None
    given: list[Said] = []
    for each in (*instructions(facts, table), *settings):
        if each.ignore or not each.holds_for(table, number, about.words):
            continue
        own = dict(each.claim["experiment"])
        if COUNTED & own.keys():
            experiment = {key: value for key, value in experiment.items() if key not in COUNTED}
        experiment |= own
        conventions |= each.claim.get("conventions", {})
        rounding = each.claim.get("rounding", rounding)
        where = "instruction" if each.passage else "set"
        place = each.passage.place if each.passage else Place()
        given.append(Said(own, each.words, place=place, where=where))
    return Told(experiment, conventions, rounding, tuple(given))


def _scope(table: Table, about: About) -> Scope:
    """The part of the data a row is about, by its own words, else by the caption."""
    for words in (*about.words, table.caption):
        if found := scope_of(words):
            return found
    return ""


def _reading(what: Mapping[str, Any], said: tuple[Said, ...], fold: tuple[Said, ...], told: Told) -> Reading:
    experiment = dict(what)
    for each in fold:
        experiment |= each.what
    conventions = dict(told.conventions)
    if any(not each.sure and "p" in each.what for each in said):
        conventions.setdefault("positive", "open")
    return Reading(experiment, (*said, *fold), conventions or None, told.rounding)


def _pooled(fold: Iterable[Said]) -> bool:
    return any(each.what.get("aggregate") == "pooled" for each in fold)


def _otherwise(
    facts: Facts, about: About, told: Told, found: Candidates, folds: Sequence[tuple[Said, ...]]
) -> str:
    """Why figures may be something else than those of the counts: means over folds or runs, of more classes."""
    folded = any(folds) or "folds" in told.experiment or "folds" in about.keys
    if about.deviations and not folded:
        return "figures with ± are means, over how many runs is not said"
    if told.said:
        return ""
    if about.keys & MATRIX and facts.crossed and not any(map(_pooled, folds)):
        return f"the figures may be means over folds ({quote(facts.crossed)})"
    if facts.several and not about.counted and not any("classes" in what for what, _ in found.counts):
        return f"the document speaks of several classes ({quote(facts.several)})"
    if facts.crossed and not facts.folds and not about.counted and not folded:
        return f"in how many folds is not said ({quote(facts.crossed)})"
    if facts.runs and not any(folds):
        return f"figures may be means over runs ({quote(facts.runs)})"
    return ""


# -- counts ----------------------------------------------------------------------------------------


def _counts(facts: Facts, table: Table, scope: Scope, about: About, told: Told) -> Candidates:
    """The counts a row may be about: set, its own, near it, or in the text."""
    if about.matrix and not about.keys & {*COUNTS} and not told.experiment.keys() & COUNTED:
        p, n = about.matrix
        return Candidates((({**told.experiment, "p": p, "n": n}, told.said),))
    if about.counted or told.experiment.keys() & COUNTED:
        return Candidates(((told.experiment, told.said),))
    found = _near(table, scope, about) or _far(facts, table, scope, about)
    counts = tuple(({**what, **told.experiment}, (*told.said, *said)) for what, said in found.counts)
    return replace(found, counts=counts)


def _listed(said: Sequence[Said], why: str = "") -> Candidates:
    return Candidates(tuple((dict(each.what), (each,)) for each in said[:MOST_CANDIDATES]), why)


def _near(table: Table, scope: Scope, about: About) -> Candidates | None:
    """Class counts in the row's own words, or in the caption and the notes."""
    row = [each for words in about.words for each in with_place(counts_in(words), table.place, "row")]
    around = [
        each
        for where, texts in (("caption", (table.caption,)), ("note", table.notes))
        for words in texts
        for each in with_place(counts_in(words), table.place, where)
        if same_scope(each.scope, scope)
    ]
    near = row or around
    if not near:
        return None
    several = len({str(dict(each.what)) for each in near}) > 1
    return _listed(near, "the table speaks of several counts") if several else _listed(near[:1])


def _far(facts: Facts, table: Table, scope: Scope, about: About) -> Candidates:
    """Class counts and datasets of the text, with the number of items the table speaks of."""
    # cc: each thing a text can say narrows the counts
    total = _total(table, scope, about)
    fitting = _distinct(each for each in facts.counts if same_scope(each.scope, scope))
    if len(fitting) > 1:
        fitting = _about_row(fitting, about.words) or _about_row(fitting, (table.caption,)) or fitting
    if total is not None:
        fitting = [each for each in fitting if _size(each) == total.what["total"]] or fitting
    named = _distinct(each for each in facts.datasets if each.scope != "before")
    if about.dataset:
        named = [Said({"dataset": about.dataset}, about.dataset, place=table.place, where="row")]
        fitting = []
    if not fitting and not named:
        return _only_total(facts, scope, total)
    why = _doubt(facts, fitting, named, scope)
    if not fitting:
        return _listed(named, why or (_whole(facts, named, scope) if len(named) == 1 else ""))
    if total is not None and _size(fitting[0]) != total.what["total"]:
        why = why or f"the table speaks of {total.what['total']} items"
    if len(fitting) > 1:
        shown = ", ".join(map(_counted, fitting[:3]))
        return _listed([*fitting, *named], why or f"the document gives several class counts ({shown})")
    return _listed([*fitting, *named], why) if why else _listed(fitting)


def _whole(facts: Facts, named: Sequence[Said], scope: Scope) -> str:
    apart = facts.split and not _tested(facts, named, scope)
    return "the whole dataset may not be meant" if apart or facts.left_out else ""


def _tested(facts: Facts, said: Sequence[Said], scope: Scope) -> bool:
    """Whether counts are those of the items for testing; a dataset has its own, unless others were drawn."""
    named = {each.what["dataset"] for each in said if "dataset" in each.what}
    sizes = frozenset[int]().union(*map(sizes_of, named))
    others = (each for each in facts.totals if same_scope(each.scope, "test"))
    if named and (facts.drawn or facts.pixels or any(each.what["total"] not in sizes for each in others)):
        return False
    return bool(said) and all(each.scope and each.scope == (scope or "test") for each in said)


def _total(table: Table, scope: Scope, about: About) -> Said | None:
    """The number of items that the row or the caption speaks of, if it is one."""
    row = [each for words in about.words for each in with_place(totals_in(words), table.place, "row")]
    around = [
        each
        for words in (table.caption, *table.notes)
        for each in with_place(totals_in(words), table.place, "caption")
        if same_scope(each.scope, scope)
    ]
    found = row or around
    return found[0] if len({each.what["total"] for each in found}) == 1 else None


def _only_total(facts: Facts, scope: Scope, total: Said | None) -> Candidates:
    """All that is known is how many items there are, if that."""
    if total is not None and total.what["total"] <= MOST_ITEMS:
        sure = (total.where == "caption" or scope_of(total.words)) and not facts.split
        return _listed([total], "" if sure else "all items may not be meant")
    loose = _distinct(each for each in facts.totals if same_scope(each.scope, scope))
    fair = [each for each in loose if each.what["total"] <= MOST_ITEMS]
    return _listed(fair if len(fair) == 1 else [], "the document gives no class counts for this table")


def _about_row(counts: Sequence[Said], words: Sequence[str]) -> list[Said]:
    """The counts beside which a name of the row stands, where it does beside some only."""
    for name in words:
        name = name.casefold()
        found = [each for each in counts if len(name) > 2 and name in each.about.casefold()]
        if 0 < len(found) < len(counts):
            return found
    return []


def _doubt(facts: Facts, fitting: Sequence[Said], named: Sequence[Said], scope: Scope) -> str:
    """Why counts of the text may not be those of the table."""
    if scope == "before":
        return "the table is about items before some were left out"
    if len(named) > 1:
        return "the document names several datasets"
    tested = _tested(facts, fitting or named, scope)
    if facts.split and not tested:
        return f"some items may be kept for testing ({quote(facts.split)})"
    if facts.pieces and not any(each.words == facts.pieces for each in fitting):
        return f"items may be pieces of those counted ({quote(facts.pieces)})"
    left = any(each.words == facts.left_out or LEFT.search(each.words) for each in fitting)
    if facts.left_out and not tested and not left:
        return f"counts may be those before items were left out or added ({quote(facts.left_out)})"
    return ""


def same_scope(scope: Scope, wanted: Scope) -> bool:
    """Whether counts about one part of the data can be those of a table about another."""
    if scope == "before":
        return False
    if not wanted:
        return scope in ("", "test", "validation")
    return scope in ("", wanted) or {scope, wanted} == {"test", "validation"}


# -- folds -----------------------------------------------------------------------------------------


def _folds(facts: Facts, table: Table, scope: Scope) -> list[tuple[Said, ...]]:
    """The foldings a table may be about, () for none."""
    # cc: what the caption says comes before what the text says
    texts = (table.caption, *table.notes)
    near = [each for words in texts for each in with_place(folds_in(words), table.place, "caption")]
    averaging = [each for words in texts for each in averaging_in(words)]
    averaging = _distinct(averaging or (each for each in facts.averaging if each.scope != "before"))
    how = tuple(averaging) if len(averaging) == 1 else ()
    said = _merged(each for each in facts.folds if each.scope != "before")
    if len({str(each.what) for each in near}) == 1 and near[0].sure:
        alike = (each for each in said if each.what["folds"] == near[0].what["folds"])
        return [(*_merged([near[0], *alike])[:1], *how)]
    if not said:
        return [()]
    found: list[tuple[Said, ...]] = [(each, *how) for each in said[:2]]
    if facts.split or scope:  # a test set is spoken of
        return [(), *found]
    return found if len(said) == 1 and said[0].sure else [*found, ()]


def _merged(folds: Iterable[Said]) -> list[Said]:
    """What is said about folds, with all that is said about the same number of them together."""
    found: dict[Any, Said] = {}
    for each in folds:
        other = found.get(each.what["folds"])
        if other is None:
            found[each.what["folds"]] = each
        elif all(other.what.get(key, value) == value for key, value in each.what.items()):
            both = {**other.what, **each.what}
            words = each.words if len(each.what) > len(other.what) else other.words
            found[each.what["folds"]] = replace(other, what=both, words=words, sure=other.sure or each.sure)
        else:
            found[str(each.what)] = each
    return list(found.values())


def _unreadable(facts: Facts, about: About) -> str:
    """Why a row whose counts are open is not checked: figures of several classes obey other rules."""
    if facts.several:
        return f"counts of classes are not given, and there may be several ({quote(facts.several)})"
    if not (about.two_classes or facts.binary or facts.counts):
        return "nothing says that there are two classes, nor how many items each has"
    return ""


def _distinct(said: Iterable[Said]) -> list[Said]:
    found: dict[str, Said] = {}
    for each in said:
        key = str(sorted(each.what.items(), key=str))
        if key not in found or (each.scope == "test" and not found[key].scope):
            found[key] = each
    return list(found.values())


def _size(said: Said) -> int:
    return sum(said.what.get("classes", {}).values()) or said.what.get("p", 0) + said.what.get("n", 0)


def _counted(said: Said) -> str:
    return " and ".join(map(str, said.what.get("classes", said.what).values()))


def quote(words: str, limit: int = 70) -> str:
    return f"“{words if len(words) <= limit else words[: limit - 1].rstrip() + '…'}”"
