"""HTML as values: text is escaped where it enters, so nothing a user wrote can become markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

#: Elements that have no end tag.
VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "col"})


class Html(str):
    """Text that is markup already."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


def text(value: object) -> Html:
    """The value as markup: escaped, unless it is markup.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    if isinstance(value, Html):
        return value
    if value is None:
        return Html()
    if isinstance(value, (list, tuple)):
        return Html("".join(text(each) for each in value))
    plain = str(value)
    if not plain.isprintable():
        # Characters HTML does not know, such as NUL, would end up as something else in the browser.
        plain = "".join(c if c.isprintable() or c.isspace() else "\ufffd" for c in plain)
    return Html(escape(plain, quote=True))


def tag(name: str, /, *children: object, **attributes: object) -> Html:
    """An element; ``class_`` and ``for_`` lose their underscore, others become hyphens.

    An attribute of None or False is left out, one of True stands alone.

    >>> tag("p", "a < b", class_="note", aria_live="polite")
    '<p class="note" aria-live="polite">a &lt; b</p>'
    """
    words = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        words.append(f" {key}" if value is True else f' {key}="{text(str(value))}"')
    start = f"<{name}{''.join(words)}>"
    return Html(start) if name in VOID else Html(f"{start}{text(children)}</{name}>")


def table(
    headings: Sequence[object],
    rows: Iterable[Sequence[object]],
    *,
    caption: str = "",
    numbers: Iterable[int] = (),
    label: str = "",
) -> Html:
    """A table that can be scrolled sideways; the first cell of a row is its heading."""
    right = set(numbers)

    def line(cells: Sequence[object], scope: str | None = None) -> Html:
        made = []
        for i, value in enumerate(cells):
            of = scope or ("row" if i == 0 else None)
            made.append(tag("th" if of else "td", value, scope=of, class_="number" if i in right else None))
        return tag("tr", made)

    head, body = tag("thead", line(headings, "col")), tag("tbody", [line(row) for row in rows])
    inner = tag("table", tag("caption", caption) if caption else None, head, body)
    # A region that can scroll must be reachable with the keyboard.
    return tag("div", inner, class_="scroll", tabindex="0", role="region", aria_label=caption or label)


def copy_button(words: str, what: str) -> Html:
    """A button that copies what has this id; shown only where a script can serve it."""
    return tag("button", words, type="button", class_="second copy", data_copy=what, hidden=True)


def badge(status: str) -> Html:
    """The verdict as a word with its sign, so that colour is not needed to tell it."""
    signs = {"consistent": "✓", "inconsistent": "✗", "undecided": "?"}
    sign = tag("span", signs.get(status, "!"), aria_hidden="true")
    return tag("span", sign, f" {status}", class_=f"badge {status}")
