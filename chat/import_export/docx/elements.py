"""Write paragraphs, runs and tables as WordprocessingML.

Everything from a chat passes through `escaped`, so it can't become an element. No fields are
written, and nothing refers to outside but hyperlinks of the allowed schemes.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

#: What XML 1.0 can't contain.
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: What Word accepts as an address; anything else would make it report a damaged file.
PLAIN_ADDRESS = re.compile(r"[A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]{1,2000}")
LINK_SCHEMES = {"http", "https", "mailto"}
HOST = re.compile(r"[a-z0-9.\-]+")
MAX_LINKS = 2_000  # of a document; further ones are text
MAX_ORDERED_LISTS = 2_000  # with numbers of their own; further ones go on with the last one's
BULLETS = 1  # the number of the unordered list in numbering.xml
INDENT = 420  # twentieths of a point, of each level
DIRECTION_LENGTH = 1_000


@dataclass(slots=True)
class Numbering:
    """The links and ordered lists of a document, which other parts of the file define."""

    links: dict[str, str] = field(default_factory=dict)  # address → id of its relation
    starts: list[int] = field(default_factory=list)  # the first number of each ordered list

    def relation_of(self, address: str) -> str:
        """Return the id of a hyperlink's relation; empty if the address is only text."""
        if address not in self.links:
            if len(self.links) >= MAX_LINKS or not _may_be_linked(address):
                return ""
            self.links[address] = f"link{len(self.links) + 1}"
        return self.links[address]

    def ordered_list(self, start: int) -> int:
        """Return the number of a new ordered list in numbering.xml."""
        if len(self.starts) < MAX_ORDERED_LISTS:
            self.starts.append(start)
        return BULLETS + len(self.starts)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a paragraph is: its indentation, and its list if it is the first of an item."""

    level: int = 0
    list_number: int = 0
    is_quote: bool = False


def escaped(text: str) -> str:
    return escape(NO_XML.sub("\ufffd", text))


def run(text: str, styles: Iterable[str] = (), *, is_rtl: bool = False) -> str:
    """Return text in one format; line breaks stay."""
    marks = "".join(styles) + ("<w:rtl/>" if is_rtl else "")
    lines = escaped(text).split("\n")
    inner = "<w:br/>".join(f'<w:t xml:space="preserve">{line}</w:t>' for line in lines)
    return f"<w:r>{f'<w:rPr>{marks}</w:rPr>' if marks else ''}{inner}</w:r>"


def paragraph(runs: str, style: str = "", place: Place = Place(), *, is_rtl: bool = False) -> str:
    """Return a paragraph. The order of its properties is the one that the schema demands."""
    style = style or ("Quote" if place.is_quote else "")
    marks = f'<w:pStyle w:val="{style}"/>' if style else ""
    if place.list_number:
        level = min(place.level, 9) - 1
        marks += (
            f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{place.list_number}"/></w:numPr>'
        )
    marks += "<w:bidi/>" if is_rtl else ""
    if place.level and not place.list_number:
        marks += f'<w:ind w:left="{min(place.level, 9) * INDENT}"/>'
    return f"<w:p>{f'<w:pPr>{marks}</w:pPr>' if marks else ''}{runs}</w:p>"


def plain_paragraph(text: str, style: str = "", place: Place = Place()) -> str:
    is_rtl = is_right_to_left(text)
    return paragraph(run(text, is_rtl=is_rtl), style, place, is_rtl=is_rtl)


def table(rows: list[list[str]]) -> str:
    """Return a table; each cell is a paragraph. An empty paragraph keeps tables apart."""
    count = max(map(len, rows))
    grid = "<w:gridCol/>" * count
    filled = (row + [paragraph("")] * (count - len(row)) for row in rows)
    body = "".join(
        f"<w:tr>{'<w:trPr><w:tblHeader/></w:trPr>' if number == 0 else ''}"
        + "".join(f"<w:tc><w:tcPr/>{cell}</w:tc>" for cell in row)
        + "</w:tr>"
        for number, row in enumerate(filled)
    )
    marks = '<w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/>'
    return f"<w:tbl><w:tblPr>{marks}</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{body}</w:tbl><w:p/>"


def is_right_to_left(text: str) -> bool:
    """Return whether the first letter with a direction is Arabic, Hebrew or the like."""
    for sign in text[:DIRECTION_LENGTH]:
        direction = unicodedata.bidirectional(sign)
        if direction in {"L", "R", "AL"}:
            return direction != "L"
    return False


def _may_be_linked(address: str) -> bool:
    if not PLAIN_ADDRESS.fullmatch(address):
        return False
    try:
        parts = urlsplit(address)
        host = parts.hostname
        _port = parts.port  # may be no number
    except ValueError:
        return False
    if parts.scheme == "mailto":
        return True
    return parts.scheme in LINK_SCHEMES and bool(host and HOST.fullmatch(host))
