"""Claims from calls of mlscorecheck 1.0.3 (G. Kovács, A. Fazekas): each of its check functions is a row here.

>>> claim = from_mlscorecheck(
...     "check_1_testset_no_kfold", testset={"p": 100, "n": 200}, scores={"acc": 0.9567}, eps=1e-4
... )
>>> claim["experiment"], claim["scores"], claim["rounding"]
({'p': 100, 'n': 200}, {'acc': '0.9567'}, {'eps': '0.0001'})
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from scoreproof.errors import BadClaim, quoted
from scoreproof.hints import nearest
from scoreproof.reading.datasets import dataset
from scoreproof.reading.datasets.entry import Dataset

#: Says how a verdict is looked for there; a claim has no place for it.
METHOD = ("solver_name", "timeout", "verbosity", "prefilter_by_pairs")
BETAS = ("beta_positive", "beta_negative")
OTHER_WORDS = {
    **dict.fromkeys(("n_positive", "n_minority", "n_1"), "p"),
    **dict.fromkeys(("n_negative", "n_majority", "n_0"), "n"),
    "dataset_name": "name",
}
AGGREGATES = {"mos": "mean", "som": "pooled"}
STRATIFIED = "stratified_sklearn"
#: Its signs of DIARETDB1, and the lesions of the dataset here.
LESIONS = {"hardexudates": "he", "softexudates": "se", "hemorrhages": "hr", "redsmalldots": "rsd"}
SKIN = {"M": "melanoma", "SK": "seborrheic keratosis", "N": "nevus"}

Made = dict[str, Any]


class _Call:
    """The arguments of a call; each is taken once, and what nobody takes is refused."""

    def __init__(self, function: str, arguments: Mapping[str, Any]) -> None:
        self.function = function
        self.left = dict(arguments)
        self.asked: list[str] = []

    def take(self, name: str, default: Any = ...) -> Any:
        self.asked.append(name)
        found = self.left.pop(name, default)
        if found is ...:
            raise BadClaim(name, f"is missing; {self.function} needs it")
        return found

    def end(self) -> None:
        for name in METHOD:
            self.left.pop(name, None)
        for name in self.left:
            raise BadClaim(name, f"is no argument of {self.function}{nearest(name, self.asked)}")


def from_mlscorecheck(function: str | Callable[..., Any], /, **arguments: Any) -> Made:
    """The claim that a call of an mlscorecheck function is about, for ``check`` and everything else.

    ``function`` is its name, or the function itself.  What the function tries in several ways (regions, ways to
    average) is left open in the claim, so that the verdict lists every way; conventions are the usual ones
    (``strict``), as they are there.  ``numerical_tolerance`` is added to
    ``eps`` if it is given; how a solver is to be run (``solver_name``, ``timeout``, ``verbosity``,
    ``prefilter_by_pairs``) says nothing about the figures and is left out.

    >>> made = from_mlscorecheck("check_tpehg", scores={"acc": 0.9447}, eps=1e-4, n_folds=5, n_repeats=1)
    >>> made["experiment"]
    {'dataset': 'tpehg', 'folds': 5, 'aggregate': 'mean'}
    """
    name = function if isinstance(function, str) else getattr(function, "__name__", quoted(function))
    name = name.rpartition(".")[2]
    if name not in FUNCTIONS:
        hint = nearest(name, FUNCTIONS) or "; docs/mlscorecheck.md lists them all"
        raise BadClaim("function", f"mlscorecheck 1.0.3 has no check function {quoted(name)}{hint}")
    call = _Call(name, arguments)
    numbers = name == REGRESSION and "testset" not in arguments
    found = _regression(call) if numbers else FUNCTIONS[name](call)
    call.end()
    return found


# -- figures -----------------------------------------------------------------------------------------


def _claim(call: _Call, experiment: Made, suffix: str = "", **bounds: Any) -> Made:
    """The claim about the experiment; ``bounds`` are by the kind of score they hold for."""
    scores = dict(_mapping(call.take("scores"), "scores"))
    betas = {name: _number(scores.pop(name), f"scores.{name}") for name in BETAS if name in scores}
    found: Made = {
        "experiment": experiment,
        "scores": {f"{name}{suffix}": _text(value, f"scores.{name}") for name, value in scores.items()},
        "rounding": _rounding(call, suffix),
    }
    limits = {
        f"{name}{'' if kind == 'part' else f'_{kind}'}": [
            None if end is None else _number(end, f"bounds.{name}") for end in pair
        ]
        for kind, rows in bounds.items()
        for name, pair in (rows or {}).items()
    }
    # its functions leave no convention open: what else authors may have meant is not asked
    return found | ({"bounds": limits} if limits else {}) | {"conventions": {"strict": True, **betas}}


def _rounding(call: _Call, suffix: str) -> Made:
    eps, tolerance = call.take("eps"), call.take("numerical_tolerance", None)
    more = Decimal(0) if tolerance is None else Decimal(_text(tolerance, "numerical_tolerance"))
    if isinstance(eps, Mapping):
        return {f"{name}{suffix}": {"eps": _sum(each, more, f"eps.{name}")} for name, each in eps.items()}
    return {"eps": _sum(eps, more, "eps")}


def _sum(value: Any, more: Decimal, field: str) -> str:
    return f"{Decimal(_text(value, field)) + more:f}"


def _text(value: Any, field: str) -> str:
    """The number as it would be printed: mlscorecheck's are floats, which mean their shortest decimal."""
    try:
        found = Decimal(value.strip()) if isinstance(value, str) else Decimal(repr(float(value)))
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
            found = Decimal(value)
    except (InvalidOperation, TypeError, ValueError):
        raise BadClaim(field, f"expected a number, found {quoted(value)}") from None
    if not found.is_finite():
        # there a figure that is not a number counts as a match, whatever the matrix
        raise BadClaim(field, f"is {found} and says nothing about any matrix; leave the score out")
    return f"{found:f}"


