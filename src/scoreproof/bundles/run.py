"""The figures under every evaluation of a bundle, and the bundles that are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from scoreproof.api import TIMEOUT, judge
from scoreproof.bundles.entry import Bundle, bundles_of
from scoreproof.bundles.survey import Evaluated, Survey
from scoreproof.decision import INCONSISTENT
from scoreproof.effort import allowed
from scoreproof.errors import BadClaim, quoted
from scoreproof.hints import nearest
from scoreproof.reading.datasets.entry import plain
from scoreproof.reading.datasets.sources import Source, added, shipped
from scoreproof.reading.load import load
from scoreproof.scores.names import UnknownScore


def bundle(
    name: str,
    scores: Mapping[str, object],
    *,
    rounding: object = None,
    eps: object = None,
    conventions: Mapping[str, Any] | None = None,
    timeout: float | None = 3 * TIMEOUT,
    effort: str = "normal",
    progress: Callable[[int, int], None] | None = None,
    **known: Any,
) -> Survey:
    """The figures under every evaluation of the bundle of this name.

    ``known`` is what the paper does tell, such as ``image="03"``, ``region="fov"`` or
    ``folds=5``; it leaves fewer evaluations to try.  ``effort`` and ``timeout`` are for all of
    them together.  ``progress`` is told the evaluations tried and all of them.
    """
    found = find(name)
    if not isinstance(scores, Mapping) or not scores:
        raise BadClaim("scores", 'nothing is reported; give at least one figure, such as {"acc": "0.9447"}')
    if eps is not None and rounding is not None:
        raise BadClaim("eps", "does not go together with rounding; keep one")
    rule = rounding if eps is None else {"eps": eps}
    more: dict[str, Any] = {} if rule is None else {"rounding": rule}
    if conventions:
        more["conventions"] = dict(conventions)
    budget = allowed(effort, timeout, times=3)
    questions, evaluations = found.evaluations(scores, known, more)

    def tried(also: Mapping[str, Any]) -> tuple[Evaluated, ...]:
        """Every evaluation with its verdict; a slow one must not use up the work of the others."""
        rows = []
        for index, (choices, claim) in enumerate(evaluations):
            if progress is not None:
                progress(index, len(evaluations))
            share = budget.share(min(len(evaluations) - index, 4))
            try:
                verdict = judge(load({**claim, **also}), share, effort="normal")
            except UnknownScore:
                if any(choice.suffix for choice in choices):
                    continue  # a score that does not come in this kind, so it was not computed this way
                raise
            except BadClaim as error:
                raise found.blame(choices, known, more, error) from None
            rows.append(Evaluated(choices, verdict))
        return tuple(rows)

    rows = tried({})
    if not rows:
        kinds = " or ".join(sorted({choice.suffix for each, _ in evaluations for choice in each} - {""}))
        problem = f"{found.name} looks at {kinds} figures, and not all of {', '.join(scores)} come as such"
        raise BadClaim("scores", f"{problem}; leave out those that do not")
    unasked = dict.fromkeys(key for each in found.questions for key in each.when if key not in known)
    survey = Survey(found, questions, dict(scores), rows, tuple(unasked))
    if survey.status == INCONSISTENT and rows[0].verdict.claim.rounding_assumed:
        return replace(survey, looser=tried({"rounding": "any"}))
    return survey


def find(name: object) -> Bundle:
    """The bundle of this name."""
    every = _every((*shipped("bundles"), *added()))
    if not isinstance(name, str) or plain(name) not in every:
        hint = (
            nearest(str(name), [each.name for each in every.values()])
            or " (there are: " + ", ".join(each.name for each in every.values()) + ")"
        )
        raise BadClaim("bundle", f"no bundle is called {quoted(name)}{hint}")
    return every[plain(name)]


def known_bundles() -> tuple[Bundle, ...]:
    """Every known bundle.

    >>> [each.name for each in known_bundles() if each.field == "skin"]
    ['isic2016', 'isic2017']
    """
    return tuple(_every((*shipped("bundles"), *added())).values())


@lru_cache(maxsize=16)
def _every(sources: tuple[Source, ...]) -> dict[str, Bundle]:
    found: dict[str, Bundle] = {}
    for source in sources:
        for each in bundles_of(source):
            other = found.get(plain(each.name))
            if other is not None and other.source.where != source.where:
                problem = (
                    f"{each.name!r} is the name of a bundle already ({other.source.where}); choose another"
                )
                raise source.wrong(("bundles", each.name), problem)
            found[plain(each.name)] = each
    return found
