"""Turn an answer's Markdown into paragraphs, lists, tables and code of a document."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from markdown_it import MarkdownIt
from markdown_it.rules_block import table as table_rule
from markdown_it.token import Token

from chat.import_export.docx.elements import (
    BULLETS,
    Numbering,
    Place,
    is_right_to_left,
    paragraph,
    plain_paragraph,
    run,
    table,
)
from chat.import_export.docx.formulas import FORMULA, keep_formulas

#: The answer's headings are below the title and the headings of the turns.
FIRST_HEADING, LAST_HEADING = 2, 6
MAX_COLUMNS = 63  # Word's own limit
CODE = '<w:rStyle w:val="CodeText"/>'
MARKS = {"strong": "<w:b/>", "em": "<w:i/>", "s": "<w:strike/>"}
LINK = '<w:rStyle w:val="Hyperlink"/>'

# HTML is text, as on the page.
parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
keep_formulas(parser)
# Cells that a table's rows lack. The library has this limit as a constant only, of 65,536 cells,
# which 2 KB of text can make. What exceeds it is text.
MAX_MISSING_CELLS = 250
table_rule.__globals__["MAX_AUTOCOMPLETED_CELLS"] = MAX_MISSING_CELLS


def answer_markup(text: str, numbering: Numbering) -> str:
    """Return the answer as elements of the document's body."""
    return "".join(_Blocks(numbering).elements(parser.parse(text)))


@dataclass(slots=True)
class _Blocks:
    """Walks over the blocks of one answer, and remembers in what they are."""

    numbering: Numbering
    places: list[Place] = field(default_factory=lambda: [Place()])
    lists: list[int] = field(default_factory=list)

    def elements(self, tokens: Sequence[Token]) -> Iterator[str]:
        style, at = "", 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == "table_open":
                end = next(i for i in range(at, len(tokens)) if tokens[i].type == "table_close")
                yield self._table(tokens[at:end])
                at = end
            elif token.type == "heading_open":
                level = min(int(token.tag[1]) + FIRST_HEADING - 1, LAST_HEADING)
                style = f"Heading{level}"
            elif token.type == "inline":
                yield self._paragraph(token, style)
                style = ""
            elif token.type in ("fence", "code_block"):
                yield from self._code(token.content)
            elif token.type == "hr":
                yield paragraph("", "Line")
            else:
                self._enter_or_leave(token)
            at += 1

    def _enter_or_leave(self, token: Token) -> None:
        place = self.places[-1]
        if token.type == "bullet_list_open":
            self.lists.append(BULLETS)
        elif token.type == "ordered_list_open":
            self.lists.append(self.numbering.ordered_list(int(token.attrGet("start") or 1)))
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self.lists.pop()
        elif token.type == "list_item_open":
            self.places.append(replace(place, level=place.level + 1, list_number=self.lists[-1]))
        elif token.type == "blockquote_open":
            self.places.append(Place(place.level + 1, is_quote=True))
        elif token.type in ("list_item_close", "blockquote_close"):
            self.places.pop()

    def _place(self) -> Place:
        """Return where the next paragraph is; only the first one of an item has its number."""
        place = self.places[-1]
        self.places[-1] = replace(place, list_number=0)
        return place

    def _paragraph(self, inline: Token, style: str) -> str:
        is_rtl = is_right_to_left(inline.content)
        runs = _runs(inline.children or [], self.numbering, is_rtl=is_rtl)
        return paragraph(runs, style, self._place(), is_rtl=is_rtl)

    def _code(self, text: str) -> Iterator[str]:
        """Yield a paragraph for each line, which text processors break over pages."""
        for line in text.removesuffix("\n").split("\n"):
            yield paragraph(run(line.replace("\t", "    ")), "Code", self._place())

    def _table(self, tokens: Sequence[Token]) -> str:
        rows: list[list[Token]] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(token)
        if max(map(len, rows)) > MAX_COLUMNS:
            lines = (" | ".join(cell.content for cell in row) for row in rows)
            return "".join(plain_paragraph(line, "", self._place()) for line in lines)
        self._place()
        return table(
            [
                [self._cell(cell, is_head=number == 0) for cell in row]
                for number, row in enumerate(rows)
            ]
        )

    def _cell(self, inline: Token, *, is_head: bool) -> str:
        is_rtl = is_right_to_left(inline.content)
        runs = _runs(
            inline.children or [], self.numbering, ["strong"] if is_head else [], is_rtl=is_rtl
        )
        return paragraph(runs, is_rtl=is_rtl)


def _runs(
    tokens: Sequence[Token],
    numbering: Numbering,
    first_marks: Iterable[str] = (),
    *,
    is_rtl: bool = False,
) -> str:
    """Return the runs of a paragraph, with its links. A mark inside itself is written once."""
    parts: list[str] = []
    links: list[str] = []
    depths = Counter(first_marks)
    for token in tokens:
        name = token.type.removesuffix("_open").removesuffix("_close")
        if token.type == "link_open":
            links.append(numbering.relation_of(str(token.attrGet("href") or "")))
            if links[-1]:
                parts.append(f'<w:hyperlink r:id="{links[-1]}">')
        elif token.type == "link_close":
            if links.pop():
                parts.append("</w:hyperlink>")
        elif name in MARKS:
            depths[name] += token.nesting
        elif text := _text_of(token):
            is_code = token.type == "code_inline"
            style = CODE if is_code else LINK if any(links) else ""
            marks = (mark for each, mark in MARKS.items() if depths[each])
            parts.append(run(text, [style, *marks], is_rtl=is_rtl and not is_code))
    return "".join(parts)


def _text_of(token: Token) -> str:
    if token.type == "softbreak":
        return " "
    if token.type == "hardbreak":
        return "\n"
    if token.type == FORMULA:
        return token.content.replace("\n", " ")
    return token.content  # text, code, or an image's description
