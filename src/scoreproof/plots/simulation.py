"""Figures of a simulation: bias and deviation of averages over folds, and empty folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scoreproof.plots import style
from scoreproof.studies.simulation.empty import chance_in_trials, chance_of_empty_fold

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scoreproof.studies.simulation import Row, Simulation

# The same look for a way in every figure; skipping variants share their partner's colour.
# fmt: off
LOOKS: dict[str, tuple[str, str, str, str]] = {
    # way           label                          colour         marker line
    "f_tp_fp":      (r"$F_{tp,fp}$",               style.BLACK,   "o",   "-"),
    "f_avg":        (r"$F_{avg}$",                 style.BLUE,    "s",   "-"),
    "f_avg_skip":   (r"$\tilde{F}_{avg}$",         style.BLUE,    "D",   "--"),
    "f_pr_re":      (r"$F_{pr,re}$",               style.ORANGE,  "^",   "-"),
    "f_pr_re_skip": (r"$\tilde{F}_{pr,re}$",       style.ORANGE,  "v",   "--"),
    "auc_avg":      (r"$AUC_{avg}$",               style.BLACK,   "o",   "-"),
    "auc_avg_zero": (r"$AUC_{avg}$, empty fold 0", style.BLUE,    "s",   "--"),
    "auc_merge":    (r"$AUC_{merge}$",             style.ORANGE,  "^",   "-"),
}
# fmt: on
MEASURES = {"bias": "relative bias", "sd": "relative standard deviation"}

#: The positives of the figure about empty folds.
COUNTS = tuple(range(10, 151, 2))
MANY = 1000

#: A figure with more panels is not drawn; an axis with more values has ticks of its own.
MOST_PANELS = 6
MOST_TICKS = 5


def simulation_figures(found: Simulation) -> dict[str, Figure]:
    """Every figure the settings of the simulation give, by name.

    Over the share of positives if there are several, over the truth (or, for AUC, the shift)
    if there are several, each for the bias and the deviation, unless that makes more than six
    panels; and, with plain folds, how likely a fold without positives is.
    """
    figures: dict[str, Figure] = {}
    over = {
        "positives": "positives (% of the cases)",
        "truth": "true F-measure" if found.what == "fmeasure" else "true AUC",
        "shift": "shift between folds (sd of the scores)",
    }
    for values in MEASURES:
        for key, title in over.items():
            several = len({getattr(row, key) for row in found.rows}) > 1
            if several and len(_settings(found.rows, key)) <= MOST_PANELS:
                for folds in sorted({row.folds for row in found.rows}, reverse=True):
                    rows = [row for row in found.rows if row.folds == folds]
                    name = f"{values}-by-{key}-{folds}"
                    figures[name] = _figure(found, rows, values, key, title)
    if any(not row.stratified for row in found.rows):
        figures["empty-fold"] = empty_fold_figure(found.cases, found.folds)
    return figures


def _figure(found: Simulation, rows: Sequence[Row], values: str, key: str, x: str) -> Figure:
    """One panel for each setting of what is not on the x-axis."""
    others, settings = _others(key), _settings(rows, key)
    columns = min(3, len(settings))
    lines = -(-len(settings) // columns)
    width = style.COLUMN if columns == 1 else style.PAGE
    fig = style.figure(width, 2.75 if columns == 1 else 0.5 + 2.3 * lines)
    titles = [_title(found, others, setting) for setting in settings]
    y = f"{MEASURES[values]} (% of the truth)"
    axes = style.panels(fig, columns, lines, x=x, y=y, titles=titles if len(settings) > 1 else ())
    for panel, setting in zip(axes, settings, strict=False):
        here = [row for row in rows if tuple(getattr(row, other) for other in others) == setting]
        _curves(panel, here, values, key, 100 / found.cases if key == "positives" else 1)
    for panel in axes[len(settings) :]:
        panel.set_axis_off()
    with style.look():
        ways = len({row.way for row in rows})
        style.legend(fig, axes[0], "upper", ways if columns > 1 else 3)
    return fig


def _others(key: str) -> list[str]:
    return [other for other in ("positives", "truth", "shift") if other != key]


def _settings(rows: Sequence[Row], key: str) -> list[tuple[float, ...]]:
    """The values of everything but the key: one panel each."""
    return list(dict.fromkeys(tuple(getattr(row, other) for other in _others(key)) for row in rows))


def _title(found: Simulation, others: list[str], setting: tuple[float, ...]) -> str:
    words = {
        "positives": lambda value: f"{100 * value / found.cases:g} % positives",
        "truth": lambda value: f"true {'F' if found.what == 'fmeasure' else 'AUC'} = {value:g}",
        "shift": lambda value: f"shift {value:g}" if found.what == "auc" else "",
    }
    return ", ".join(filter(None, (words[key](value) for key, value in zip(others, setting, strict=True))))


def _curves(panel: Axes, rows: Sequence[Row], values: str, key: str, scale: float) -> None:
    with style.look():
        if values == "bias":
            panel.axhline(0, color=style.GREY, linewidth=0.8, zorder=1)
        for way in dict.fromkeys(row.way for row in rows):
            label, colour, marker, line = LOOKS[way]
            mine = sorted((row for row in rows if row.way == way), key=lambda row: float(getattr(row, key)))
            panel.plot(
                [scale * getattr(row, key) for row in mine],
                [100 * getattr(row, values) for row in mine],
                color=colour,
                marker=marker,
                linestyle=line,
                label=label,
                markerfacecolor="white" if line == "--" else colour,
                markeredgewidth=0.9,
                markersize=3.6,
            )
        ticks = sorted({scale * float(getattr(row, key)) for row in rows})
        if len(ticks) <= MOST_TICKS:
            panel.set_xticks(ticks, [f"{tick:g}" for tick in ticks])


def empty_fold_figure(cases: int, folds: int) -> Figure:
    """How likely it is that plain folds leave one without positives, by the number of positives."""
    fig = style.figure(style.COLUMN, 2.75)
    [axes] = style.panels(fig, x="positives in the data set", y="probability of a fold without positives")
    counts = [count for count in COUNTS if count < cases]
    chances = [chance_of_empty_fold(count, cases, folds) for count in counts]
    with style.look():
        axes.plot(counts, list(map(float, chances)), color=style.BLACK, label="one cross-validation")
        many = [chance_in_trials(chance, MANY) for chance in chances]
        axes.plot(counts, many, color=style.ORANGE, linestyle="--", label=f"any of {MANY}")
        axes.set_ylim(0, 1.02)
        fig.legend(loc="outside upper center", ncols=2)
    return fig
