"""Letters -> words -> lines; raised and lowered letters join the word they stand at."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from scoreproof.papers.readers.pdf.letters import Letter
from scoreproof.papers.readers.words import raised, tidy

#: In sizes of the letters: a wider gap parts two words; one wider than that parts what belongs together.
BETWEEN_WORDS = 0.14
BETWEEN_PIECES = 0.75


#: Accents that TeX prints as letters of their own, before the letter they belong to.
_ACCENTS = dict(zip("´`ˆ˜¨ˇ¸˚˝", "\u0301\u0300\u0302\u0303\u0308\u030c\u0327\u030a\u030b", strict=True))
_ACCENT = re.compile(f"([{''.join(_ACCENTS)}])([A-Za-zıȷ])")


def _composed(accent: str, letter: str) -> str:
    plain = {"ı": "i", "ȷ": "j"}.get(letter, letter)
    return unicodedata.normalize("NFC", plain + _ACCENTS[accent])


def _over(accent: Letter, letter: Letter) -> bool:
    """Whether an accent stands over a letter that was printed before it."""
    return letter.sign.isalpha() and letter.x0 <= (accent.x0 + accent.x1) / 2 <= letter.x1


@dataclass(slots=True)
class Word:
    """A word: its text, where it stands, and the height of what stands in it."""

    text: str
    x0: float
    x1: float
    base: float
    size: float
    turned: bool = False

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


@dataclass(slots=True)
class Line:
    """Words at one height, from left to right."""

    words: list[Word]

    @property
    def base(self) -> float:
        return self.words[0].base

    @property
    def x0(self) -> float:
        return self.words[0].x0

    @property
    def x1(self) -> float:
        return max(word.x1 for word in self.words)

    @property
    def size(self) -> float:
        return max(word.size for word in self.words)

    @property
    def text(self) -> str:
        return tidy(
            _ACCENT.sub(lambda mark: _composed(mark[1], mark[2]), " ".join(word.text for word in self.words))
        )

    def pieces(self, gap: float = BETWEEN_PIECES) -> list[Line]:
        """What stands together in the line, parted by gaps of so many sizes."""
        found = [[self.words[0]]]
        for before, word in pairwise(self.words):
            if word.x0 - before.x1 > gap * min(before.size, word.size):
                found.append([])
            found[-1].append(word)
        return [Line(words) for words in found]


def words_of(letters: Iterable[Letter], widest: float = BETWEEN_WORDS) -> list[Word]:
    """The words that letters at the same height make, parted by blanks and gaps."""
    rows: dict[int, list[Letter]] = {}
    for letter in letters:
        rows.setdefault(round(letter.base * 2), []).append(letter)
    for key in sorted(rows):  # half points: neighbours are one row
        if key - 1 in rows and abs(rows[key][0].base - rows[key - 1][0].base) < 0.6:
            rows[key] = rows.pop(key - 1) + rows[key]
    found: list[Word] = []
    for row in rows.values():
        row.sort(key=lambda letter: letter.x0)
        found += _in_row(row, widest)
    return found


def _in_row(row: list[Letter], widest: float) -> list[Word]:
    found: list[Word] = []
    last: Letter | None = None
    spaced = False
    for letter in row:
        if letter.sign == " ":
            spaced = True
            continue
        if last is not None and letter.sign == last.sign and 0.01 < letter.x0 - last.x0 < 0.12 * letter.size:
            continue  # printed twice, to look bold
        if last is not None and letter.sign in _ACCENTS and _over(letter, last):
            found[-1].text = found[-1].text[:-1] + _composed(letter.sign, last.sign)
            continue
        last = letter
        if not found or _apart(found[-1], letter, widest, spaced):
            found.append(Word(letter.sign, letter.x0, letter.x1, letter.base, letter.size))
        else:
            word = found[-1]
            gap = letter.x0 - word.x1
            word.text += f" {letter.sign}" if spaced or gap > BETWEEN_WORDS * letter.size else letter.sign
            word.x1 = max(word.x1, letter.x1)
        spaced = False
    return found


def _apart(word: Word, letter: Letter, widest: float, spaced: bool) -> bool:
    """Whether a new word begins with a letter: after a gap or a blank, or with another size, as marks have."""
    gap = letter.x0 - word.x1
    small, large = sorted((letter.size, word.size))
    return gap > widest * large or (spaced and gap > 0.05 * letter.size) or large > 1.15 * small


def lines_of(words: list[Word]) -> list[Line]:
    """The lines of a page from top to bottom, with raised and lowered words in their places."""
    main, marks = _parted(words)
    main.sort(key=lambda word: (-word.base, word.x0))
    lines: list[list[Word]] = []
    for word in main:
        near = lines[-1] if lines else None
        if near and abs(near[-1].base - word.base) < 0.25 * max(word.size, near[-1].size):
            near.append(word)
        else:
            lines.append([word])
    found = [sorted(line, key=lambda word: word.x0) for line in lines]
    for mark in marks:
        _join(mark, found)
    return [Line(line) for line in sorted(found, key=lambda line: -line[0].base)]


def _parted(words: list[Word]) -> tuple[list[Word], list[Word]]:
    """The words on the lines, and those that stand a little above or below the end of a larger one."""
    main: list[Word] = []
    marks: list[Word] = []
    ordered = sorted(words, key=lambda word: word.base)
    bases = [word.base for word in ordered]
    for word in words:
        near = ordered[bisect_left(bases, word.base - 14) : bisect_right(bases, word.base + 14)]
        larger = [other for other in near if other.size > 1.15 * word.size and len(word.text) <= 12]
        if any(_ends_at(word, other) for other in larger):
            marks.append(word)
            continue
        after = [other for other in larger if _begins_at(word, other)]
        if after:  # a mark before its note stands on the note's line
            word.base = after[0].base
        main.append(word)
    return main, marks


def _ends_at(mark: Word, word: Word) -> bool:
    """Whether a small word stands at the end of a larger one, above or below its line."""
    offset = mark.base - word.base
    gap = mark.x0 - word.x1
    return -0.4 * word.size < offset < 0.75 * word.size and -0.4 * word.size < gap < 0.35 * word.size


def _begins_at(mark: Word, word: Word) -> bool:
    offset = mark.base - word.base
    return (
        0.12 * word.size < offset < 0.75 * word.size and -0.1 * word.size < word.x0 - mark.x1 < 0.6 * word.size
    )


def _join(mark: Word, lines: list[list[Word]]) -> None:
    """Put a raised or lowered word into the line it stands at, in the word before it."""
    best: tuple[float, list[Word], int] | None = None
    for line in lines:
        offset = mark.base - line[0].base
        size = max(word.size for word in line)
        if -0.4 * size < offset < 0.8 * size:
            before = [at for at, word in enumerate(line) if word.x1 <= mark.x0 + 0.4 * word.size]
            if before and (best is None or abs(offset) < best[0]):
                best = (abs(offset), line, before[-1])
    if best is None:
        lines.append([mark])
        return
    _, line, at = best
    word = line[at]
    text = mark.text
    if mark.base - word.base > 0.12 * word.size:
        close = mark.x0 - word.x1 < 0.4 * word.size
        text = raised(text, word.text)[0] if close else text
    word.text += text
    word.x1 = max(word.x1, mark.x1)
