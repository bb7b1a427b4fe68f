"""The figures under every evaluation of a bundle, and the bundles that are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from scoreproof.api import TIMEOUT, judge
from scoreproof.budget import Budget
from scoreproof.bundles.entry import Bundle, Evaluation, bundles_of
from scoreproof.bundles.survey import Evaluated, Survey
from scoreproof.decision import INCONSISTENT
from scoreproof.errors import BadClaim, UnknownScore, nearest, quoted
from scoreproof.reading.datasets.entry import plain
from scoreproof.reading.datasets.sources import Source, added, shipped
from scoreproof.reading.load import load


def bundle(
    name: str,
    scores: Mapping[str, object],
    *,
    rounding: object = None,
    eps: object = None,
    conventions: Mapping[str, Any] | None = None,
    timeout: float | None = 3 * TIMEOUT,
    effort: str = "normal",
    **known: Any,
) -> Survey:
    """The figures under every evaluation of the bundle of this name.

    ``known`` is what the paper does tell, such as ``image="03"``, ``region="fov"`` or
    ``folds=5``; it leaves fewer evaluations to try.  ``effort`` and ``timeout`` are for all of
    them together.
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
    budget = Budget.of(effort, timeout, times=3)
    questions, evaluations = found.evaluations(scores, known, more)
    rows = _tried(found, evaluations, budget, {})
    if not rows:
        kinds = " or ".join(sorted({choice.suffix for each in evaluations for choice in each.choices} - {""}))
        problem = f"{found.name} looks at {kinds} figures, and not all of {', '.join(scores)} come as such"
        raise BadClaim("scores", f"{problem}; leave out those that do not")
    survey = Survey(found, questions, dict(scores), rows, _unasked(found, known))
    if survey.status == INCONSISTENT and rows[0].verdict.claim.rounding_assumed:
        return replace(survey, looser=_tried(found, evaluations, budget, {"rounding": "any"}))
    return survey


def _unasked(found: Bundle, known: Mapping[str, Any]) -> tuple[str, ...]:
    """What would have to be known for questions that were not asked."""
    return tuple(dict.fromkeys(key for each in found.questions for key in each.when if key not in known))


def _tried(
    bundle: Bundle, evaluations: list[Evaluation], budget: Budget, more: Mapping[str, Any]
) -> tuple[Evaluated, ...]:
    """Every evaluation with its verdict; a slow one must not use up the work of the others."""
    rows = []
    for index, evaluation in enumerate(evaluations):
        share = budget.share(min(len(evaluations) - index, 4))
        try:
            claim = load({**evaluation.claim, **more})
            verdict = judge(claim, share, effort="normal", timeout=TIMEOUT)
        except UnknownScore:
            if any(choice.suffix for choice in evaluation.choices):
                continue  # a score that does not come in this kind, so it was not computed this way
            raise
        except BadClaim as error:
            raise bundle.blame(evaluation, error) from None
        rows.append(Evaluated(evaluation.choices, verdict))
    return tuple(rows)


def find(name: object) -> Bundle:
    """The bundle of this name."""
    every = _every()
    if not isinstance(name, str) or plain(name) not in every:
        hint = nearest(str(name), [each.name for each in every.values()]) or "; `scoreproof bundle` lists them"
        raise BadClaim("bundle", f"no bundle is called {quoted(name)}{hint}")
    return every[plain(name)]


def known_bundles() -> tuple[Bundle, ...]:
    """Every known bundle.

    >>> [each.name for each in known_bundles() if each.field == "skin"]
    ['isic2016', 'isic2017']
    """
    return tuple(_every().values())


def _every() -> dict[str, Bundle]:
    return _index((*shipped("bundles"), *added()))


@lru_cache(maxsize=16)
def _index(sources: tuple[Source, ...]) -> dict[str, Bundle]:
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
