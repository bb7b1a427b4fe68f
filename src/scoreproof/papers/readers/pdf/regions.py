"""Which rules belong to one table: those that have rows between them, and no caption or paragraph."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from scoreproof.papers.readers.pdf.letters import Rule
from scoreproof.papers.readers.pdf.lines import Line, Word
from scoreproof.papers.readers.words import is_note, label_of
from scoreproof.reading.tables.aligned import is_figure

#: Points: rules at the same height, and ends of rules that touch.
SAME = 1.6
TOUCHING = 4.0
#: A rule of a table is not shorter than this.
SHORTEST = 40.0
_FIGURE = re.compile(r"(?:fig(?:ure)?|algorithm|scheme)\.?\s*\d", re.IGNORECASE)


@dataclass(slots=True)
class Region:
    """A part of a page that is a table: its edges, its rules, and the words in it."""

    x0: float
    y0: float
    x1: float
    y1: float
    lying: list[Rule] = field(default_factory=list)
    standing: list[Rule] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)

    def holds(self, word: Word, more: float = 2.0) -> bool:
        return (
            self.x0 - more <= word.middle <= self.x1 + more
            and self.y0 - 1 <= word.base + 0.3 * (0 if word.turned else word.size) <= self.y1 + 1
        )


def joined(rules: list[Rule]) -> list[Rule]:
    """Lying rules, those that touch at the same height made one."""
    found: list[Rule] = []
    for rule in sorted(rules, key=lambda rule: (-round(rule.y), rule.x0)):
        last = found[-1] if found else None
        if last and abs(last.y - rule.y) < SAME and rule.x0 <= last.x1 + TOUCHING:
            found[-1] = Rule(last.x0, min(last.y0, rule.y0), max(last.x1, rule.x1), max(last.y1, rule.y1))
        else:
            found.append(rule)
    return found


def ruled_regions(rules: list[Rule], lines: list[Line]) -> list[Region]:
    """The tables that rules show, from top to bottom."""
    lying = joined([rule for rule in rules if rule.lies])
    standing = [rule for rule in rules if not rule.lies]
    waiting = sorted(lying, key=lambda rule: (-rule.y, -(rule.x1 - rule.x0)))
    found: list[Region] = []
    while waiting:
        first = waiting.pop(0)
        if first.x1 - first.x0 < SHORTEST:
            continue
        region = Region(first.x0, first.y, first.x1, first.y, [first])
        for rule in list(waiting):
            if not _overlaps(region, rule):
                continue
            if not _goes_on(region, rule, lines):
                break
            waiting.remove(rule)
            region.lying.append(rule)
            region.y0 = min(region.y0, rule.y)
            if rule.x1 - rule.x0 >= SHORTEST:
                region.x0, region.x1 = min(region.x0, rule.x0), max(region.x1, rule.x1)
        waiting = sorted([*waiting, *_dropped(region)], key=lambda rule: (-rule.y, -(rule.x1 - rule.x0)))
        if len({round(rule.y) for rule in region.lying}) > 1:
            region.standing = [rule for rule in standing if _inside(rule, region)]
            found.append(region)
    return found


def _inside(rule: Rule, region: Region) -> bool:
    return region.x0 - 3 <= rule.x <= region.x1 + 3 and rule.y1 > region.y0 and rule.y0 < region.y1


def _overlaps(region: Region, rule: Rule) -> bool:
    """Whether a rule stands below a region, and is not much wider."""
    overlap = min(region.x1, rule.x1) - max(region.x0, rule.x0)
    wide, own = rule.x1 - rule.x0, region.x1 - region.x0
    return overlap >= 0.5 * min(wide, own) and wide <= 1.35 * own


def _goes_on(region: Region, rule: Rule, lines: list[Line]) -> bool:
    """Whether a rule further down belongs to the same table."""
    passed = [line for line in lines if rule.y < line.base < region.y0]
    between = [line for line in (_clipped(line, region) for line in passed) if line]
    if not between:
        return region.y0 - rule.y < 8  # a double rule; two tables are further apart
    if any(label_of(line.text) or _FIGURE.match(line.text) for line in (*passed, *between)):
        return False
    if len(region.lying) > 2 and not is_tabular(between[0]) and is_note(between[0].text):
        return False
    prose = sum(is_prose(line, region.x1 - region.x0) for line in between)
    return prose * 3 <= len(between) and region.y0 - between[0].base < 60


def _dropped(region: Region) -> list[Rule]:
    """Take the short rules at its end from a region: no table ends with one."""
    region.lying.sort(key=lambda rule: -rule.y)
    found: list[Rule] = []
    while len(region.lying) > 1 and region.lying[-1].x1 - region.lying[-1].x0 < 0.5 * (region.x1 - region.x0):
        found.append(region.lying.pop())
    region.y0 = region.lying[-1].y
    return found


def _clipped(line: Line, region: Region) -> Line | None:
    words = [word for word in line.words if region.x0 - 3 <= word.middle <= region.x1 + 3]
    return Line(words) if words else None


def is_prose(line: Line, width: float) -> bool:
    """Whether a line is one of a paragraph: many words close to each other, over most of the width."""
    pieces = line.pieces(0.9)
    words = [word.text for word in line.words]
    figures = sum(map(is_figure, words))
    return len(pieces) == 1 and len(words) > 5 and line.x1 - line.x0 > 0.55 * width and figures * 3 < len(words)


def is_tabular(line: Line, gap: float = 0.9) -> bool:
    """Whether a line is one of a table: two pieces at least, held apart."""
    return len(line.pieces(gap)) > 1


def beside(region: Region, lines: list[Line], rules: list[Rule], *, above: bool) -> list[Line]:
    """The lines above the first rule, or below the last, that are rows of the table all the same."""
    found: list[Line] = []
    full = 0.9 * (region.x1 - region.x0)
    if len({round(rule.y / 4) for rule in region.lying if rule.x1 - rule.x0 >= full}) > 2:
        return []  # it has a rule above, one below the headings, and one at its end
    edge = region.y1 if above else region.y0
    clipped = [line for line in (_clipped(each, region) for each in lines) if line]
    outside = [line for line in clipped if (line.base > edge if above else line.base < edge)]
    for line in _level(sorted(outside, key=lambda line: abs(line.base - edge))):
        standing = all(word.turned for word in line.words)
        near = is_tabular(line) and abs(edge - line.base) <= 2.2 * line.size
        if not (standing or near) or _ruled_off(region, rules, edge, line) or _is_other(line, region, lines):
            break
        found.append(line)
        edge = line.base
    return found


def _ruled_off(region: Region, rules: list[Rule], edge: float, line: Line) -> bool:
    """Whether another rule stands between a table and a line."""
    low, high = sorted((edge, line.base))
    return any(low + 2 < rule.y < high and _overlaps(region, rule) for rule in rules if rule.lies)


def _is_other(line: Line, region: Region, lines: list[Line]) -> bool:
    """Whether a line beside a table is none of its rows: a caption, a paragraph, a heading, or wider."""
    whole = [each for each in lines if any(word in each.words for word in line.words)]
    reaches = any(each.x0 < region.x0 - 12 or each.x1 > region.x1 + 12 for each in whole)
    larger = bool(region.words) and line.size > 1.15 * max(word.size for word in region.words)
    return reaches or larger or label_of(line.text) is not None or is_prose(line, region.x1 - region.x0)


def _level(lines: list[Line]) -> list[Line]:
    """The lines, turned headings put into the line at whose height they begin."""
    found: list[Line] = []
    for line in lines:
        if found and abs(found[-1].base - line.base) < 0.8 * line.size:
            found[-1] = Line(sorted([*found[-1].words, *line.words], key=lambda word: word.x0))
        else:
            found.append(line)
    return found


def unruled_regions(lines: list[Line]) -> list[Region]:
    """The tables without rules: aligned lines right below a caption, or right above one."""
    found: list[Region] = []
    taken: set[int] = set()
    for at, line in enumerate(lines):
        if not label_of(line.text):
            continue
        for step in (1, -1):
            rows = _run(lines, at, step, taken)
            if rows:
                picked = [lines[i] for i in rows]
                taken.update(rows)
                top, bottom = max(each.base for each in picked), min(each.base for each in picked)
                size = picked[0].size
                found.append(
                    Region(
                        min(each.x0 for each in picked) - 1, bottom - 0.4 * size,
                        max(each.x1 for each in picked) + 1, top + size,
                        words=[word for each in picked for word in each.words],
                    )
                )  # fmt: skip
                break
    return found


def _run(lines: list[Line], at: int, step: int, taken: set[int]) -> list[int]:
    """The lines of a table from a caption on: aligned ones, with single pieces between them at most."""
    rows: list[int] = []
    waiting: list[int] = []
    caption = 0
    place = at + step
    while 0 <= place < len(lines) and place not in taken:
        line = lines[place]
        jump = abs(line.base - lines[place - step].base)
        if label_of(line.text) or (rows and jump > 3.2 * line.size):
            break
        if is_tabular(line, 1.1) and not is_prose(line, 1.0):
            rows += [*waiting, place]
            waiting = []
        elif not rows:
            caption += 1
            if caption > 6 or jump > 3.5 * line.size:
                break
        else:
            waiting.append(place)
            if len(waiting) > 2 or is_prose(line, 200):
                break
        place += step
    figures = sum(any(is_figure(piece.text) for piece in lines[row].pieces()) for row in rows)
    return sorted(rows) if len(rows) > 1 and figures else []
