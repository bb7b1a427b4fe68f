"""Two source trees on the same claims, in one run: what is slower, and what is decided less often.

    python benchmarks/beside.py /path/to/old/checkout            this tree beside the old one
    python benchmarks/beside.py OLD --only "unknown" --share 0.2 some cells, a share of their claims

Each tree runs in a process of its own; the two take turns claim by claim.  A claim is repeated while
it is quick, and its processor time is the median; the quickest get several turns, of which the best
counts, because other work on the machine only ever adds.  A cell's time is the mean over its claims; one
with a ratio above 1.15, or with more undecided claims than before, is marked.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
#: A ratio above this is marked.
NOISE = 1.15
#: A claim is repeated until it took so many seconds, and at most so often.
ENOUGH, OFTEN = 0.03, 15
#: A claim that takes less gets so many turns.
QUICK, TURNS = 0.02, 5
LIMIT = 10.0

Claim = dict[str, Any]


# ---------------------------------------------------------------- one tree, asked over a pipe


def actions() -> dict[str, Callable[[Any], str]]:
    """What is timed, by name; each returns what was said."""
    import scoreproof

    verdicts: dict[str, scoreproof.Verdict] = {}

    def check(claim: Claim) -> str:
        return str(scoreproof.check(claim, timeout=LIMIT).status)

    def words(claim: Claim) -> str:
        return str(scoreproof.check(claim, timeout=LIMIT).to_dict()["verdict"])

    def explain(claim: Claim) -> str:
        return str(bool(scoreproof.explain(claim, timeout=LIMIT)))

    def reconstruct(claim: Claim) -> str:
        return str(bool(scoreproof.reconstruct(claim, timeout=LIMIT)))

    def verify(claim: Claim) -> str:
        key = json.dumps(claim)
        if key not in verdicts:
            verdicts[key] = scoreproof.check(claim, timeout=LIMIT)
            verdicts[key].to_dict()  # not what is timed; the first run is not counted
        return str(scoreproof.verify(verdicts[key].to_dict()))

    def frame(table: dict[str, list[Any]]) -> str:
        import polars

        return str(len(scoreproof.check_frame(polars.DataFrame(table))))

    return {
        "check": check,
        "words": words,
        "explain": explain,
        "reconstruct": reconstruct,
        "verify": verify,
        "frame": frame,
    }


def importing() -> tuple[float, str]:
    """Processor seconds of a fresh interpreter that imports the package."""
    found = []
    for _ in range(9):
        before = os.times()
        subprocess.run([sys.executable, "-c", "import scoreproof"], check=True)
        after = os.times()
        found.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    return median(found), ""


def serve() -> None:
    """Answer lines of [action, subject] with [seconds, what was said]."""
    answers, sys.stdout = sys.stdout, sys.stderr
    known = actions()
    known["check"]({"experiment": {"p": 100, "n": 200}, "scores": {"mcc": "0.50"}})  # numpy's own import
    for line in sys.stdin:
        action, subject = json.loads(line)
        if action == "import":
            seconds, said = importing()
        else:
            if action == "verify":
                known[action](subject)
            taken: list[float] = []
            said = ""
            while not taken or (len(taken) < OFTEN and sum(taken) < ENOUGH):
                start = time.process_time()
                try:
                    said = known[action](subject)
                except Exception as error:  # a tree may refuse a claim: that is a result, too
                    said = f"{type(error).__name__}: {error}"
                taken.append(time.process_time() - start)
            seconds = median(taken)
        print(json.dumps([seconds, said]), file=answers, flush=True)


class Tree:
    """A source tree with its process."""

    def __init__(self, root: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(root / "src")}
        command = [sys.executable, __file__, "--serve"]
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, action: str, subject: Any) -> tuple[float, str]:
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        print(json.dumps([action, subject]), file=stdin, flush=True)
        seconds, said = json.loads(stdout.readline())
        return seconds, said


# ---------------------------------------------------------------- claims


def moved(rng: random.Random, text: str) -> str:
    """A printed decimal with its last digit changed by one."""
    places = len(text.partition(".")[2])
    return f"{abs(float(text) + rng.choice((-1, 1)) / 10**places):.{places}f}"


def some(claims: Iterable[Claim], count: int) -> Iterator[Claim]:
    return islice(claims, count)


def regression(seed: int) -> Iterator[Claim]:
    """Errors of random residuals; every second claim has one last digit moved."""
    rng = random.Random(seed)
    for i in range(10**6):
        count = rng.choice((20, 100, 1000))
        residuals = [abs(rng.gauss(0, 0.3)) for _ in range(count)]
        mse = mean(x * x for x in residuals)
        variance = round(rng.uniform(0.2, 2), 4)
        values = {
            "mae": mean(residuals),
            "rmse": mse**0.5,
            "mse": mse,
            "r2": 1 - mse / variance,
            "max_error": max(residuals),
        }
        names = rng.sample(list(values), rng.randint(2, 4))
        scores = {name: f"{values[name]:.4f}" for name in names}
        if i % 2:
            name = rng.choice(names)
            scores[name] = moved(rng, scores[name])
        yield {"experiment": {"samples": count, "variance": f"{variance:.4f}"}, "scores": scores}


def ranking(seed: int) -> Iterator[Claim]:
    """AUC beside operating points of random rankings."""
    rng = random.Random(seed)
    for i in range(10**6):
        p, n = rng.randint(10, 150), rng.randint(10, 300)
        high = sorted(rng.gauss(1.2, 1) for _ in range(p))
        low = sorted(rng.gauss(0, 1) for _ in range(n))
        auc = sum(sum(x > y for y in low) for x in high) / (p * n)

        def point(cut: float, high: list[float] = high, low: list[float] = low) -> dict[str, str]:
            sens = sum(x > cut for x in high) / len(high)
            spec = sum(y <= cut for y in low) / len(low)
            return {"sens": f"{sens:.3f}", "spec": f"{spec:.3f}"}

        scores = {"auc": f"{auc:.3f}", **point(0.6)}
        if i % 2:
            name = rng.choice(list(scores))
            scores[name] = moved(rng, scores[name])
        claim: Claim = {"experiment": {"p": p, "n": n}, "scores": scores}
        if i % 3 == 0:
            claim["points"] = [point(cut) for cut in (0.0, 1.2)[: rng.randint(1, 2)]]
        yield claim


def intervals(seed: int) -> Iterator[Claim]:
    """Wilson and Wald intervals beside the figures of one matrix."""
    rng = random.Random(seed)
    for i in range(10**6):
        p, n = rng.randint(20, 300), rng.randint(20, 600)
        tp, tn = rng.randint(p // 2, p - 1), rng.randint(n // 2, n - 1)
        scores = {}
        for name, hits, count in (("sens", tp, p), ("spec", tn, n), ("acc", tp + tn, p + n)):
            share, z = hits / count, 1.959964
            if i % 2:
                half, middle = z * (share * (1 - share) / count) ** 0.5, share
            else:
                scale = 1 + z * z / count
                middle = (share + z * z / (2 * count)) / scale
                half = z * (share * (1 - share) / count + z * z / (4 * count * count)) ** 0.5 / scale
            scores[name] = f"{share:.3f} ({max(0, middle - half):.3f}-{min(1, middle + half):.3f})"
        if i % 4 > 1:
            scores["acc"] = moved(rng, scores["acc"].split()[0])
        claim: Claim = {"experiment": {"p": p, "n": n}, "scores": scores}
        if i % 3:
            claim["conventions"] = {"ci": "wald" if i % 2 else "wilson"}
        yield claim


class Cell(NamedTuple):
    """Subjects of one kind, and what is done with each."""

    name: str
    action: str
    subjects: list[Any]


def cells(share: float) -> Iterator[Cell]:
    """Every cell, with so large a share of its claims."""
    sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT)]
    from tests.frozen import drawn

    import averages
    import causes
    import classes
    import foldings
    import frames
    import one_matrix

    def many(count: int) -> int:
        return max(2, round(count * share))

    for p, n in (*one_matrix.SIZES, (10**9, 10**9)):
        for names in (*one_matrix.SETS, ("acc", "sens", "spec"), ("mcc", "fm", "gm")):
            for decimals in one_matrix.DECIMALS:
                size = f"{p:.0e}" if p > 10**6 else str(p)
                name = f"one matrix {size} {'+'.join(names)} {decimals}d"
                yield Cell(name, "check", one_matrix.claims(p, n, names, decimals, many(12), "beside"))
    for task, count in (("means", 120), ("sd", 72), ("repeated", 50), ("images", 36)):
        made = [case.claim for case in averages.TASKS[task](1)]
        yield Cell(f"averages {task}", "check", made[:: max(1, len(made) // many(count))])
    rng = random.Random(1)
    made = [foldings.claim(rng, case)[0] for case in range(400)]
    yield Cell("unknown foldings", "check", random.Random(2).sample(made, many(100)))
    yield Cell("several classes", "check", [classes.claim(seed)[0] for seed in range(many(60))])
    for name, draw in drawn.KINDS.items():
        yield Cell(name, "check", list(draw(many(30))))
    yield Cell("regression", "check", list(some(regression(1), many(60))))
    yield Cell("auc", "check", list(some(ranking(1), many(60))))
    yield Cell("intervals", "check", list(some(intervals(1), many(60))))
    rng = random.Random(2026)
    kinds = list(causes.KINDS)
    planted = [causes.plant(rng, kinds[i % 8], i // 8 % 2 == 1).claim for i in range(many(48))]
    one, folded = (
        [claim for claim in planted if ("folds" in claim["experiment"]) is many_parts]
        for many_parts in (False, True)
    )
    for action in ("words", "verify", "reconstruct", "explain"):
        yield Cell(f"{action}, one matrix", action, one)
        yield Cell(f"{action}, means over folds", action, folded)
    yield Cell("frame of 20,000 rows", "frame", [frames.rows(20_000, seed) for seed in range(3)])
    yield Cell("import", "import", [None])


# ---------------------------------------------------------------- the table


def compare(old: Tree, new: Tree, cell: Cell, show: bool) -> bool:
    """Print the row of a cell; whether it is as good as before."""
    times: dict[Tree, list[float]] = {old: [], new: []}
    undecided: dict[Tree, int] = {old: 0, new: 0}
    differ = 0
    for i, subject in enumerate(cell.subjects):
        said: dict[Tree, str] = {}
        best: dict[Tree, float] = {}
        for turn in range(TURNS):
            for tree in (old, new) if (i + turn) % 2 else (new, old):
                seconds, said[tree] = tree.ask(cell.action, subject)
                best[tree] = min(seconds, best.get(tree, seconds))
            if max(best.values()) > QUICK:
                break
        for tree in (old, new):
            times[tree].append(best[tree])
            undecided[tree] += said[tree] == "undecided"
        differ += said[old] != said[new]
        slower = times[new][-1] > 2 * times[old][-1] and times[new][-1] > 0.05
        if show and (slower or said[old] != said[new]):
            print(f"  {times[old][-1]:.3f} s {said[old]}, now {times[new][-1]:.3f} s {said[new]}: ", end="")
            print(json.dumps(subject, ensure_ascii=False)[:2000], flush=True)
    before, after = mean(times[old]), mean(times[new])
    ratio = after / before
    worse = ratio > NOISE or undecided[new] > undecided[old]
    middle = median(times[new]) / median(times[old])
    print(
        f"{cell.name:<40} {len(times[old]):>6} {before * 1e3:>9.2f} {after * 1e3:>9.2f} {ratio:>6.2f} "
        f"{middle:>6.2f} {undecided[old]:>4}/{undecided[new]:<4} {differ:>5} {'<-- worse' if worse else ''}",
        flush=True,
    )
    return not worse


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path, nargs="?", help="a checkout of the commit to compare with")
    parser.add_argument("--new", type=Path, default=ROOT, help="this tree, unless said otherwise")
    parser.add_argument("--share", type=float, default=1.0, help="of the claims of every cell")
    parser.add_argument("--only", default="", help="cells whose names contain this")
    parser.add_argument("--show", action="store_true", help="list claims that are slower or differ")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve()
        return 0
    if options.old is None:
        parser.error("the old checkout is missing")
    old, new = Tree(options.old.resolve()), Tree(options.new.resolve())
    print(f"{'cell':<40} {'claims':>6} {'old ms':>9} {'new ms':>9} {'ratio':>6} {'median':>6} undecided differ")
    worse = 0
    for cell in cells(options.share):
        if options.only in cell.name:
            worse += not compare(old, new, cell, options.show)
    print(f"{worse} cells are worse" if worse else "no cell is worse")
    for tree in (old, new):
        assert tree.process.stdin is not None
        tree.process.stdin.close()
        tree.process.wait()
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
