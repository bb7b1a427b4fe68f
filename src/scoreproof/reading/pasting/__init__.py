"""Whatever was pasted, read as claims: sentences, tables, printed reports, claim files, verdicts."""

from scoreproof.reading.pasting.reader import read_text
from scoreproof.reading.pasting.result import Pasted, Span

__all__ = ["Pasted", "Span", "read_text"]
