"""Range bars: what every score can be, given the printed figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scoreproof.errors import BadClaim
from scoreproof.insight.reconstruction import Attainable, Reconstruction
from scoreproof.plots.style import BLACK, BLUE, GREY, MIDDLE, ORANGE, figure, legend, look, save
from scoreproof.scores.names import look_up
from scoreproof.writing import show

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def plot_ranges(found: Reconstruction, to: str | Path, *, field: str = "plot") -> None:
    """Save the range bars, as PNG, SVG or PDF."""
    save(draw(found, field), to, field=field)


def draw(found: Reconstruction, field: str = "plot") -> Figure:
    """One bar a score, from its lowest to its highest value; ratios on a scale of their own."""
    bars = {label: each for label, each in found.ranges.items() if each is not None and each.width is not None}
    if not bars:
        raise BadClaim(field, "there are no ranges to draw: nothing fits, or no range has two ends")
    bounded = {label: each for label, each in bars.items() if look_up(label).score.highest is not None}
    ratios = {label: each for label, each in bars.items() if label not in bounded}
    groups = [group for group in (bounded, ratios) if group]
    rows = sum(len(group) for group in groups)
    fig = figure(MIDDLE, 0.9 + 0.2 * rows + 0.6 * (len(groups) - 1))
    with look():
        # Bars of the same thickness in both panels.
        sizes = [len(group) + 0.5 for group in groups]
        axes = list(fig.subplots(len(groups), 1, squeeze=False, height_ratios=sizes).flat)
        for ax, group in zip(axes, groups, strict=True):
            lowest = _bars(ax, group)
            ax.set_xlabel("value of the score")
            if group is ratios and lowest > 0:
                ax.set_xscale("log")
                ax.set_xlabel("value of the ratio (logarithmic scale)")
            elif group is ratios:  # a ratio can be 0, which no logarithm shows
                ax.set_xscale("symlog", linthresh=0.1)
                ax.set_xlabel("value of the ratio (logarithmic scale above 0.1)")
        fig.suptitle("what each score can be, given all printed figures", fontsize=8.5)
        legend(fig, axes[0], "lower", 3)
    return fig


def _bars(ax: Axes, group: dict[str, Attainable]) -> float:
    """Draw a bar for each score; the lowest value of all."""
    lowest = []
    for place, each in enumerate(group.values()):
        assert each.lowest is not None and each.highest is not None
        low, high = float(show(each.lowest, 12)), float(show(each.highest, 12))
        lowest.append(low)
        reported = each.reported is not None
        kind = "printed" if reported else "not printed"
        ax.plot([low, high], [place, place], color=ORANGE if reported else BLUE, linewidth=4,
                solid_capstyle="butt", linestyle="-", label=kind)  # fmt: skip
        for value, exact in ((low, each.lowest_exact), (high, each.highest_exact)):
            # A full mark where a matrix reaches the end, an empty one where it is only a bound.
            label = "an end that is only bounded" if not exact else None
            ax.plot([value], [place], "|" if exact else "o", color=BLACK, markersize=7 if exact else 4,
                    markerfacecolor="white", label=label)  # fmt: skip
    ax.set_yticks(range(len(group)), group)
    ax.set_ylim(len(group) - 0.5, -0.5)
    ax.grid(axis="y", visible=False)
    ax.tick_params(axis="y", length=0, colors=BLACK)
    ax.spines["left"].set_color(GREY)
    return min(lowest)
