"""Inputs of every kind, sensible and not: claims, spoilt claims, junk, verdicts that were tampered with."""

from __future__ import annotations

import copy
import datetime
import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy

import scoreproof

ODD_TEXT = [
    "", " ", "\n", "\x00", "acc\n", "a" * 500, "nan", "NaN", "inf", "-inf", "1e999", "1e30", "-1e-30", "0x1f",
    "1_000", "１.０", "٠.٩", "0.9\u200b", "\ud800", "\U000e0001" * 80, "🎉", "0.9 ± nan", "±", "<", ">0.99",
    "<0.01", "≤1", "[0.9, 0.8]", "[0.91, 0.95]", "0.92 (0.84-0.97)", "94.47 %", "94,47", "1,234", "1.234.567,8",
    "0.9.9", "--1", "−0.12", "1e", "e5", "%", "0." + "9" * 300, "9" * 250, "0.943 ± 0.021", "(94.3 ± 2.1) %",
    "open", "eps", "nearest", "half-even", "up", "mean", "pooled", "null", "{}", "[]", "\\", '"', "'", "$\\pm$",
    "1.003", "-0.1", "94.47", "1e60", "1e-60", "0e0", "00.50", "+0.5", "0.5+", "\u2028", "é" * 100,
]  # fmt: skip

ODD_NUMBERS = [
    0, 1, -1, 2, 10**9, 10**30, 10**60, 10**61, -(10**30), 10**400, 10**5000, 0.5, 0.0, -0.0, 1e308, 1e-308,
    float("nan"), float("inf"), float("-inf"), True, False, 2.5, Decimal("0.90"), Decimal("NaN"),
    Decimal("Infinity"), Decimal("1e999999"), Decimal("1e-999999"), Fraction(1, 3), Fraction(10**300, 7),
    numpy.float64(0.5), numpy.float32(0.5), numpy.int64(7), numpy.float64("nan"), 1j,
]  # fmt: skip


def nested(depth, kind):
    found = []
    for _ in range(depth):
        found = [found] if kind is list else {"parts": [found]}
    return found


def junk(rng):
    """A value that does not belong where it is put."""
    pick = rng.random()
    if pick < 0.35:
        return rng.choice(ODD_TEXT)
    if pick < 0.65:
        return rng.choice(ODD_NUMBERS)
    if pick < 0.75:
        return rng.choice(
            [None, [], {}, (), set(), object(), b"0.9", [[]], {"a": {}}, [None], {"eps": {}}, {None: 1}]
        )
    if pick < 0.8:
        return rng.choice(
            [numpy.array([1, 2]), datetime.date(2024, 1, 1), range(3), Path("x"), ..., int, scoreproof]
        )
    if pick < 0.83:
        return nested(rng.choice([5, 60, 3000, 50_000]), rng.choice([list, dict]))
    if pick < 0.9:
        return {rng.choice(ODD_TEXT): rng.choice(ODD_NUMBERS)}
    return "".join(
        chr(rng.choice([rng.randint(0, 127), rng.randint(0, 0x10FFFF)])) for _ in range(rng.randint(0, 12))
    )


SCORE_NAMES = [
    *scoreproof.SCORES, "recall", "fpr", "error rate", "Precision", "IoU", "LR+", "accuracy_macro", "acuracy",
    "auc",
]  # fmt: skip
COUNTS = [0, 1, 2, 7, 38, 262, 1000, 6000, 10**5, 10**6 + 3, 10**9, 10**12, 10**30, 10**60]


def some_text(rng):
    """A readable figure, sensible or not."""
    decimals = rng.randint(0, 10)
    value = rng.choice([rng.random(), rng.random(), 0, 1, -rng.random(), 100 * rng.random()])
    return f"{value:.{decimals}f}" + rng.choice(["", "", "", "%", " %", " ± 0.01"])


