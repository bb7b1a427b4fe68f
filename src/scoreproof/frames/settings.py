"""What holds for all rows of a table that do not say otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from scoreproof.api import TIMEOUT
from scoreproof.effort import allowed
from scoreproof.errors import BadClaim, quoted
from scoreproof.hints import nearest
from scoreproof.reading.load import load
from scoreproof.reading.tables.claims import Settings


class Options(TypedDict, total=False):
    """What can be said about a table: its columns, and what holds for every row of it."""

    columns: Mapping[str, str | None] | None  # what headers stand for; None leaves a column out
    experiment: Mapping[str, Any] | None  # these three in the shape of the claim file
    rounding: Any
    conventions: Mapping[str, Any] | None
    decimals: int | Mapping[str, int] | None  # digits that were printed of figures given as numbers
    eps: Any  # how far off each figure may be
    timeout: float | None
    effort: str


def settings_of(options: Options) -> Settings:
    """The settings, with what makes no sense refused before any row is read."""
    given: dict[str, Any] = {"timeout": TIMEOUT, **options}
    given.pop("columns", None)
    for name in given:
        if name not in Options.__annotations__:
            raise TypeError(f"there is no option {name!r} (known: {', '.join(Options.__annotations__)})")
    for name in ("experiment", "conventions"):
        if not isinstance(given.get(name), Mapping | None):
            raise BadClaim(name, f"expected a mapping as in a claim file, found {quoted(given[name])}")
        given[name] = dict(given.get(name) or {})
    settings = Settings(**given)
    decimals, eps, rounding = settings.decimals, settings.eps, settings.rounding
    for digits in decimals.values() if isinstance(decimals, Mapping) else (decimals,):
        if digits is not None and (type(digits) is not int or not 0 <= digits <= 30):
            raise BadClaim("decimals", f"expected 0 to 30, found {quoted(digits)}")
    if eps is not None and rounding is not None:
        raise BadClaim("eps", "does not go together with rounding; keep one")
    allowed(settings.effort, settings.timeout)
    # a rounding or a convention that would make every row unreadable is refused here
    claim = {"experiment": {"p": 1, "n": 1}, "scores": {"acc": "1"}, "conventions": settings.conventions}
    rule = rounding if eps is None else {"eps": eps}
    if rule is not None and (not isinstance(rule, Mapping) or "eps" in rule):
        claim["rounding"] = rule  # one per score is read with the scores of each row
    load(claim)
    return settings


def grouped(by: str | Sequence[str] | None, headers: Iterable[str]) -> tuple[str, ...]:
    """The columns whose values group the rows."""
    if not isinstance(by, str | Sequence | None):
        raise BadClaim("by", f"expected the name of a column, or several, found {quoted(by)}")
    names = (by,) if isinstance(by, str) else tuple(by or ())
    known = list(headers)
    for name in names:
        if name not in known:
            raise BadClaim("by", f"no column is called {quoted(name)}{nearest(str(name), known)}")
    return names
