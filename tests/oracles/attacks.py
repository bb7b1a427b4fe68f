"""Attacks on the verifier: verdicts that were tampered with, and proofs that were made up.

A *mutated verdict* is a real one in which something was changed, anywhere: a figure, a count, a step of the
proof.  It must be refused unless it happens to be right, which enumeration of the (small) claim decides.
A *forged certificate* is put on a claim that matrices are known to fit, so accepting it is unsound.
It is a real proof of a claim close by, mutated and spliced with others, or made up from the grammar of
proofs: every kind of node the package knows, with fields of the right type.

Every attempt must end, soon and without any exception but the package's own.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import resource
import signal
import time
import types
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from pathlib import Path
from random import Random
from typing import Any, Union, get_args, get_origin, get_type_hints

import scoreproof
import scoreproof.proof
from scoreproof.asking.flatten import flatten
from scoreproof.budget import Budget, OutOfBudget
from scoreproof.errors import ScoreproofError
from scoreproof.proof.codec import Proof, Written
from scoreproof.proof.kinds import kind_of, replays
from scoreproof.verifier import NotVerified

Data = Any

#: Numbers at which machines and heuristics break.
EDGES = (0, 1, -1, 2, 3, 7, 2**31, 2**50, 2**53 + 1, 2**62, 2**63, 2**64 + 1, 10**18, 10**30, 10**60, -(10**30))
#: Work and seconds for one attempt, and seconds after which it counts as endless.
WORK, SECONDS, ENDLESS = 50_000_000, 2.0, 20
#: Memory that one run of attacks may take beyond what it has.
MEMORY = 3 * 2**30


class Endless(BaseException):
    """An attempt that did not end."""


@contextmanager
def confined() -> Iterator[None]:
    """Attacks can neither fill the machine nor hold it for ever."""

    def ring(*_: object) -> None:
        raise Endless

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    before = signal.signal(signal.SIGALRM, ring)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, hard))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


# -- changing data ------------------------------------------------------------------------------------


def places(data: Data, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything inside."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, each in inside:
        yield (*path, key)
        yield from places(each, (*path, key))


def look(data: Data, path: tuple[Any, ...]) -> Data:
    for key in path:
        data = data[key]
    return data


def number(rng: Random, old: int = 0, sizes: tuple[int, ...] = ()) -> int:
    near = (old + 1, old - 1, -old, old * 2, old // 2, old * 10, old + rng.randint(-9, 9))
    return rng.choice((*near, *near, *EDGES, *sizes))


def word(rng: Random, old: str) -> str:
    digits = [i for i, c in enumerate(old) if c.isdigit()]
    match rng.randrange(5):
        case 0 | 1 | 2 if digits:
            at = rng.choice(digits)
            return old[:at] + rng.choice("0123456789") + old[at + 1 :]
        case 3:
            return rng.choice(
                ("", "-1", "1/0", "0/1", "1/3", "1e999999", "nan", "[0, 1]", "consistent", "<1", "٣")
            )
        case _:
            return f"{rng.randint(-99, 99)}/{rng.randint(0, 99)}"


def changed(value: Data, rng: Random, pool: list[Data]) -> Data:
    """Something else in place of the value."""
    if rng.random() < 0.15 and pool:
        other = rng.choice(pool)
        ways = list(places(other))
        return json.loads(json.dumps(look(other, rng.choice(ways)) if ways else other))
    if rng.random() < 0.1:
        return rng.choice(
            (None, True, False, 0, 1, -1, 0.5, 1e300, float("nan"), "", [], {}, [[]], {"kind": "tree"})
        )
    if isinstance(value, bool) or value is None:
        return rng.choice((None, True, False, 0, 1, -1))
    if isinstance(value, int):
        return number(rng, value)
    if isinstance(value, str):
        return word(rng, value)
    if isinstance(value, list) and value:
        copy = list(value)
        match rng.randrange(5):
            case 0:
                del copy[rng.randrange(len(copy))]
            case 1:
                copy.insert(rng.randrange(len(copy) + 1), json.loads(json.dumps(rng.choice(copy))))
            case 2:
                rng.shuffle(copy)
            case 3:
                copy = copy[: rng.randrange(len(copy) + 1)]
            case _:
                copy = copy * 2
        return copy
    if isinstance(value, dict) and value:
        copy = dict(value)
        one, two = rng.choice(list(copy)), rng.choice(list(copy))
        if rng.random() < 0.4:
            del copy[one]
        else:
            copy[one], copy[two] = copy[two], copy[one]
        return copy
    return rng.choice((None, 0, [], {}))


def mutated(data: Data, rng: Random, pool: list[Data], ways: list[tuple[Any, ...]] | None = None) -> Data:
    """A copy with one to three places changed."""
    data = json.loads(json.dumps(data))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        every = ways if ways is not None else list(places(data))
        path = rng.choice(every) if every else ()
        try:
            inside, old = look(data, path[:-1]), look(data, path)
        except (LookupError, TypeError):
            continue  # an earlier change took it away
        if isinstance(inside, str):
            continue
        if not path:
            data = changed(data, rng, pool)
        else:
            inside[path[-1]] = changed(old, rng, pool)
    return data


# -- the grammar of proofs -----------------------------------------------------------------------------


@cache
def nodes() -> tuple[type[Proof], ...]:
    """Every kind of node that proofs are written in."""
    for module in pkgutil.walk_packages(scoreproof.proof.__path__, "scoreproof.proof."):
        importlib.import_module(module.name)
    found: dict[str, type[Proof]] = {}
    waiting = [Proof]
    while waiting:
        for each in waiting.pop().__subclasses__():
            waiting.append(each)
            if is_dataclass(each) and "kind" in vars(each) and each is not Written:
                found[f"{each.__module__}.{each.__qualname__}"] = each
    return tuple(found[name] for name in sorted(found))


@cache
def fields_of(kind: type[Proof]) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    return tuple((each.name, hints[each.name]) for each in fields(kind))  # type: ignore[arg-type]


def made_up(hint: Any, rng: Random, sizes: tuple[int, ...], words: list[str], depth: int = 0) -> Data:
    """Data of the type, as random as it may be."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return made_up(rng.choice(get_args(hint)), rng, sizes, words, depth)
    if origin is tuple:
        inner = get_args(hint)
        if len(inner) == 2 and inner[1] is Ellipsis:
            count = rng.choice((0, 1, 1, 2, 3)) if depth < 6 else 0
            return [made_up(inner[0], rng, sizes, words, depth + 1) for _ in range(count)]
        return [made_up(each, rng, sizes, words, depth + 1) for each in inner]
    if isinstance(hint, type) and issubclass(hint, Proof):
        kind = rng.choice(nodes()) if hint is Proof else hint
        if depth > 7:
            return None
        inside = {name: made_up(each, rng, sizes, words, depth + 1) for name, each in fields_of(kind)}
        return {"kind": kind.kind, **inside}
    if hint is bool:
        return rng.random() < 0.5
    if hint is int:
        return rng.choice((0, 0, 1, rng.randint(-3, 20), *sizes, rng.choice(sizes or (1,)) - 1, number(rng)))
    if hint is Fraction:
        return str(Fraction(rng.randint(-50, 50), rng.randint(1, 20)))
    if hint is str:
        return rng.choice(words)
    return None