def some_claim(rng, whole=True):
    """A claim that is well formed, if not sensible.

    What is to be spoilt (not ``whole``) has small counts where it has folds: without its
    "aggregate" it would become a question about averages, whose engines have tests of their own.
    """
    counts = COUNTS if whole else COUNTS[:5]
    experiment = {"p": rng.choice(COUNTS), "n": rng.choice(COUNTS)}
    match rng.randint(0, 9):
        case 0:
            experiment = {
                "p": rng.choice(counts),
                "n": rng.choice(counts),
                "folds": rng.choice([1, 2, 5, 10**9]),
            }
            experiment |= {"aggregate": "pooled", "repeats": rng.choice([1, 3, 10**20])}
        case 1:
            experiment = {"parts": [{"p": 3, "n": 4}, {"p": rng.choice(counts), "n": 5}], "aggregate": "pooled"}
        case 2:
            experiment = {"one_of": [experiment, {"p": 10, "n": rng.choice(COUNTS), "name": "other"}]}
        case 3:
            experiment = {"folds": [{"p": 3, "n": 4}, {"p": 2, "n": 5}], "p": 5, "n": 9, "aggregate": "pooled"}
    claim = {
        "experiment": experiment,
        "scores": {rng.choice(SCORE_NAMES): some_text(rng) for _ in range(rng.randint(0, 6))},
    }
    if rng.random() < 0.5:
        claim["rounding"] = rng.choice(
            ["nearest", "half-even", "half-up", "down", "up", "any", "open", {"eps": "0.001"},
             {"acc": "up"}, {"acc": "down", "accuracy": "up"}, {"eps": "0.1", "acc": "up"},
             {"default": "any", "f1": {"eps": 0}}]
        )  # fmt: skip
    if rng.random() < 0.3:
        claim["conventions"] = rng.choice(
            [{"undefined": "open"}, {"undefined": "zero"}, {"positive": "open"}, {"beta_positive": 2},
             {"beta_negative": "0.5"}, {"beta_positive": 0}, {"beta_positive": "1000"}, {"undefined": "skip"}]
        )  # fmt: skip
    if rng.random() < 0.2:
        claim.update(title="t", format=1, note="n")
    return claim


def places(value, path=()):
    """Every place inside nested objects and lists."""
    found = [path]
    if len(path) > 12:
        return found
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        found += places(each, (*path, key))
    return found


def spoilt(rng, value):
    """A copy with one or two places overwritten, dropped or added to."""
    value = copy.deepcopy(value)
    for _ in range(rng.randint(1, 2)):
        path = rng.choice(places(value))
        if not path:
            if rng.random() < 0.1:
                return junk(rng)
            value[rng.choice([*ODD_TEXT, "experiement", "score", "p", "dataset"])] = junk(rng)
            continue
        holder = value
        for key in path[:-1]:
            holder = holder[key]
        pick = rng.random()
        if pick < 0.7:
            holder[path[-1]] = junk(rng)
        elif pick < 0.85:
            del holder[path[-1]]
        elif isinstance(holder, dict):
            holder[rng.choice(ODD_TEXT)] = junk(rng)
    return value


def scrambled(rng, text):
    """The text with a few characters lost, doubled or replaced."""
    for _ in range(rng.randint(0, 4)):
        at = rng.randint(0, len(text))
        match rng.randint(0, 3):
            case 0:
                text = text[:at] + text[at + rng.randint(1, 5) :]
            case 1:
                text = text[:at] + rng.choice(ODD_TEXT) + text[at:]
            case 2:
                text = text[:at] + chr(rng.randint(0, 0x2FFF)) + text[at + 1 :]
            case 3:
                text = text[: at // 2] + text[at // 3 :]
    return text


def as_toml(claim):
    lines = []
    for table, entries in claim.items():
        if isinstance(entries, dict):
            lines += [f"[{table}]", *(f"{json.dumps(k)} = {json.dumps(v)}" for k, v in entries.items())]
        else:
            lines.insert(0, f"{table} = {json.dumps(entries)}")
    return "\n".join(lines)


def throw(rng, verdicts):
    """One input: which function is called with what."""
    kind = rng.randint(0, 9)
    claim = some_claim(rng, whole=kind < 2)
    options = {"timeout": 1.0}
    if rng.random() < 0.1:
        options[rng.choice(["decimals", "eps", "timeout"])] = junk(rng)
    match kind:
        case 0 | 1:
            return scoreproof.check, claim, options
        case 2 | 3 | 4:
            return scoreproof.check, spoilt(rng, claim), options
        case 5:
            return scoreproof.check, scrambled(rng, json.dumps(claim)), options
        case 6:
            return scoreproof.load, scrambled(rng, as_toml(claim)), {}
        case 7:
            return rng.choice([scoreproof.load, scoreproof.check, scoreproof.verify]), junk(rng), {}
        case 8:
            return scoreproof.verify, spoilt(rng, rng.choice(verdicts)), {}
        case _:
            return scoreproof.verify, scrambled(rng, json.dumps(rng.choice(verdicts))), {}


def some_verdicts():
    claims = [
        {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567", "sens": "0.8545"}},
        {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.956"}},
        {
            "experiment": {"p": 1000, "n": 6000},
            "scores": {"mcc": "0.81", "ppv": "0.1", "kappa": "0.7"},
            "rounding": "open",
        },
        {"experiment": {"p": 10**9, "n": 10**8}, "scores": {"mk": "0.812345", "bm": "0.1", "mcc": "0.2850"}},
        {"experiment": {"p": 10**9, "n": 10**9}, "scores": {"f1": "0.812", "ji": "0.6833", "acc": "0.7"}},
    ]
    return [json.loads(json.dumps(scoreproof.check(claim).to_dict())) for claim in claims]
