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
from typing import IO, TYPE_CHECKING, Any, Literal

from scoreproof.errors import BadClaim, quoted
from scoreproof.hints import nearest

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's palette, told apart with every common kind of colour vision.
# fmt: off
BLACK, GREY            = "#1a1a1a", "#6e6e6e"
BLUE, ORANGE, GREEN    = "#0072b2", "#d55e00", "#009e73"
PURPLE, SKY, AMBER     = "#cc79a7", "#56b4e9", "#e69f00"
FAINT                  = "#e3e3e3"  # grid lines

#: The colours of curves, and the markers and dashes that tell them apart without colour.
PALETTE: tuple[str, ...] = (BLUE, ORANGE, GREEN, PURPLE, AMBER, SKY, BLACK)
MARKERS: tuple[str, ...] = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1)), (0, (5, 1, 1, 1)), (0, (3, 1)), (0, (7, 2)), "-")

#: Widths in inches: one column of a journal, one and a half, the whole page.
COLUMN, MIDDLE, PAGE = 3.5, 5.0, 7.2
RESOLUTION = 300

#: What a file's ending means.
FORMATS = ("png", "svg", "pdf")

#: The settings of matplotlib, by what they are about.
_SETTINGS: dict[str, dict[str, Any]] = {
    # DejaVu comes with matplotlib: the same figure on every machine
    "font":     {"family": "DejaVu Sans", "size": 8},
    "axes":     {"titlesize": 8.5, "titleweight": "bold", "titlelocation": "left", "labelsize": 8,
                 "linewidth": 0.7, "edgecolor": BLACK, "labelcolor": BLACK, "spines.top": False,
                 "spines.right": False, "grid": True, "axisbelow": True, "unicode_minus": True},
    "grid":     {"color": FAINT, "linewidth": 0.6},
    "xtick":    {"labelsize": 7.5, "major.width": 0.7, "major.size": 3},
    "ytick":    {"labelsize": 7.5, "major.width": 0.7, "major.size": 3},
    "lines":    {"linewidth": 1.4, "markersize": 4},
    "legend":   {"frameon": False, "fontsize": 7.5, "handlelength": 2.4},
    "mathtext": {"fontset": "dejavusans"},
    # text stays text: it can be searched, read aloud and restyled
    "svg":      {"fonttype": "none", "hashsalt": "scoreproof"},
    "pdf":      {"fonttype": 42},
    "figure":   {"facecolor": "white"},
    "savefig":  {"facecolor": "white"},
}
# fmt: on
_LOOK: Any = {f"{about}.{name}": value for about, each in _SETTINGS.items() for name, value in each.items()}


@contextmanager
def look() -> Iterator[None]:
    """The style of the house while artists are added to a figure."""
    try:
        import matplotlib
    except ImportError:
        raise BadClaim("plot", 'figures need matplotlib: pip install "scoreproof[plots]"') from None
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
    fig: Figure, columns: int = 1, rows: int = 1, *, x: str = "", y: str = "", titles: Sequence[str] = ()
) -> list[Axes]:
    """The panels of the figure, row by row, with axis titles (and units) at its outer edges."""
    with look():
        grid = list(fig.subplots(rows, columns, squeeze=False).flat)
        for axes in grid[-columns:]:
            axes.set_xlabel(x)
        for axes in grid[::columns]:
            axes.set_ylabel(y)
        for axes, title in zip(grid, titles, strict=False):
            axes.set_title(title)
    return grid


def legend(fig: Figure, axes: Axes, where: Literal["upper", "lower"], columns: int) -> None:
    """One legend for all panels, outside of them; what is drawn several times is named once."""
    handles, labels = axes.get_legend_handles_labels()
    unique = dict(zip(map(str, labels), handles, strict=True))
    place: Any = f"outside {where} center"
    fig.legend(unique.values(), unique.keys(), loc=place, ncols=columns)


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
