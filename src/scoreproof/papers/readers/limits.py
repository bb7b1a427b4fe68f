"""What a document may cost, and how one is refused."""

from __future__ import annotations

from scoreproof.errors import BadClaim, shorten

#: Bytes of a file: of text, and of a packed or printed document.
LARGEST_TEXT = 32 * 2**20
LARGEST_FILE = 100 * 2**20
#: Bytes of a packed document when unpacked, how many times that may be its size, and its parts.
LARGEST_UNPACKED = 300 * 2**20
STEEPEST = 200
MOST_PARTS = 10_000
#: What is kept of a document.
MOST_PAGES = 500
MOST_TABLES = 1_000
MOST_CELLS = 400_000
MOST_PASSAGES = 50_000
MOST_LETTERS = 20_000_000
LONGEST_CELL = 5_000
#: Cells of a single table, and columns: a wider one is data, not a table of a paper.
MOST_CELLS_OF_ONE = 100_000
WIDEST = 200
#: Seconds for the whole, seconds of computing and of waiting without a sign of life, and address space, of the
#: process that reads.
SECONDS = 120
SILENT = 12
PATIENCE = 60
MEMORY = 1_000 * 2**20


class Unreadable(BadClaim):
    """A document that cannot be read; the sentence names it, and says why and what to do."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(shorten(name, 100), why)


def library_missing(name: str, library: str | None) -> Unreadable:
    """What is said where a reader's library is not installed."""
    return Unreadable(name, f'reading it needs {library}: pip install "scoreproof[scan]"')
