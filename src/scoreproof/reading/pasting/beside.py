"""What is said beside a text, such as counts in a form: it completes the claims, and may not contradict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof.claim.fields import COUNTS, keys_of
from scoreproof.errors import BadClaim, quoted
from scoreproof.reading.pasting.result import told

Claim = dict[str, Any]
#: What a dataset, classes or a choice say in other words.
_OTHERS = ("dataset", "classes", "labels", "one_of", "parts", "samples")


def beside_of(known: Mapping[str, Any] | None) -> Claim:
    """What is known, in the shape of a claim: given as one, or as the keys of its experiment alone."""
    if known is None:
        return {}
    if not isinstance(known, Mapping):
        raise BadClaim(
            "known", f"expected a claim or an experiment, such as {{'p': 38}}, found {quoted(known)}"
        )
    found = {key: value for key, value in known.items() if value is not None and value != {}}
    return found if set(found) <= keys_of("").keys() else {"experiment": found}


def completed(claim: Mapping[str, Any], known: Mapping[str, Any]) -> Claim:
    """The claim with what is known beside it; a contradiction is an error."""
    if not known:
        return dict(claim)
    found = dict(claim)
    for key, value in known.items():
        if key == "experiment":
            found[key] = _experiment(dict(claim.get(key, {})), dict(value))
        elif isinstance(value, Mapping) and isinstance(claim.get(key, {}), Mapping):
            found[key] = _merged(key, dict(claim.get(key, {})), value)
        else:
            found[key] = _merged(key, {key: claim[key]} if key in claim else {}, {key: value})[key]
    return found


def _merged(place: str, own: Claim, more: Mapping[str, Any]) -> Claim:
    for key, value in more.items():
        if key in own and str(own[key]) != str(value):
            where = key if key == place else f"{place}.{key}"
            raise BadClaim(
                where, f"the text says {quoted(own[key])}, and beside it stands {quoted(value)}; keep one"
            )
    return {**own, **more}


def _experiment(own: Claim, more: Claim) -> Claim:
    """The two experiments as one; counts beside the text stand for a total, or a dataset, that it names."""
    if {"p", "n"} <= more.keys():
        total, p, n = own.get("total"), more["p"], more["n"]
        if all(isinstance(each, int) for each in (total, p, n)):
            if p + n != total:
                raise BadClaim(
                    "experiment.total", f"the text says {total}, and beside it stand {p} and {n}; keep one"
                )
            del own["total"]
    elif {"p", "n"} <= own.keys() and isinstance(more.get("total"), int):
        if isinstance(own["p"], int) and isinstance(own["n"], int) and own["p"] + own["n"] != more["total"]:
            both = f"{own['p']} and {own['n']}"
            raise BadClaim(
                "experiment.total", f"the text says {both}, and beside it stands {more['total']}; keep one"
            )
        del more["total"]
    for one, other in ((own, more), (more, own)):
        if any(key in one and key not in other for key in _OTHERS) and other.keys() & {*COUNTS, *_OTHERS}:
            both = f"{', '.join(told(own))}, and beside it stands {', '.join(told(more))}"
            raise BadClaim("experiment", f"the text says {both}; keep one")
    return _merged("experiment", own, more)
