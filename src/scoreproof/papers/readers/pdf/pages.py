"""A page in its reading order: tables, captions, paragraphs; in two columns of text, the left one first."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise

from scoreproof.papers.document import Grid
from scoreproof.papers.readers.pdf.columns import rows_of, shape_of
from scoreproof.papers.readers.pdf.grid import ruled_grid
from scoreproof.papers.readers.pdf.headings import heads_of
from scoreproof.papers.readers.pdf.letters import Rule, Sheet
from scoreproof.papers.readers.pdf.lines import Line, Word, lines_of, words_of
from scoreproof.papers.readers.pdf.regions import Region, beside, is_prose, ruled_regions, unruled_regions
from scoreproof.papers.readers.words import is_note, label_of

_HYPHENED = re.compile(r"(\w+)-$")
#: What keeps its hyphen at the end of a line.
_KEEPS = frozenset((
    "cross", "leave", "one", "hold", "non", "well", "k", "self", "semi", "multi", "state", "pre", "post",
    "held", "ten", "five", "three", "two", "four", "out", "inter", "intra", "micro", "macro", "high", "low",
    "long", "short",
))  # fmt: skip
_SECTION = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}|[A-H])\.?\s+[A-Z]|(?i:abstract|references|conclusions?)$"
)


@dataclass(slots=True)
class Block:
    """A table, or a paragraph, and where it stands on its page."""

    x0: float
    x1: float
    top: float
    bottom: float
    words: str = ""
    size: float = 0.0
    grid: Grid | None = None
    heads: int = 0
    heading: bool = False


def blocks_of(sheet: Sheet) -> list[Block]:
    """The blocks of a page, in the order in which they are read."""
    words = words_of(sheet.letters)
    turned = [Word(each.sign, each.x0, each.x1, each.base, each.size, True) for each in sheet.turned]
    gutter = gutter_of(words)
    if gutter is None:
        return sorted(_read_part(_Part(words, sheet.rules, turned)), key=lambda block: -block.top)
    blocks = [block for part in _parts(words, sheet.rules, turned, gutter) for block in _read_part(part)]
    return _ordered(blocks, gutter)


@dataclass(slots=True)
class _Part:
    """What is read together: a page, or one of its columns of text."""

    words: list[Word]
    rules: list[Rule]
    turned: list[Word]


def _read_part(part: _Part) -> list[Block]:
    lines = lines_of(part.words) if part.words else []
    turned = part.turned
    tables: list[Block] = []
    for region in ruled_regions(part.rules, _with_turned(lines, turned)):
        if block := _table(region, lines, turned, part.rules):
            tables.append(block)
            lines = _without(lines, region.words)
            turned = [word for word in turned if all(word is not each for each in region.words)]
    for region in unruled_regions(lines):
        if block := _unruled(region):
            tables.append(block)
            lines = _without(lines, region.words)
    return [*tables, *_paragraphs(lines, tables)]


def _with_turned(lines: list[Line], turned: list[Word]) -> list[Line]:
    return [*lines, *(Line([word]) for word in turned)] if turned else lines


def _without(lines: list[Line], words: list[Word]) -> list[Line]:
    gone = {id(word) for word in words}
    left = ([word for word in line.words if id(word) not in gone] for line in lines)
    return [Line(kept) for kept in left if kept]


# -- tables ----------------------------------------------------------------------------------------------


def _table(region: Region, lines: list[Line], turned: list[Word], rules: list[Rule]) -> Block | None:
    """The table of a region with rules, with the rows above its first rule and below its last."""
    around = _with_turned(lines, turned)
    inside = [word for line in around for word in line.words if region.holds(word)]
    if grid := ruled_grid(region, inside, rules):
        region.words = inside
        return _block(region, grid, 0)
    every = [word for word in turned if region.holds(word)]
    region.words = inside
    above = beside(region, around, rules, above=True)
    below = beside(region, around, rules, above=False)
    outer = [word for line in (*above, *below) for word in line.words]
    region.words = [*inside, *(word for word in outer if all(word is not each for each in inside + every))]
    if not region.words:
        return None
    if above:
        region.y1 = max(word.base + word.size for word in region.words)
    if below:
        region.y0 = min(word.base - 0.3 * word.size for word in region.words)
    return _shaped(region)


def _unruled(region: Region) -> Block | None:
    block = _shaped(region)
    return block if block and block.grid and len(block.grid) > 1 else None


def _shaped(region: Region) -> Block | None:
    shape = shape_of(region)
    if shape is None or len(shape.heads) + len(shape.body) < 2:
        return None
    heads = heads_of(shape)
    return _block(region, [*heads, *rows_of(shape)], len(heads))


def _block(region: Region, grid: Grid, heads: int) -> Block | None:
    cells = [cell for row in grid for cell in row if cell]
    letters = any(any(sign.isalpha() for sign in cell) for cell in cells)
    if len(cells) < 4 or not letters or len(grid) < 2:
        return None
    return Block(region.x0, region.x1, region.y1, region.y0, grid=grid, heads=heads)


# -- columns of text and paragraphs ----------------------------------------------------------------------


def gutter_of(words: list[Word]) -> float | None:
    """The middle of the gap between two columns of text, if paragraphs stand beside it and few go across."""
    if len(words) < 60:
        return None
    left, right = min(word.x0 for word in words), max(word.x1 for word in words)
    wide = right - left
    places = [left + wide * share / 200 for share in range(80, 121)]
    crossing = [sum(word.x0 < place < word.x1 for word in words) for place in places]
    fewest = min(crossing)
    free = [place for place, count in zip(places, crossing, strict=True) if count == fewest]
    middle = free[len(free) // 2]
    through = prose = 0
    for line in lines_of(_copied(words)):
        sides = (
            [word for word in line.words if word.x1 <= middle + 1],
            [word for word in line.words if word.x0 >= middle - 1],
        )
        if _goes_through(line, sides, middle):
            through += is_prose(line, 0.3 * wide)
        else:
            prose += sum(is_prose(Line(side), 0.4 * wide) for side in sides if side)
    return middle if prose >= 8 and prose > 1.5 * through else None


def _goes_through(line: Line, sides: tuple[list[Word], list[Word]], middle: float) -> bool:
    """Whether the words of a line go on from one half of the page into the other."""
    left, right = sides
    if len(left) + len(right) < len(line.words):
        return True
    return bool(left and right) and right[0].x0 - left[-1].x1 < 0.6 * line.size


def _copied(words: list[Word]) -> list[Word]:
    """Words of their own, for lines put together only to be looked at."""
    return [replace(word) for word in words]


def _parts(words: list[Word], rules: list[Rule], turned: list[Word], gutter: float) -> list[_Part]:
    """What goes across both columns of text, and what stands in the left one and in the right one."""
    wide = [rule for rule in rules if rule.x0 < gutter - 10 and rule.x1 > gutter + 10]
    regions = ruled_regions(wide, lines_of(_copied(words)))
    taken = {id(word) for word in words if any(region.holds(word) for region in regions)}
    for line in _levels([word for word in words if id(word) not in taken]):
        if _crosses(line, gutter):
            taken.update(map(id, line))

    def within(y: float) -> bool:
        return any(region.y0 - 2 <= y <= region.y1 + 2 for region in regions)

    inner = [rule for rule in rules if rule in wide or within(rule.y)]
    first = _Part([word for word in words if id(word) in taken], inner, [w for w in turned if within(w.base)])
    return [first, *(_side(words, rules, turned, first, gutter, left) for left in (True, False))]


def _side(
    words: list[Word], rules: list[Rule], turned: list[Word], across: _Part, gutter: float, left: bool
) -> _Part:
    """What stands on one side of the gutter and does not go across."""
    gone = set(map(id, (*across.words, *across.rules, *across.turned)))
    return _Part(
        [word for word in words if id(word) not in gone and (word.middle < gutter) is left],
        [rule for rule in rules if id(rule) not in gone and (rule.x < gutter) is left],
        [word for word in turned if id(word) not in gone and (word.middle < gutter) is left],
    )


def _crosses(line: list[Word], gutter: float) -> bool:
    """Whether words at one height go over the gutter."""
    near = any(
        before.x1 <= gutter + 2 <= after.x0 + 4 and after.x0 - before.x1 < 0.55 * after.size
        for before, after in pairwise(line)
    )
    return near or any(word.x0 < gutter - 2 and word.x1 > gutter + 2 for word in line)


def _levels(words: list[Word]) -> list[list[Word]]:
    """The words at one height, from left to right."""
    found: dict[int, list[Word]] = {}
    for word in words:
        found.setdefault(round(word.base), []).append(word)
    return [sorted(level, key=lambda word: word.x0) for level in found.values()]


def _paragraphs(lines: list[Line], tables: list[Block]) -> list[Block]:
    """The paragraphs that lines make: a gap, an indent, another size or a table ends one."""
    found: list[list[Line]] = []
    edge = max((line.x1 for line in lines), default=0.0)
    for line in lines:
        if found and not _ends(found[-1], line, tables) and not _short(found[-1], line, edge):
            found[-1].append(line)
        else:
            found.append([line])
    sizes = Counter(round(line.size, 1) for line in lines for _ in line.words)
    usual = sizes.most_common(1)[0][0] if sizes else 0.0
    return [_paragraph(group, usual) for group in found]


def _ends(group: list[Line], line: Line, tables: list[Block]) -> bool:
    last = group[-1]
    step = last.base - line.base
    size = max(last.size, line.size)
    caption = label_of(group[0].text) is not None
    if step > 1.75 * size or abs(last.size - line.size) > 0.12 * size or label_of(line.text):
        return True
    if any(
        last.base > table.bottom
        and line.base < table.top
        and line.x0 < table.x1
        and line.x1 > table.x0
        and last.base > table.top - 1 > line.base
        for table in tables
    ):
        return True
    if caption:
        return False
    if _SECTION.match(last.text) and len(group) == 1 and len(last.text) < 60 and not last.text.endswith("."):
        return True
    if is_note(line.text) and re.match(r"[*†‡§¶a-e]\s", line.text):
        return True
    starts = min(each.x0 for each in group)
    return line.x0 > starts + 0.8 * size and line.x0 > last.x0 + 0.8 * size and step > 0


def _short(group: list[Line], line: Line, edge: float) -> bool:
    """Whether a paragraph ends with a line that leaves room and ends a sentence."""
    last = group[-1]
    full = last.x1 > edge - 0.2 * (edge - group[0].x0)
    return not full and last.text.endswith((".", "!", "?", ":")) and line.text[:1].isupper()


def _paragraph(group: list[Line], usual: float) -> Block:
    words = ""
    for line in group:
        text = line.text
        hyphened = _HYPHENED.search(words)
        if hyphened and text[:1].islower():
            keeps = hyphened[1].lower() in _KEEPS or hyphened[1][-1:].isdigit()
            words = words + text if keeps else words[:-1] + text
        else:
            words = f"{words} {text}" if words else text
    size = max(line.size for line in group)
    short = len(words) < 120 and len(group) < 4
    heading = short and (size > 1.12 * usual or (_SECTION.match(words) is not None and not words.endswith(".")))
    return Block(
        min(line.x0 for line in group), max(line.x1 for line in group), group[0].base + size,
        group[-1].base - 0.3 * size, words, size, heading=heading and label_of(words) is None,
    )  # fmt: skip


def _ordered(blocks: list[Block], gutter: float) -> list[Block]:
    """From top to bottom; between what goes across both columns of text, the left one first."""
    across = sorted(
        (block for block in blocks if block.x0 < gutter - 6 and block.x1 > gutter + 6),
        key=lambda block: -block.top,
    )
    aside = [block for block in blocks if all(block is not each for each in across)]
    found: list[Block] = []
    for each in [*across, None]:
        above = [block for block in aside if each is None or block.top > each.top]
        aside = [block for block in aside if all(block is not taken for taken in above)]
        found += sorted(above, key=lambda block: (block.x0 + block.x1 > 2 * gutter, -block.top))
        found += [each] if each else []
    return found
