"""A printed figure that cannot be read."""

from __future__ import annotations

from scoreproof.errors import ScoreproofError, shorten


class UnreadableScore(ScoreproofError):
    """A printed figure that cannot be read; ``position`` is the offending character."""

    def __init__(self, text: str, position: int, expected: str, field: str = "") -> None:
        self.text = text
        self.position = position
        self.expected = expected
        self.field = field
        super().__init__(self._message())

    def _message(self) -> str:
        where = f"{shorten(self.field)}: " if self.field else ""
        shown = shorten(self.text)
        at = f"at character {self.position + 1}" if self.text else "in the empty text"
        return f"{where}cannot read {shown!r} {at}: {self.expected}"

    def within(self, field: str) -> UnreadableScore:
        """The same complaint, naming the field of the claim it was found in."""
        return UnreadableScore(self.text, self.position, self.expected, field)

    def caret(self) -> str:
        """The text with a caret under the character that could not be read."""
        start = max(0, self.position - 30)
        window = self.text[start : self.position + 30]
        window = "".join(c if c.isprintable() else "?" for c in window)
        return f"  {window}\n  {' ' * (self.position - start)}^"
