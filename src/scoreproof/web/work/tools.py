"""The jobs behind the tools: the tables of one study, folds, slips, simulations, cases, replays."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.reading.files import parse
from scoreproof.reading.values import Bare
from scoreproof.web.openapi import FOLDS, POWER, SIMULATION, STUDY
from scoreproof.web.settings import STUDY_TIMES

Progress = Callable[[Any], None]
Found = dict[str, Any]

#: The part of the time of one claim that a single check of a study may take.
OF_A_CHECK = 0.2
#: Trials that are made here at most, and combinations of settings.
MOST_TRIALS = 100_000
MOST_SETTINGS = 200
LARGEST = 10**12
#: Cases in a fold, all cases times all positives, and numbers drawn for one setting of a simulation.
LARGEST_FOLD = 1000
LARGEST_TABLES = 2 * 10**7
MOST_DRAWN = 10**7


def wished(text: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked, in keys that are known."""
    wish = dict(parse(text))
    for key in wish:
        if key not in known:
            raise BadClaim(shorten(key), f"is not a key known here (known: {', '.join(known)})")
    return wish


def _names(wish: Mapping[str, Any], field: str) -> list[str]:
    found = wish.get(field) or []
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise BadClaim(field, f"expected a list of names, found {quoted(found)}")
    return found


def study(claim: str, timeout: float, effort: str) -> Found:
    """The 2x2 tables of one study."""
    from scoreproof.rebuild import tables
    from scoreproof.studies.common import whole_number

    wish = wished(claim, STUDY)
    scores = wish.pop("scores", {})
    for field in ("p", "n", "total"):
        if field in wish:
            whole_number(field, wish[field], 0, LARGEST)
    if not isinstance(wish.get("ci", ""), str):
        raise BadClaim("ci", f"expected the name of a method, found {quoted(wish['ci'])}")
    wish["rounding_rule"] = wish.pop("rounding", "nearest")
    found = tables(scores, **wish, timeout=timeout, effort=effort)
    return {"json": found.to_dict(), "csv": found.to_csv()}


def aggregate(claim: str) -> Found:
    """The folds of a table, averaged in every way."""
    from scoreproof.aggregate import aggregate as aggregated
    from scoreproof.aggregate import parse as parsed

    wish = wished(claim, FOLDS)
    table, wanted = wish.pop("table", None), _names(wish, "scores")
    wish.pop("scores", None)
    if not isinstance(table, str):
        raise BadClaim("table", "expected the table as text")
    if table.count("\n") > MOST_FOLDS:
        raise BadClaim("table", f"more than {MOST_FOLDS} folds; the command line takes more")
    try:
        found = aggregated(parsed(table), **wish)
    except BadClaim as error:
        # A row of the table is named by where it stands.
        field = error.field if error.field in FOLDS else "table"
        where = error.field.removeprefix("table").lstrip(", ")
        raise BadClaim(
            field, f"{where}: {error.problem}" if field == "table" and where else error.problem
        ) from None
    if wanted:
        found = replace(found, scores={found[name].score: found[name] for name in wanted})
    return {"json": found.to_dict()}


MOST_FOLDS = 2000


class _Clock:
    """Says how far a study is, and ends it with what it has when its time is over."""

    def __init__(self, progress: Progress, words: str, seconds: float, parts: int = 1) -> None:
        self.progress, self.words, self.parts = progress, words, parts
        self.until = time.monotonic() + seconds
        self.before = 0  # parts that are done

    def __call__(self, done: int, total: int) -> None:
        done, total = self.before * total + done, self.parts * total
        words = f"{done:,} of {total:,} {self.words}"
        self.progress({"done": done, "total": total, "words": words, "steady": True})
        if done < total and time.monotonic() > self.until:
            raise KeyboardInterrupt  # which keeps what is done


def power(claim: str, progress: Progress, timeout: float, effort: str) -> Found:
    """How often a slip is caught, model by model."""
    from scoreproof.studies.power import power as simulated

    wish = wished(claim, POWER)
    models = _names(wish, "models") or ["typo"]
    wish.pop("models", None)
    if len(models) > 6:
        raise BadClaim("models", "more than six at once; ask for some of them")
    _bounded(wish)
    if not isinstance(wish.get("draw", ""), str):
        raise BadClaim("draw", f"expected uniform or classifier, found {quoted(wish['draw'])}")
    setup = wish.pop("setup", None)
    if not isinstance(setup, Mapping):
        raise BadClaim("setup", 'expected an experiment or a claim, such as {"p": 75, "n": 304}')
    wish["scores"] = _names(wish, "scores") or None
    clock = _Clock(progress, "simulated papers checked", STUDY_TIMES * timeout, len(models))
    wish |= {"effort": effort, "timeout": OF_A_CHECK * timeout}
    found = []
    for model in models:
        found.append(simulated(setup, model, progress=clock, **wish))
        if found[-1].stopped:
            break
        clock.before += 1
    first, *rest = (each.to_csv() for each in found)
    csv = first + "".join(more.partition("\n")[2] for more in rest)
    return {"json": {"format": 1, "power": [each.to_dict() for each in found]}, "csv": csv}


