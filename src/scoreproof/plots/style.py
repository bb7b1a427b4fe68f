"""How every figure looks, and how it is saved.

A figure is made with :func:`figure`, its panels with :func:`panels`, and written with
:func:`save` (PNG, SVG or PDF).  No display is ever opened and no setting of matplotlib
outlives a call, so plots of the user's own stay as they are.  The same figure gives the
same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from scoreproof.errors import BadClaim, nearest, quoted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's palette, told apart with every common kind of colour vision.
# fmt: off
BLACK, GREY            = "#1a1a1a", "#6e6e6e"
BLUE, ORANGE, GREEN    = "#0072b2", "#d55e00", "#009e73"
PURPLE, SKY, AMBER     = "#cc79a7", "#56b4e9", "#e69f00"
FAINT                  = "#e3e3e3"  # grid lines
# fmt: on

#: The colours of curves, and the markers and dashes that tell them apart without colour.
PALETTE: tuple[str, ...] = (BLUE, ORANGE, GREEN, PURPLE, AMBER, SKY, BLACK)
MARKERS: tuple[str, ...] = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[str | tuple[int, tuple[int, ...]], ...] = (
    "-",
    (0, (5, 2)),
    (0, (1, 1)),
    (0, (5, 1, 1, 1)),
    (0, (3, 1)),
    (0, (7, 2)),
    "-",
)

#: Widths in inches: one column of a journal, one and a half, the whole page.
COLUMN, MIDDLE, PAGE = 3.5, 5.0, 7.2
RESOLUTION = 300

#: What a file's ending means.
FORMATS = ("png", "svg", "pdf")

_LOOK: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same figure on every machine
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 8,
    "axes.linewidth": 0.7,
    "axes.edgecolor": BLACK,
    "axes.labelcolor": BLACK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "legend.frameon": False,
    "legend.fontsize": 7.5,
    "legend.handlelength": 2.4,
    "mathtext.fontset": "dejavusans",
    "svg.fonttype": "none",  # text stays text: it can be searched, read aloud and restyled
    "svg.hashsalt": "scoreproof",
    "pdf.fonttype": 42,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
}


@contextmanager
def look() -> Iterator[None]:
    """The style of the house while artists are added to a figure."""
    _needed()
    import matplotlib

    with matplotlib.rc_context(_LOOK):
        yield


def figure(width: float = MIDDLE, height: float = 3.2) -> Figure:
    """An empty figure of that many inches, in the house style, tied to no display."""
    with look():
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        made = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(made)
        return made


def panels(
    fig: Figure,
    columns: int = 1,
    rows: int = 1,
    *,
    x: str = "",
    y: str = "",
    titles: Sequence[str] = (),
) -> list[Axes]:
    """The panels of the figure, row by row, with axis titles (and units) at its outer edges."""
    with look():
        grid = fig.subplots(rows, columns, squeeze=False)
        for index, axes in enumerate(grid.flat):
            row, column = divmod(index, columns)
            if row == rows - 1:
                axes.set_xlabel(x)
            if column == 0:
                axes.set_ylabel(y)
            if index < len(titles):
                axes.set_title(titles[index])
    return list(grid.flat)


def labelled(quantity: str, unit: str = "") -> str:
    """An axis title: the quantity, and its unit in brackets if it has one.

    >>> labelled("bias", "% of the truth")
    'bias (% of the truth)'
    """
    return f"{quantity} ({unit})" if unit else quantity


def format_of(path: str | Path, field: str = "plot") -> str:
    """The format a file's name asks for.

    >>> format_of("power.PDF")
    'pdf'
    """
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        hint = nearest(ending, FORMATS)
        raise BadClaim(field, f"the file name must end in .png, .svg or .pdf, found {quoted(str(path))}{hint}")
    return ending


def save(fig: Figure, to: str | Path | IO[bytes], format: str | None = None, *, field: str = "plot") -> None:
    """Write the figure to a path or a binary buffer, as PNG, SVG or PDF."""
    if isinstance(to, (str, Path)):
        format = format or format_of(to, field)
    if format not in FORMATS:
        raise BadClaim(field, f"the format must be png, svg or pdf, found {quoted(format)}")
    # Without dates in it, the same figure is the same file.
    undated = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[format]
    try:
        with look():
            fig.savefig(to, format=format, dpi=RESOLUTION, metadata=undated)
    except OSError as error:
        raise BadClaim(field, f"cannot write {quoted(str(to))} ({error.strerror or error})") from None


def _needed() -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise BadClaim("plot", 'figures need matplotlib: pip install "scoreproof[plots]"') from None
