"""The feasible region as a figure: the (tp, tn) plane with the band of every printed score."""

from __future__ import annotations

from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING

from scoreproof.errors import BadClaim
from scoreproof.insight.region import Panel, Region, region
from scoreproof.plots.style import BLACK, DASHES, GREY, PAGE, PALETTE, figure, legend, look, panels, save
from scoreproof.verdict import Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HATCHES = ("///", "\\\\\\", "---", "|||", "xxx", "...", "+++")


def plot_region(verdict: Verdict, to: str | Path, *, field: str = "plot") -> None:
    """Save the picture of a claim about one matrix, as PNG, SVG or PDF."""
    found = region(verdict)
    if found is None:
        why = "the (tp, tn) plane can be drawn only for claims about one matrix whose counts are known"
        raise BadClaim(field, f"{why}; this is another kind of claim")
    save(draw(found), to, field=field)


def draw(found: Region) -> Figure:
    """The figure: the whole plane and, where there is one, the close-up."""
    shown = found.panels
    fig = figure(PAGE if len(shown) > 1 else PAGE / 2, 4.0 if len(shown) > 1 else 4.2)
    x, y = "true positives, tp (items)", "true negatives, tn (items)"
    axes = panels(fig, len(shown), x=x, y=y, titles=("all confusion matrices", "close-up"))
    import matplotlib

    with look(), matplotlib.rc_context({"hatch.linewidth": 0.5}):
        for panel, ax in zip(shown, axes, strict=True):
            _panel(ax, panel)
        if found.close_up is not None:
            _frame(axes[0], found.close_up)
        legend(fig, axes[0], "lower", min(4, len(axes[0].get_legend_handles_labels()[1])))
        fig.suptitle(found.caption, fontsize=8.5)
    return fig


def _panel(ax: Axes, panel: Panel) -> None:
    from matplotlib.patches import Polygon
    from matplotlib.ticker import MaxNLocator

    window = panel.window
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(7, integer=True))
    ax.set_xlim(window.left, window.right)
    ax.set_ylim(window.bottom, window.top)
    for spine in ax.spines.values():
        spine.set_visible(True)
    if window.countable:
        tps = range(ceil(window.left), floor(window.right) + 1)
        tns = range(ceil(window.bottom), floor(window.top) + 1)
        pairs = [(tp, tn) for tp in tps for tn in tns]
        ax.plot(*zip(*pairs, strict=True), ".", color=GREY, markersize=1.6, zorder=1.5)
    for number, band in enumerate(panel.bands):
        colour, hatch = PALETTE[number % len(PALETTE)], HATCHES[number % len(HATCHES)]
        label = f"{band.label} {band.printed}{' (clashes)' if band.clashes else ''}"
        for outline in band.outlines or ((),):
            patch = Polygon(
                outline or [(window.left, window.bottom)] * 3,
                closed=True,
                facecolor=(colour, 0.13),
                edgecolor=colour,
                hatch=hatch,
                linewidth=1.7 if band.clashes else 0.9,
                linestyle=DASHES[number % len(DASHES)],
                label=label,
                zorder=3 if band.clashes else 2,
            )
            label = "_"  # one entry a band
            ax.add_patch(patch)
    if panel.fitting:
        size = 16 if window.countable else 6
        tps_fit, tns_fit = zip(*panel.fitting, strict=True)
        ax.scatter(
            tps_fit, tns_fit, s=size, color=BLACK, edgecolor="white", linewidth=0.5, zorder=4,
            label="matrices that fit", clip_on=False,
        )  # fmt: skip


def _frame(ax: Axes, close_up: Panel) -> None:
    from matplotlib.patches import Rectangle

    window = close_up.window
    ax.add_patch(
        Rectangle((window.left, window.bottom), window.width, window.height, fill=False, linewidth=1, zorder=5)
    )
