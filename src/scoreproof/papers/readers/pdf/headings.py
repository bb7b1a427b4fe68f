"""The lines above the first row: headings over several columns, and such as go over several lines."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from scoreproof.papers.document import Grid
from scoreproof.papers.readers.pdf.columns import Column, Shape, column_of, is_between
from scoreproof.papers.readers.pdf.grid import in_cell
from scoreproof.papers.readers.pdf.letters import Rule
from scoreproof.papers.readers.pdf.lines import Line, Word
from scoreproof.papers.readers.words import tidy


def heads_of(shape: Shape) -> Grid:
    """The headings: one line of cells for every level, a heading over several columns in each of them."""
    flat = sorted((line for line in shape.heads if not line.words[0].turned), key=lambda line: -line.base)
    turned = [line for line in shape.heads if line.words[0].turned]
    shape = _widened(shape, flat)
    lines, between = _between(flat, shape)
    levels = _levels(lines, shape)
    found = [_cells(level, shape, last=level is levels[-1]) for level in levels]
    for line in between:
        for piece in line.pieces(0.5):
            at = column_of(piece.x0, piece.x1, shape.columns)
            for row in found:
                row[at] = row[at] or piece.text
    if turned:
        upright = ["" for _ in shape.columns]
        for word in sorted((word for line in turned for word in line.words), key=lambda word: word.x0):
            at = column_of(word.x0 - 2, word.x1 + 2, shape.columns)
            upright[at] = f"{upright[at]} {word.text}".strip()
        found = _beside(found, upright)
    for upper, lower in pairwise(found):
        _over_repeats(upper, lower)
    return found


def _over_repeats(upper: list[str], lower: list[str]) -> None:
    """Headings that repeat say how far the ones above them reach, wherever in their place these stand."""
    for start in range(len(lower)):
        for width in range(2, (len(lower) - start) // 2 + 1):
            count, rest = divmod(len(lower) - start, width)
            block = lower[start : start + width]
            if rest or len(set(block)) < width or not all(block) or lower[start:] != block * count:
                continue
            names = [name for name in dict.fromkeys(upper) if name and name not in lower[:start]]
            if len(names) == count:
                upper[start:] = [name for name in names for _ in block]
                upper[:start] = ["" if name in names else name for name in upper[:start]]
            return


def _widened(shape: Shape, flat: list[Line]) -> Shape:
    """The columns as wide as the headings right above them."""
    columns = [replace(column) for column in shape.columns]
    for piece in flat[-1].pieces(0.5) if flat else ():
        over = [each for each in columns if min(piece.x1, each.x1) - max(piece.x0, each.x0) > 0]
        if len(over) == 1:
            over[0].x0, over[0].x1 = min(over[0].x0, piece.x0), max(over[0].x1, piece.x1)
    return replace(shape, columns=columns)


def _between(lines: list[Line], shape: Shape) -> tuple[list[Line], list[Line]]:
    """The lines; and those at a height between two levels, whose headings belong to both."""
    between = [
        line
        for at, line in enumerate(lines)
        if is_between(lines, at, shape.columns) and _parts([lines[at - 1]], lines[at + 1], shape)
    ]
    return [line for line in lines if all(line is not each for each in between)], between


def _beside(levels: Grid, upright: list[str]) -> Grid:
    """Turned headings belong to the last level that leaves room for them."""
    if levels and all(not (a and b) for a, b in zip(levels[-1], upright, strict=True)):
        return [*levels[:-1], [a or b for a, b in zip(levels[-1], upright, strict=True)]]
    return [*levels, upright]


def _levels(lines: list[Line], shape: Shape) -> list[list[Line]]:
    """The lines of the headings, those of one level together: no rule and no wide heading parts them."""
    groups: list[list[Line]] = []
    for line in lines:
        if groups and not _parts(groups[-1], line, shape):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _parts(above: list[Line], line: Line, shape: Shape) -> bool:
    """Whether a new level begins with a line."""
    if any(line.base < rule.y < above[-1].base for rule in shape.under):
        return True
    if above[-1].base - line.base < 0.72 * line.size:
        return False
    wide = any(
        len(_covered(piece, shape.columns, None)) > 1 or len(_centred(piece, shape.columns, [each])) > 1
        for each in above
        for piece in each.pieces(0.5)
    )
    return wide and max(len(each.pieces(0.5)) for each in above) < len(line.pieces(0.5))


def _covered(piece: Line, columns: list[Column], rule: Rule | None) -> list[int]:
    """The columns over which a heading stands: those over its rule, else those it is in the middle of."""
    if rule is not None:
        return [at for at, column in enumerate(columns) if rule.x0 - 4 <= column.middle <= rule.x1 + 4]
    over = [at for at, each in enumerate(columns) if min(piece.x1, each.x1) - max(piece.x0, each.x0) > 0.3]
    if len(over) == 1 and _fits(piece, columns, over[0]):
        return over
    if len(over) > 1:
        return list(range(over[0], over[-1] + 1))
    return over or [column_of(piece.x0, piece.x1, columns)]


def _fits(piece: Line, columns: list[Column], at: int) -> bool:
    """Whether a heading reaches into no neighbour's place."""
    left = columns[at - 1].x1 if at else float("-inf")
    right = columns[at + 1].x0 if at + 1 < len(columns) else float("inf")
    return piece.x0 > left - 1 and piece.x1 < right + 1