# -- what is attacked ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Victim:
    """A claim that matrices are known to fit, and proofs of claims close by that none do."""

    claim: Data
    verdict: Data
    close: tuple[Data, ...] = ()
    problem: Any = field(default=None, repr=False)

    @cached_property
    def asks(self) -> str:
        return kind_of(self.problem).name

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return tuple({each for each in _numbers(self.claim) if each >= 0})


def _numbers(data: Data) -> Iterator[int]:
    for path in places(data):
        value = look(data, path)
        if isinstance(value, int) and not isinstance(value, bool):
            yield value


def figures(claim: Data) -> list[tuple[Any, ...]]:
    """The ways to the figures of a claim."""
    inside = ("scores", "within", "per_class", "points", "variance")
    return [
        path
        for path in places(claim)
        if isinstance(look(claim, path), str) and any(key in inside for key in path)
    ]


def verdict_on(claim: Data, timeout: float = 1.0) -> Data | None:
    """The proven part of the verdict, as it is written down; None for what is no claim."""
    try:
        return json.loads(json.dumps(scoreproof.check(claim, timeout=timeout).proven()))
    except ScoreproofError:
        return None


def victim(claim: Data, rng: Random, tries: int = 4) -> Victim | None:
    """The claim with proofs about its neighbours, if matrices fit it and no reading is open."""
    verdict = verdict_on(claim)
    if verdict is None or verdict["verdict"] != "consistent" or len(verdict["readings"]) != 1:
        return None
    if scoreproof.verify(verdict) is not True:
        return None
    close = []
    ways = figures(claim)
    for _ in range(tries if ways else 0):
        near = json.loads(json.dumps(claim))
        path = rng.choice(ways)
        look(near, path[:-1])[path[-1]] = word(rng, look(near, path))
        other = verdict_on(near, 0.3)
        if other is not None and other["verdict"] == "inconsistent" and len(other["readings"]) == 1:
            close.append(other["certificate"])
    problem, _ = flatten(scoreproof.load(verdict["claim"]).readings()[0])
    return Victim(claim, verdict, tuple(close), problem)


