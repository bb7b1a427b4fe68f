"""The power of the check against the number of printed decimals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scoreproof.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from scoreproof.studies.power import Power

#: How far the markers of neighbouring curves stand apart, in decimals.
APART = 0.06


def power_figure(curves: Sequence[Power]) -> Figure:
    """One curve per result, with 95 % confidence intervals.

    Curves stand a little apart, so that equal ones can be told.
    """
    fig = style.figure(style.COLUMN, 0.78 * style.COLUMN)
    [axes] = style.panels(fig, x="printed decimals", y="power (share of slips refuted)")
    places = sorted({point.decimals for curve in curves for point in curve.points})
    with style.look():
        for index, curve in enumerate(curves):
            points = [point for point in curve.points if point.power is not None]
            shift = APART * (index - (len(curves) - 1) / 2)
            shares = [point.refuted / point.trials for point in points]
            below = [share - point.interval[0] for share, point in zip(shares, points, strict=True)]
            above = [point.interval[1] - share for share, point in zip(shares, points, strict=True)]
            look = index % len(style.PALETTE)
            axes.errorbar(
                [point.decimals + shift for point in points],
                shares,
                yerr=[below, above],
                color=style.PALETTE[look],
                marker=style.MARKERS[look],
                linestyle=style.DASHES[look],
                capsize=2,
                elinewidth=0.9,
                markeredgecolor="white",
                markeredgewidth=0.5,
                label=curve.model,
                clip_on=False,
                zorder=3,
            )
        axes.set_xticks(places)
        axes.set_xlim(places[0] - 0.35, places[-1] + 0.35)
        axes.set_ylim(0, 1.02)
        axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1])
        axes.grid(visible=False, axis="x")
        if len(curves) > 1:
            axes.legend(loc="best")
    return fig