def _cells(level: list[Line], shape: Shape, last: bool) -> list[str]:
    """The cells of a level."""
    held: list[list[Word]] = [[] for _ in shape.columns]
    bottom = min(line.base for line in level)
    rules = [rule for rule in shape.under if bottom - 2.2 * level[0].size < rule.y < bottom]
    for piece in (piece for line in level for piece in line.pieces(0.5)):
        rule = next((each for each in rules if _over(piece, each)), None)
        covered = _places(piece, level, shape.columns, rule, last)
        if last and rule is None and len(covered) > 1:
            _one_by_one(piece, shape.columns, held)
            continue
        for at in covered:
            held[at] += piece.words
    return [tidy(" ".join(line.text for line in in_cell(words))) if words else "" for words in held]


def _places(piece: Line, level: list[Line], columns: list[Column], rule: Rule | None, last: bool) -> list[int]:
    """The columns of a heading; where it shares its rule with others, those in whose middle it stands."""
    others = [other for line in level for other in line.pieces(0.5)]
    shared = rule is not None and any(
        _over(other, rule) and (other.x0 > piece.x1 or other.x1 < piece.x0) for other in others
    )
    covered = _covered(piece, columns, None if shared else rule)
    if len(covered) == 1 and (shared or (rule is None and not last)):
        return _centred(piece, columns, level)
    return covered


def _over(piece: Line, rule: Rule) -> bool:
    return rule.x0 - 2 <= (piece.x0 + piece.x1) / 2 <= rule.x1 + 2


def _one_by_one(piece: Line, columns: list[Column], held: list[list[Word]]) -> None:
    """Headings so close to each other that they look like one: each word is over its own column."""
    groups: list[list[Word]] = [[piece.words[0]]]
    for before, word in pairwise(piece.words):
        same = column_of(before.x0, before.x1, columns) == column_of(word.x0, word.x1, columns)
        if same:
            groups[-1].append(word)
        else:
            groups.append([word])
    for group in groups:
        held[column_of(group[0].x0, group[-1].x1, columns)] += group


def _centred(piece: Line, columns: list[Column], level: list[Line]) -> list[int]:
    """The columns over whose middle a heading of an upper level stands, as far as no other stands there."""
    middle = (piece.x0 + piece.x1) / 2
    own = column_of(piece.x0, piece.x1, columns)
    others = {
        column_of(each.x0, each.x1, columns)
        for line in level
        for each in line.pieces(0.5)
        if each.x0 != piece.x0
    }
    best = [own]
    error = abs(columns[own].middle - middle)
    tolerance = 0.35 * piece.size
    if error <= tolerance:
        return best
    for start in range(own + 1):
        for end in range(own, len(columns)):
            if any(start <= other <= end for other in others):
                continue
            off = abs((columns[start].x0 + columns[end].x1) / 2 - middle)
            if off < min(error, 3 * tolerance):
                best, error = list(range(start, end + 1)), off
    return best