# -- attempts --------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What became of the attempts."""

    outcomes: Counter[str] = field(default_factory=Counter)
    accepted: list[tuple[Data, Data]] = field(default_factory=list)
    faults: list[tuple[str, Data, Data]] = field(default_factory=list)

    def fault(self, error: BaseException, claim: Data, data: Data) -> None:
        self.outcomes["fault"] += 1
        self.faults.append((f"{type(error).__name__}: {error}", claim, data))

    def summary(self) -> str:
        first = [f"accepted: {json.dumps(each)}" for each in self.accepted[:3]]
        first += [f"{what}\n  {json.dumps((claim, data))[:3000]}" for what, claim, data in self.faults[:5]]
        kinds = Counter(what.partition("\n")[0][:90] for what, _, _ in self.faults)
        return "\n".join(
            [str(dict(self.outcomes)), *(f"{n} x {what}" for what, n in kinds.most_common()), *first]
        )

    @property
    def clean(self) -> bool:
        return not self.accepted and not self.faults


def forged(target: Victim, rng: Random, words: list[str]) -> Data:
    """A proof out of the grammar, most often of a kind that is read for such a question."""
    reader = kind_of(target.problem).read
    hint = reader.args[0] if isinstance(reader, partial) and rng.random() < 0.9 else Proof
    return made_up(hint, rng, target.sizes, words)


def attempt(target: Victim, certificate: Data, tally: Tally) -> None:
    """One forged certificate on one claim that has a solution."""
    signal.setitimer(signal.ITIMER_REAL, ENDLESS)
    try:
        if not isinstance(certificate, dict):
            tally.outcomes["no object"] += 1
        elif replays(target.problem, certificate, Budget(WORK, deadline=time.monotonic() + SECONDS)):
            tally.outcomes["accepted"] += 1
            tally.accepted.append((target.claim, certificate))
        else:
            tally.outcomes["refused"] += 1
    except ScoreproofError:
        tally.outcomes["unreadable"] += 1
    except OutOfBudget:
        tally.outcomes["out of budget"] += 1
    except (Exception, Endless) as error:
        tally.fault(error, target.claim, certificate)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def attack(targets: list[Victim], count: int, seed: int) -> Tally:
    """So many forged certificates, in turn on each of the claims."""
    rng, tally = Random(seed), Tally()
    alike: dict[str, list[Data]] = {}  # by what is asked
    for target in targets:
        alike.setdefault(target.asks, []).extend(target.close)
    pool = [each for several in alike.values() for each in several]
    words = sorted(
        {look(each, path) for each in pool for path in places(each) if isinstance(look(each, path), str)}
    )
    words = [*words, *(each.kind for each in nodes()), "", "acc", "f1"]
    with confined():
        for index in range(count):
            target = targets[index % len(targets)]
            near = target.close if target.close and rng.random() < 0.7 else alike[target.asks]
            if index % 3 == 0 or not near:
                certificate = forged(target, rng, words)
            else:
                certificate = rng.choice(near)
                if index >= len(targets):  # at first as they are
                    certificate = mutated(certificate, rng, near if rng.random() < 0.8 else pool)
            attempt(target, certificate, tally)
    return tally


def answered(data: Data) -> bool | str | BaseException:
    """What verify says: a truth value, the name of an error of ours, or a fault."""
    signal.setitimer(signal.ITIMER_REAL, ENDLESS)
    try:
        return scoreproof.verify(data, timeout=SECONDS)
    except NotVerified as error:
        return error.__cause__ or "not verified"
    except ScoreproofError as error:
        return type(error).__name__
    except (Exception, Endless) as error:
        return error
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
