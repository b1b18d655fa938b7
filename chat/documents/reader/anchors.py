"""Keep the anchors of a web page's headings in its text, so that links lead to them.

Each is on a line of its own before its heading, as authors of Markdown write it. It is foreign
text, and percent-encoded there.
"""

import re
from itertools import islice
from typing import Any
from urllib.parse import quote, unquote

#: Of a page; the headings after these have that of the last one.
MAX_ANCHORS = 500
#: With or without an anchor.
MAX_HEADINGS = 2000
#: A heading's anchor is at its beginning. Headings in headings would be looked through many times.
MAX_ELEMENTS_WITHIN = 20
#: A longer one is left out: a part of it would name nothing.
MAX_ANCHOR_CHARS = 100
HEADINGS = "h1, h2, h3, h4, h5, h6"
#: A heading's place in the list of anchors, between characters for private use.
_PLACE = "\ue000{}\ue001"
_PLACED = re.compile(r"\ue000(\d{1,4})\ue001")
_HEADING = re.compile(r"^(?=#{1,6} \ue000(\d{1,4})\ue001)", re.MULTILINE)
_LINE = re.compile(r'<a id="([A-Za-z0-9_.~%-]{1,1200})"></a>')
_LINES = re.compile(rf"^{_LINE.pattern}\n", re.MULTILINE)


def mark(main: Any) -> list[str]:
    """Mark the headings in an element that have anchors, for `placed`; return the anchors."""
    anchors: list[str] = []
    for heading in islice(main.css(HEADINGS), MAX_HEADINGS):
        anchor = _anchor_of(heading)
        if anchor and len(anchor) <= MAX_ANCHOR_CHARS and heading.child is not None:
            heading.child.insert_before(_PLACE.format(len(anchors)))
            anchors.append(anchor)
        if len(anchors) >= MAX_ANCHORS:
            break
    return anchors


def placed(text: str, anchors: list[str]) -> str:
    """Return the text of marked headings with a line before each that has its anchor."""

    def line(match: re.Match[str]) -> str:
        number = int(match[1])
        return f'<a id="{quote(anchors[number], safe="")}"></a>\n' if number < len(anchors) else ""

    return _PLACED.sub("", _HEADING.sub(line, text))


def without(text: str) -> str:
    """Return a text without these lines."""
    return _LINES.sub("", text)


def anchor_in(line: str) -> str:
    """Return the anchor that a line has; empty if it is another line."""
    match = _LINE.fullmatch(line)
    return unquote(match[1]) if match else ""


def _anchor_of(heading: Any) -> str:
    """Return the id of a heading, or of an element in it, before it or around it."""
    first = islice(heading.traverse(), MAX_ELEMENTS_WITHIN)
    if own := next(filter(None, map(_id_of, first)), ""):
        return own
    before, parent = _element_before(heading), heading.parent
    if before is None:
        return _id_of(parent) if parent is not None and parent.tag in {"section", "div"} else ""
    return _id_of(before) if before.tag in {"a", "span"} and _is_empty(before) else ""


def _is_empty(element: Any) -> bool:
    """Return whether an element has neither elements nor words. Headings may be nested in it."""
    return next(element.iter(), None) is None and not element.text().strip()


def _element_before(heading: Any) -> Any:
    before = heading.prev
    while before is not None and before.tag.startswith("-"):  # texts and comments
        before = before.prev
    return before


def _id_of(element: Any) -> str:
    """Return an element's id, or its name if it is a link of old pages."""
    if element is None:
        return ""
    value = element.attributes.get("id") or ""
    if not value and element.tag == "a":
        value = element.attributes.get("name") or ""
    return value if value.isprintable() and not any(map(str.isspace, value)) else ""
