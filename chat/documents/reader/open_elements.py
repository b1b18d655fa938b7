"""Tell HTML in which more elements are open at once than in any page that people have made.

A parser looks through them, and through their formatting, again for each further one: half a
megabyte of `<div><b>` takes a minute.
"""

import re

MAX_OPEN = 10_000
#: Elements that have no content, or end where the next one begins.
ENDED_BY_OTHERS = frozenset(
    {
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
        "track", "wbr", "dd", "dt", "li", "optgroup", "option", "p", "rp", "rt", "tbody", "td",
        "tfoot", "th", "thead", "tr",
    }
)  # fmt: skip
#: Elements of drawings. Only between these does `/>` end an element.
DRAWN = frozenset(
    {
        "animate", "circle", "clippath", "defs", "ellipse", "g", "image", "line", "lineargradient",
        "marker", "mask", "path", "pattern", "polygon", "polyline", "radialgradient", "rect",
        "stop", "svg", "symbol", "text", "textpath", "tspan", "use",
    }
)  # fmt: skip
_TOKEN = re.compile(r"<(?:(!--|!\[CDATA\[)|(/?)([a-z][^ \t\n\f\r/>]*))", re.IGNORECASE)
_ENDS = {"!--": "-->", "![cdata[": "]]>"}
#: A part of a tag after its name, as the HTML standard reads it: `>` in quotes doesn't end a tag.
_PART = re.compile(
    r"""([ \t\n\f\r/]+)
        | =?[^ \t\n\f\r/>=]+ (?:[ \t\n\f\r]*=[ \t\n\f\r]*(?:"[^"]*"?|'[^']*'?|[^ \t\n\f\r>]*))?
        | =""",
    re.VERBOSE,
)


def has_too_many(page: str) -> bool:
    """Return whether too many elements are open somewhere.

    In doubt, one is: an end counts only for the element that was opened last, as parsers ignore
    others in many places, and none counts in a comment or in quotes, where a beginning does.
    """
    if page.count("<") <= MAX_OPEN:
        return False
    open_elements: list[str] = []
    in_doubt = uncounted_until = 0
    is_drawn = False
    for token in _TOKEN.finditer(page):
        not_html, is_end, name = token[1], token[2], (token[3] or "").lower()
        if token.start() < uncounted_until:
            in_doubt += bool(name and not is_end)
        elif not_html:
            end = page.find(_ENDS[not_html.lower()], token.end())
            uncounted_until = end if end >= 0 else len(page)
        else:
            uncounted_until, ends_itself = _end_of_tag(page, token.end())
            is_drawn = (is_drawn or name == "svg") and name in DRAWN
            if not is_end and name not in ENDED_BY_OTHERS and not (is_drawn and ends_itself):
                open_elements.append(name)
            elif is_end and open_elements and open_elements[-1] == name:
                open_elements.pop()
                is_drawn = is_drawn and name != "svg"
        if len(open_elements) + in_doubt > MAX_OPEN:
            return True
    return False


def _end_of_tag(page: str, start: int) -> tuple[int, bool]:
    """Return where a tag ends, and whether a slash says that its element does, too."""
    ends_itself = False
    while part := _PART.match(page, start):
        start, ends_itself = part.end(), (part[1] or "").endswith("/")
    return start, ends_itself