def simulate(claim: str, progress: Progress, timeout: float) -> Found:
    """How far averages over folds are from the truth."""
    from math import prod

    from scoreproof.studies.simulation import simulate as simulated

    wish = wished(claim, SIMULATION)
    _bounded(wish)
    lists = [wish[key] for key in ("positives", "truth", "shift") if isinstance(wish.get(key), list)]
    if prod(len(each) for each in lists) > MOST_SETTINGS:
        raise BadClaim("positives", f"more than {MOST_SETTINGS} combinations of settings; ask for fewer")
    if wish.get("stratified") not in (None, True, False):
        raise BadClaim("stratified", f"expected true, false or null, found {quoted(wish['stratified'])}")
    what = wish.pop("what", "fmeasure")
    wish |= {key: _floats(wish[key]) for key in ("positives", "truth", "shift") if key in wish}
    _small_enough(what, wish)
    clock = _Clock(progress, "settings simulated", STUDY_TIMES * timeout)
    found = simulated(what, progress=clock, **wish)
    return {"json": {"format": 1, **found.to_dict()}, "csv": found.to_csv()}


def _small_enough(what: object, wish: Mapping[str, Any]) -> None:
    """Refuse settings a single one of which would take minutes; what is wrong in itself is said elsewhere."""
    cases, folds, trials = wish.get("cases", 1000), wish.get("folds", 10), wish.get("trials", 1000)
    if not all(type(each) is int and each > 0 for each in (cases, folds, trials)):
        return
    given = wish.get("positives", 0.05)
    shares = [each for each in (given if isinstance(given, list) else [given]) if isinstance(each, int | float)]
    rare = cases * max((min(share, 1) for share in shares), default=0)
    fold = cases / folds
    if fold > LARGEST_FOLD or rare * cases > LARGEST_TABLES:
        problem = (
            f"folds of {fold:,.0f} cases and {rare:,.0f} positive ones in all take too long here; ask for fewer"
        )
        raise BadClaim("cases", problem)
    if (cases if what == "auc" else folds) * trials > MOST_DRAWN:
        raise BadClaim("trials", "so many cross-validations of so many cases take too long here; ask for fewer")


def _floats(value: object) -> object:
    """The numbers as such, where they were kept as they were written."""
    if isinstance(value, list):
        return [_floats(each) for each in value]
    return float(value) if isinstance(value, Bare) else value


def _bounded(wish: Mapping[str, Any]) -> None:
    trials = wish.get("trials")
    if isinstance(trials, int) and trials > MOST_TRIALS:
        raise BadClaim("trials", f"expected at most {MOST_TRIALS:,} here; the command line makes more")


def cases(progress: Progress, timeout: float) -> Found:
    """The published cases with their verdicts, and a small picture of each that has one."""
    from scoreproof.api import check
    from scoreproof.cases import published
    from scoreproof.insight.display.drawing import html
    from scoreproof.insight.display.picture import pictures

    chosen, verdicts, drawn = published(), {}, {}
    for name, path in chosen.items():
        verdict = check(path, timeout=timeout)
        verdicts[name] = verdict.to_dict()
        if found := pictures(verdict):
            drawn[name] = html(replace(found[0], sheets=found[0].sheets[:1]))
        words = f"{len(verdicts)} of {len(chosen)} cases checked"
        progress({"done": len(verdicts), "total": len(chosen), "words": words})
    return {"json": verdicts, "pictures": drawn}


def verify(claim: str, against: str = "") -> Found:
    """A verdict, replayed; with a claim to hold it against, both stand in one object, or beside each other."""
    from scoreproof.insight.replaying import replay
    from scoreproof.reading.report import text_data
    from scoreproof.verifier import read_verdict

    text = claim.lstrip("\ufeff \t\r\n")
    if not text.startswith("{"):  # anything else would be taken for the name of a file
        raise BadClaim("verdict", "expected a saved verdict, which starts with {; it is the file verdict.json")
    data = read_verdict(text)
    held: object = None
    if isinstance(data.get("verdict"), Mapping):
        if data.keys() - {"verdict", "against"}:
            raise BadClaim(
                "verdict", "expected the verdict, and beside it nothing but the claim to hold against"
            )
        data, held = data["verdict"], data.get("against")
        if held is not None and not isinstance(held, Mapping):
            raise BadClaim("against", "expected a claim")
    if against.strip():
        try:
            held = text_data(against)
        except BadClaim as error:
            raise BadClaim("against", error.problem) from None
    return {"json": replay(data, held, timeout=VERIFYING).to_dict(), "verdict": _shown(data)}


#: Seconds that replaying may take.
VERIFYING = 30.0
#: Characters of a sentence that is shown.
LONGEST_SENTENCE = 2000


def _shown(data: Mapping[str, Any]) -> Found:
    """What a page shows of a verdict."""
    claim = data.get("claim")
    sentence = data.get("sentence")
    return {
        "verdict": shorten(data.get("verdict"), 40),
        "sentence": shorten(sentence, LONGEST_SENTENCE) if isinstance(sentence, str) else "",
        "claim": claim if isinstance(claim, Mapping) else {},
    }


TOOLS: dict[str, Callable[..., Found]] = {
    "study": study,
    "aggregate": aggregate,
    "power": power,
    "simulate": simulate,
    "cases": cases,
    "verify": verify,
}