def _number(value: Any, field: str) -> float | int:
    text = _text(value, field)
    return float(text) if "." in text else int(text)


def _whole(value: Any, field: str) -> int:
    try:
        if int(value) == value:
            return int(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise BadClaim(field, f"expected a whole number, found {quoted(value)}")


def _mapping(value: Any, field: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadClaim(field, f"expected names with values, found {quoted(value)}")
    return value


# -- two classes -------------------------------------------------------------------------------------


def _counts(data: Any, field: str) -> Made:
    """A test set or dataset: its counts, or its name."""
    said = {OTHER_WORDS.get(key, key): value for key, value in _mapping(data, field).items()}
    if said.get("name"):
        return {"dataset": str(said["name"])}
    for key in ("p", "n"):
        if key not in said:
            raise BadClaim(f"{field}.{key}", "is missing; p and n are needed, or dataset_name")
    return {key: _whole(said[key], f"{field}.{key}") for key in ("p", "n")}


def _folded(data: Any, folding: Any, how: str, field: str = "") -> Made:
    """A dataset with its folds, averaged (mos) or pooled (som)."""
    said = _mapping(folding, f"{field}folding")
    if said.get("folds"):
        each = [_counts(fold, f"{field}folding.folds[{at}]") for at, fold in enumerate(said["folds"])]
        return {"folds": each, "aggregate": AGGREGATES[how]}  # they say all there is: p and n are their sums
    return _counts(data, f"{field}dataset") | _number_of_folds(said, how, field)


def _number_of_folds(said: Mapping[str, Any], how: str, field: str) -> Made:
    found: Made = {"folds": _whole(said.get("n_folds") or 1, f"{field}folding.n_folds")}
    repeats = _whole(said.get("n_repeats") or 1, f"{field}folding.n_repeats")
    if repeats > 1:
        found["repeats"] = repeats
    if said.get("strategy") not in (None, STRATIFIED):
        raise BadClaim(
            f"{field}folding.strategy", f"expected {STRATIFIED!r} or none, found {quoted(said['strategy'])}"
        )
    if said.get("strategy"):
        found["stratified"] = True
    return found | {"aggregate": AGGREGATES[how]}


def _one_test_set(call: _Call) -> Made:
    return _claim(call, _counts(call.take("testset"), "testset"))


def _one_dataset(how: str) -> Callable[[_Call], Made]:
    def make(call: _Call) -> Made:
        bounds = call.take("fold_score_bounds", None) if how == "mos" else None
        return _claim(call, _folded(call.take("dataset"), call.take("folding"), how), part=bounds)

    return make


def _test_sets(how: str) -> Callable[[_Call], Made]:
    def make(call: _Call) -> Made:
        bounds = call.take("testset_score_bounds", None) if how == "mos" else None
        parts = [_counts(each, f"testsets[{at}]") for at, each in enumerate(call.take("testsets"))]
        return _claim(call, {"parts": parts, "aggregate": AGGREGATES[how]}, part=bounds)

    return make


def _datasets(outer: str, inner: str) -> Callable[[_Call], Made]:
    def make(call: _Call) -> Made:
        bounds = call.take("dataset_score_bounds", None) if outer == "mos" else None
        parts = []
        for at, each in enumerate(call.take("evaluations")):
            field = f"evaluations[{at}]."
            if each.get("aggregation", inner) != inner:
                raise BadClaim(f"{field}aggregation", f"{call.function} is about {inner!r} over folds")
            if each.get("fold_score_bounds") is not None:
                raise BadClaim(f"{field}fold_score_bounds", f"{call.function} takes dataset_score_bounds only")
            parts.append(_folded(each.get("dataset"), each.get("folding"), inner, field))
        return _claim(call, {"parts": parts, "aggregate": AGGREGATES[outer]}, part=bounds)

    return make


# -- several classes, predicted numbers ----------------------------------------------------------------


def _classes(data: Any, field: str) -> Made:
    rows = _mapping(data, field).items()
    return {
        "classes": {str(name): _whole(count, f"{field}.{name}") for name, count in rows if name != "identifier"}
    }


def _class_test_set(average: str) -> Callable[[_Call], Made]:
    def make(call: _Call) -> Made:
        bounds = call.take("class_score_bounds", None) if average == "macro" else None
        return _claim(call, _classes(call.take("testset"), "testset"), f"_{average}", **{"class": bounds})

    return make


def _class_folds(how: str, average: str) -> Callable[[_Call], Made]:
    def make(call: _Call) -> Made:
        of_classes = call.take("class_score_bounds", None) if average == "macro" else None
        of_folds = call.take("fold_score_bounds", None) if how == "mos" else None
        data, said = call.take("dataset"), _mapping(call.take("folding"), "folding")
        if said.get("folds"):
            each = [_classes(fold, f"folding.folds[{at}]") for at, fold in enumerate(said["folds"])]
            experiment: Made = {"folds": each, "aggregate": AGGREGATES[how]}
        else:
            experiment = _classes(data, "dataset") | _number_of_folds(said, how, "")
        return _claim(call, experiment, f"_{average}", **{"class": of_classes, average: of_folds})

    return make


def _regression(call: _Call) -> Made:
    experiment = {"samples": _whole(call.take("n_samples"), "n_samples"), "variance": call.take("var")}
    return _claim(call, {**experiment, "variance": _number(experiment["variance"], "var")})


# -- bundles -----------------------------------------------------------------------------------------


def _images(call: _Call, name: str, *keys: str) -> Made:
    """A set of images by the arguments that choose among them."""
    found: Made = {"dataset": name}
    for key in keys:
        match key:
            case "image_identifier":
                found["image"] = str(call.take(key))
            case "imageset" | "subset":
                chosen = call.take(key)
                if chosen in ("train", "test"):
                    found["split"] = chosen
                elif chosen != "all":
                    found["image"] = [chosen] if isinstance(chosen, str) else list(map(str, chosen))
            case "assumption":
                found["region"] = call.take(key)
            case "confidence":  # there a pixel is positive from this share of 255 on
                found["threshold"] = math.ceil(call.take(key) * 255)
            case _:
                found[key] = str(call.take(key))
    return found


def _bundle(name: str, *keys: str, how: str = "") -> Callable[[_Call], Made]:
    """Images of a set; without ``how`` they are averaged and pooled."""

    def make(call: _Call) -> Made:
        one = "image_identifier" in keys
        bounds = None if one or how == "som" else call.take("score_bounds", None)
        aggregate = {"aggregate": AGGREGATES[how]} if how else {}
        return _claim(call, _images(call, name, *keys) | aggregate, part=bounds)

    return make


def _diaretdb0(how: str = "") -> Callable[[_Call], Made]:
    def make(call: _Call) -> Made:
        signs, batches, split = call.take("class_name"), call.take("batch"), call.take("subset")
        signs = [signs] if isinstance(signs, str) else list(signs)
        one = {"dataset": "diaretdb0", "split": split, "lesion": "-".join(sorted(signs))}
        every = dataset("diaretdb0").keys["batch"] if batches == "all" else tuple(map(str, batches))
        parts = [{**one, "batch": batch} for batch in every]
        bounds = None if how == "som" else call.take("score_bounds", None)
        aggregate = {"aggregate": AGGREGATES[how]} if how else {}
        return _claim(call, {"parts": parts, **aggregate} if len(parts) > 1 else parts[0], part=bounds)

    return make


def _lesion(call: _Call) -> str:
    signs = call.take("class_name")
    chosen = [signs] if isinstance(signs, str) else list(signs)
    for sign in chosen:
        if sign not in LESIONS:
            raise BadClaim("class_name", f"{quoted(sign)} is not known for diaretdb1{nearest(sign, LESIONS)}")
    return "-".join(sorted(LESIONS[sign] for sign in chosen))


def _diaretdb1(*keys: str) -> Callable[[_Call], Made]:
    def make(call: _Call) -> Made:
        lesion = _lesion(call)
        experiment = _images(call, "diaretdb1", *keys, "confidence") | {"lesion": lesion}
        if "image_identifier" in keys:
            return _claim(call, experiment)
        if call.take("only_valid"):
            experiment = _valid(experiment)
        return _claim(call, experiment, part=call.take("score_bounds", None))

    return make


def _valid(experiment: Made) -> Made:
    """With the images alone that have both classes; which ones may depend on the region."""
    regions = [experiment["region"]] if "region" in experiment else ["fov", "all"]
    chosen = []
    for region in regions:
        rows = _pixels({**experiment, "region": region})
        names = [image for image, p, n in rows if p and n]
        if not names:
            raise BadClaim("only_valid", "no image has pixels of both classes at this confidence")
        chosen.append({**experiment, "region": region, "image": names})
    if all(each["image"] == chosen[0]["image"] for each in chosen):
        return {**experiment, "image": chosen[0]["image"]}
    return {"one_of": [{"name": each["region"], **each} for each in chosen]}


def _pixels(experiment: Made) -> list[tuple[str, int, int]]:
    """The images of DIARETDB1 that are meant, each with its positives and negatives."""
    entry: Dataset = dataset("diaretdb1")
    wanted = {key: experiment[key] for key in ("region", "lesion")}
    splits = [experiment["split"]] if "split" in experiment else list(entry.keys["split"])
    rows = [each for split in splits for each in entry.row(**wanted, split=split).at(experiment["threshold"])]
    names = {entry.image(each) for each in experiment.get("image", ())}
    return [each for each in rows if not names or each[0] in names]


def _diaretdb1_labels(call: _Call) -> Made:
    """Images with and without a lesion, whose marks are the same in every region."""
    lesion = _lesion(call)
    rows = _pixels(_images(call, "diaretdb1", "subset", "confidence") | {"lesion": lesion, "region": "all"})
    with_it = sum(p > 0 for _, p, _ in rows)
    return _claim(call, {"p": with_it, "n": len(rows) - with_it})


def _isic2016(call: _Call) -> Made:
    return _claim(call, {"dataset": "isic2016"})


def _isic2017(call: _Call) -> Made:
    counts = dict(dataset("isic2017_classes").row(split="test").classes)

    def items(field: str) -> int:
        chosen: Iterable[str] = call.take(field)
        for each in (chosen := [chosen] if isinstance(chosen, str) else list(chosen)):
            if each not in SKIN:
                raise BadClaim(field, f"expected some of {', '.join(SKIN)}, found {quoted(each)}")
        return sum(counts[SKIN[each]] for each in chosen)

    return _claim(call, {"p": items("target"), "n": items("against")})


def _tpehg(call: _Call) -> Made:
    folding = {"n_folds": call.take("n_folds"), "n_repeats": call.take("n_repeats")}
    experiment = {"dataset": "tpehg"} | _number_of_folds(folding, "mos", "")
    return _claim(call, experiment, part=call.take("score_bounds", None))


ONE, SET, PIXELS = ("image_identifier",), ("imageset", "annotator"), ("confidence", "target")
REGRESSION = "check_1_testset_no_kfold"  # a name that stands for two functions there

# fmt: off
FUNCTIONS: dict[str, Callable[[_Call], Made]] = {
    "check_1_testset_no_kfold":               _one_test_set,
    "check_1_dataset_kfold_som":              _one_dataset("som"),
    "check_1_dataset_known_folds_mos":        _one_dataset("mos"),
    "check_1_dataset_unknown_folds_mos":      _one_dataset("mos"),
    "check_n_testsets_som_no_kfold":          _test_sets("som"),
    "check_n_testsets_mos_no_kfold":          _test_sets("mos"),
    "check_n_datasets_som_kfold_som":         _datasets("som", "som"),
    "check_n_datasets_mos_kfold_som":         _datasets("mos", "som"),
    "check_n_datasets_mos_known_folds_mos":   _datasets("mos", "mos"),
    "check_n_datasets_mos_unknown_folds_mos": _datasets("mos", "mos"),

    "check_1_testset_no_kfold_micro":         _class_test_set("micro"),
    "check_1_testset_no_kfold_macro":         _class_test_set("macro"),
    "check_1_dataset_known_folds_som_micro":  _class_folds("som", "micro"),
    "check_1_dataset_known_folds_som_macro":  _class_folds("som", "macro"),
    "check_1_dataset_known_folds_mos_micro":  _class_folds("mos", "micro"),
    "check_1_dataset_known_folds_mos_macro":  _class_folds("mos", "macro"),

    "check_drive_vessel_image":                     _bundle("drive", *ONE, "annotator"),
    "check_drive_vessel_image_assumption":          _bundle("drive", *ONE, "annotator", "assumption"),
    "check_drive_vessel_aggregated":                _bundle("drive", *SET),
    "check_drive_vessel_aggregated_mos_assumption": _bundle("drive", *SET, "assumption", how="mos"),
    "check_drive_vessel_aggregated_som_assumption": _bundle("drive", *SET, "assumption", how="som"),
    "check_stare_vessel_image":                     _bundle("stare", *ONE, "annotator"),
    "check_stare_vessel_aggregated":                _bundle("stare", *SET),
    "check_stare_vessel_aggregated_mos":            _bundle("stare", *SET, how="mos"),
    "check_stare_vessel_aggregated_som":            _bundle("stare", *SET, how="som"),
    "check_chasedb1_vessel_image":                  _bundle("chase_db1", *ONE, "annotator"),
    "check_chasedb1_vessel_aggregated":             _bundle("chase_db1", *SET),
    "check_chasedb1_vessel_aggregated_mos":         _bundle("chase_db1", *SET, how="mos"),
    "check_chasedb1_vessel_aggregated_som":         _bundle("chase_db1", *SET, how="som"),
    "check_hrf_vessel_image":                       _bundle("hrf", "image_identifier"),
    "check_hrf_vessel_image_assumption":            _bundle("hrf", "image_identifier", "assumption"),
    "check_hrf_vessel_aggregated":                  _bundle("hrf", "imageset"),
    "check_hrf_vessel_aggregated_mos_assumption":   _bundle("hrf", "imageset", "assumption", how="mos"),
    "check_hrf_vessel_aggregated_som_assumption":   _bundle("hrf", "imageset", "assumption", how="som"),
    "check_diaretdb0_class":                        _diaretdb0(),
    "check_diaretdb0_class_mos":                    _diaretdb0("mos"),
    "check_diaretdb0_class_som":                    _diaretdb0("som"),
    "check_diaretdb1_class":                        _diaretdb1_labels,
    "check_diaretdb1_segmentation_image":           _diaretdb1("image_identifier"),
    "check_diaretdb1_segmentation_image_assumption":      _diaretdb1("image_identifier", "assumption"),
    "check_diaretdb1_segmentation_aggregated":            _diaretdb1("subset"),
    "check_diaretdb1_segmentation_aggregated_assumption": _diaretdb1("subset", "assumption"),
    "check_drishti_gs_segmentation_image":          _bundle("drishti_gs", *ONE, *PIXELS),
    "check_drishti_gs_segmentation_aggregated":     _bundle("drishti_gs", "subset", *PIXELS),
    "check_drishti_gs_segmentation_aggregated_mos": _bundle("drishti_gs", "subset", *PIXELS, how="mos"),
    "check_drishti_gs_segmentation_aggregated_som": _bundle("drishti_gs", "subset", *PIXELS, how="som"),
    "check_isic2016":                               _isic2016,
    "check_isic2017":                               _isic2017,
    "check_tpehg":                                  _tpehg,
}
# fmt: on
