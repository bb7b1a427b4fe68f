"""How often would a slip be caught?  Papers with a known slip are simulated, and checked."""

from __future__ import annotations

from scoreproof.claim.fields import SPOKEN, placed
from scoreproof.errors import BadClaim
from scoreproof.insight.display.chart import Curve, Panel, chart
from scoreproof.insight.display.drawing import html
from scoreproof.reading.counts import said_folds
from scoreproof.reading.datasets import dataset as known_dataset
from scoreproof.web.desk import Found
from scoreproof.web.form import Form
from scoreproof.web.tools.fields import Field, chosen, count, in_words, whole_list
from scoreproof.web.tools.page import Tool, Values

PRINTED = ("acc", "sens", "spec", "ppv", "npv", "f1", "bacc", "mcc", "kappa")
#: What may have gone wrong, in short.
SLIPS = (
    ("typo", "a last digit is off by one"),
    ("oversampled", "the smaller class was oversampled before evaluation"),
    ("dropped", "one item was left out"),
    ("dropped:3", "three items were left out"),
    ("swapped", "two figures stand in each other's place"),
    ("aggregation", "scores were averaged where counts were to be pooled, or the reverse"),
    ("none", "nothing went wrong (to see that nothing is reported)"),
)
SET_UP = ("p", "n", "dataset", "folds", "stratified", "aggregate")


def _dataset(text: str) -> str:
    return known_dataset(text).name


def _folds(text: str) -> object:
    found = said_folds(text)
    if isinstance(found, str) and found != "leave-one-out":
        raise BadClaim("", "expected a number of folds, such as 5, or leave-one-out")
    if isinstance(found, int) and not 1 <= found <= 1000:
        raise BadClaim("", "expected a number of folds from 1 to 1,000")
    return found


def _places(text: str) -> list[int]:
    found = whole_list("numbers of decimals such as 2, 3, 4 or 1-6")(text)
    if not all(1 <= place <= 12 for place in found):
        raise BadClaim("", "expected numbers of decimals from 1 to 12")
    return found


FIELDS = (
    Field(
        "p", SPOKEN["p"].label, default="75", read=count(0, 10**9), keys=("experiment.p", "experiment", "setup")
    ),
    Field("n", SPOKEN["n"].label, default="304", read=count(0, 10**9), keys=("experiment.n",)),
    Field(
        "dataset",
        "Or a dataset known by name",
        "Instead of the counts, such as tpehg.",
        read=_dataset,
        size=18,
        keys=("experiment.dataset",),
    ),
    Field(
        "folds",
        SPOKEN["folds"].label,
        "Empty for one test set; else a number such as 5.",
        read=_folds,
        keys=("experiment.folds",),
    ),
    chosen("stratified", SPOKEN["stratified"]),
    Field(
        "aggregate",
        SPOKEN["aggregate"].label,
        choices=SPOKEN["aggregate"].choices[:2],
        unsaid=SPOKEN["aggregate"].unsaid,
        keys=("experiment.aggregate",),
    ),
    Field(
        "scores",
        "Printed scores",
        default="acc,sens,spec",
        several=True,
        needed="tick at least one score",
        choices=tuple((name, in_words(name)) for name in PRINTED),
    ),
    Field(
        "models",
        "What went wrong",
        "Each is a curve of its own.",
        default="typo,oversampled",
        several=True,
        needed="tick at least one",
        choices=SLIPS,
        keys=("model",),
    ),
    Field(
        "decimals",
        "Printed decimals",
        "A list or a range: 2, 3, 4 or 1-6.",
        default="1-5",
        read=_places,
        needed="say how many decimals are printed, such as 2, 3, 4",
    ),
    Field(
        "trials",
        "Simulated papers for each",
        "More make the figures surer, and take longer.",
        default="200",
        read=count(1, 100_000),
        needed="say how many, such as 200",
    ),
    Field(
        "draw",
        "Confusion matrices",
        default="uniform",
        choices=(("uniform", "all equally likely"), ("classifier", "of a classifier of random skill")),
    ),
    Field("seed", "Seed", "The same number gives the same papers again.", default="0", read=count(0, 2**63)),
)


def wish(values: Values, form: Form) -> Values:
    said = {name: values.pop(name) for name in SET_UP if name in values}
    if "dataset" in said:
        for name in ("p", "n"):
            if name in said:
                form.complain(name, "a dataset is named as well; keep the counts or the dataset")
    elif not form.errors:
        for name in ("p", "n"):
            if name not in said:
                form.complain(name, "type the number of items, such as 100, or name a dataset")
    for name in ("stratified", "aggregate"):
        if name in said and "folds" not in said:
            form.complain(name, "has no meaning without folds; give their number, or leave this open")
    if "stratified" in said:
        said["stratified"] = said["stratified"] == "yes"
    if "aggregation" in values.get("models", ()) and "aggregate" not in said:
        form.complain("aggregate", "say what the paper claims, averaged or pooled: the slip is the other one")
    if "swapped" in values.get("models", ()) and len(values.get("scores", ())) < 2:
        form.complain("scores", "tick two or more: two figures in each other's place need them")
    return {"setup": placed(said), **values}


def view(found: Found, wish: Values) -> Values:
    names = dict(SLIPS)
    curves: list[Curve] = []
    tables: list[tuple[str, list[Values]]] = []
    for one in found["json"]["power"]:
        points = [point for point in one["points"] if point["power"] is not None]
        label = names.get(one["model"], one["words"])
        if points:
            ends = [(point["low"], point["high"]) for point in points]
            curves.append(Curve(label, [(point["decimals"], point["power"]) for point in points], ends))
        tables.append((label, one["points"]))
    panel = Panel("Share of slips that are caught", "printed decimals", "share caught", curves, 0.0, 1.02, 0.06)
    drawn = (
        html(chart([panel], "Share of simulated slips that a check proves; bars are 95 % intervals."))
        if curves
        else ""
    )
    return {
        "tables": tables,
        "picture": drawn,
        "sentences": [_sentence(one, names) for one in found["json"]["power"]],
        "stopped": any("stopped" in one for one in found["json"]["power"]),
        "scores": ", ".join(in_words(name) for name in wish["scores"]),
        "undecided": sum(point["undecided"] for _, points in tables for point in points),
    }


def _sentence(one: Values, names: dict[str, str]) -> str:
    shares = [
        f"{100 * point['power']:.0f} % with {point['decimals']} decimal{'' if point['decimals'] == 1 else 's'}"
        for point in one["points"]
        if point["power"] is not None
    ]
    what = names.get(one["model"], one["words"])
    return (
        f"Where {what}, a check catches it in {', '.join(shares)}."
        if shares
        else f"Nothing was tried for: {what}."
    )


EXAMPLES = (
    (
        "a typo in three figures of one test set",
        {
            "p": "75",
            "n": "304",
            "scores": "acc,sens,spec",
            "models": "typo",
            "decimals": "1-5",
            "trials": "200",
        },
    ),
    (
        "oversampling on the 300 records of TPEHG, means over 5 stratified folds",
        {
            "dataset": "tpehg",
            "folds": "5",
            "stratified": "yes",
            "aggregate": "mean",
            "scores": "acc,sens,spec",
            "models": "oversampled",
            "decimals": "2-4",
            "trials": "60",
        },
    ),
    (
        "items left out, two figures exchanged",
        {
            "p": "100",
            "n": "200",
            "scores": "acc,sens,spec,f1",
            "models": "dropped,dropped:3,swapped",
            "decimals": "2-4",
            "trials": "200",
        },
    ),
)

TOOL = Tool("power", "power", FIELDS, wish, view, EXAMPLES)
