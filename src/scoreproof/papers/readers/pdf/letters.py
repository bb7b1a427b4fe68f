"""A page's letters and rules with their places, turned so that most of the text runs from left to right."""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

#: What a page may hold; one with more is a drawing.
MOST_LETTERS = 60_000
MOST_OBJECTS = 40_000
MOST_RULES = 4_000
#: Points: a rule is not thicker than this, and not shorter than that.
THICKEST = 3.0
SHORTEST = 8.0


@dataclass(slots=True)
class Letter:
    """A letter: where it begins on its line and where it ends, its line's height, and its size."""

    sign: str
    x0: float
    x1: float
    base: float
    size: float
    turned: bool = False  # it runs upwards or downwards on a page whose text does not


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule from (x0, y0) to (x1, y1); it lies if it is longer than high."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def lies(self) -> bool:
        return self.x1 - self.x0 >= self.y1 - self.y0

    @property
    def y(self) -> float:
        return (self.y0 + self.y1) / 2

    @property
    def x(self) -> float:
        return (self.x0 + self.x1) / 2


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page: letters, rules, its width, and whether it holds more than was read."""

    letters: list[Letter]
    rules: list[Rule]
    turned: list[Letter]
    cut: bool = False
    pictures: int = 0


@dataclass(frozen=True, slots=True)
class _Turn:
    """The direction in which text runs, as a turn of the page."""

    dx: int
    dy: int

    def point(self, x: float, y: float) -> tuple[float, float]:
        return x * self.dx + y * self.dy, -x * self.dy + y * self.dx

    def box(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        (a, b), (c, d) = self.point(x0, y0), self.point(x1, y1)
        return min(a, c), min(b, d), max(a, c), max(b, d)


_TURNS = (_Turn(1, 0), _Turn(0, -1), _Turn(-1, 0), _Turn(0, 1))  # by quarters of the letters' angle


def read_sheet(page: Any) -> Sheet:
    """The letters and rules of a page of pypdfium2."""
    import pypdfium2.raw as raw

    text = page.get_textpage()
    number = text.count_chars()
    x, y, box = ctypes.c_double(), ctypes.c_double(), raw.FS_RECTF()
    found: list[tuple[str, int, float, float, tuple[float, float, float, float], float]] = []
    for at in range(min(number, MOST_LETTERS)):
        sign = _sign(raw.FPDFText_GetUnicode(text, at))
        if not sign or raw.FPDFText_IsGenerated(text, at) == 1:
            continue
        raw.FPDFText_GetCharOrigin(text, at, x, y)
        raw.FPDFText_GetLooseCharBox(text, at, box)
        quarter = round(raw.FPDFText_GetCharAngle(text, at) / (math.pi / 2)) % 4
        edges = (box.left, box.bottom, box.right, box.top)
        found.append((sign, quarter, x.value, y.value, edges, raw.FPDFText_GetFontSize(text, at)))
    text.close()
    main = max(Counter(each[1] for each in found).items(), key=lambda item: item[1], default=(0, 0))[0]
    letters: list[Letter] = []
    aside: list[Letter] = []
    for sign, quarter, left, base, edges, size in found:
        turn = _TURNS[quarter]
        x0, y0, x1, y1 = turn.box(*edges)
        size = size if size > 2.5 else max(y1 - y0, 1.0)
        if quarter == main:
            letters.append(Letter(sign, x0, x1, turn.point(left, base)[1], size))
        else:
            aside.append(Letter(sign, x0, x1, turn.point(left, base)[1], size, True))
    return Sheet(
        letters,
        _rules(page, _TURNS[main]),
        _standing(aside, found, main),
        number > MOST_LETTERS,
        _pictures(page),
    )


def _standing(aside: list[Letter], found: list[Any], main: int) -> list[Letter]:
    """The words that run up or down the page, each as one letter as tall as it is long."""
    if not aside:
        return []
    quarter = Counter(each[1] for each in found if each[1] != main).most_common(1)[0][0]
    back = _TURNS[quarter]
    into = _TURNS[main]
    from scoreproof.papers.readers.pdf.lines import words_of

    standing = []
    for word in words_of(aside, widest=0.9):
        # from the turned page to the page, and from there to the text's own turn
        corners = [
            (x * back.dx - y * back.dy, x * back.dy + y * back.dx)
            for x, y in ((word.x0, word.base - 0.2 * word.size), (word.x1, word.base + 0.75 * word.size))
        ]
        x0, y0, x1, _ = into.box(*corners[0], *corners[1])
        standing.append(Letter(word.text, x0, x1, y0, word.size, True))
    return standing


def _sign(code: int) -> str:
    """A letter; nothing for what is not one."""
    if code in (0xFFFE, 0xFFFF, 0xAD) or 0xD800 <= code < 0xE000:
        return "-" if code in (0xFFFE, 0xAD) else ""
    if code == 2:  # a hyphen at the end of a line, as pdfium gives it
        return "-"
    sign = chr(code)
    return " " if sign.isspace() else sign if code >= 32 else ""


def _pictures(page: Any) -> int:
    import pypdfium2.raw as raw

    number = min(raw.FPDFPage_CountObjects(page), 2_000)
    kinds = (raw.FPDFPageObj_GetType(raw.FPDFPage_GetObject(page, at)) for at in range(number))
    return sum(kind == raw.FPDF_PAGEOBJ_IMAGE for kind in kinds)


def _rules(page: Any, turn: _Turn) -> list[Rule]:
    """The straight thin lines of a page: drawn as lines, or as boxes that are filled."""
    import pypdfium2.raw as raw

    found: list[Rule] = []
    for at in range(min(raw.FPDFPage_CountObjects(page), MOST_OBJECTS)):
        item = raw.FPDFPage_GetObject(page, at)
        if raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_PATH and len(found) < MOST_RULES:
            found += [Rule(*turn.box(*edges)) for edges in _lines(item)]
    return [rule for rule in found if max(rule.x1 - rule.x0, rule.y1 - rule.y0) >= SHORTEST]


def _lines(item: Any) -> list[tuple[float, float, float, float]]:
    """The straight thin lines of a path: the path itself where it is thin, else those it is made of."""
    import pypdfium2.raw as raw

    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not raw.FPDFPageObj_GetBounds(item, left, bottom, right, top):
        return []
    edges = (left.value, bottom.value, right.value, top.value)
    if min(edges[2] - edges[0], edges[3] - edges[1]) <= THICKEST:
        return [edges]
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(item, fill, stroke)
    number = raw.FPDFPath_CountSegments(item)
    if not stroke.value or number > 2_000:
        return []
    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(item, matrix)
    points: list[tuple[int, float, float]] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for at in range(number):
        segment = raw.FPDFPath_GetPathSegment(item, at)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        across = matrix.a * x.value + matrix.c * y.value + matrix.e
        up = matrix.b * x.value + matrix.d * y.value + matrix.f
        points.append((raw.FPDFPathSegment_GetType(segment), across, up))
    found = []
    start = points[0] if points else None
    for before, after in pairwise(points):
        if after[0] == raw.FPDF_SEGMENT_MOVETO:
            start = after
        elif after[0] == raw.FPDF_SEGMENT_LINETO:
            found.append((before, after))
    if start is not None and len(points) > 2:
        found.append((points[-1], start))  # a box is closed by its last side
    return [
        (min(a[1], b[1]), min(a[2], b[2]), max(a[1], b[1]), max(a[2], b[2]))
        for a, b in found
        if min(abs(a[1] - b[1]), abs(a[2] - b[2])) < 0.5
    ]
