"""Tell HTML in which more elements are open at once than in any page that people have made.

A parser looks through them, and through their formatting, again for each further one: half a
megabyte of `<div><b>` takes a minute.
"""

import re
from collections import Counter

MAX_OPEN = 10_000
#: Elements that have no content, or end where the next one begins.
ENDED_BY_OTHERS = frozenset(
    {
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
        "track", "wbr", "dd", "dt", "li", "optgroup", "option", "p", "rp", "rt", "tbody", "td",
        "tfoot", "th", "thead", "tr",
    }
)  # fmt: skip
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)", re.IGNORECASE)


def has_too_many(page: str) -> bool:
    """Return whether too many elements are open somewhere.

    An end closes an element of its own name, so that others can't make up for it.
    """
    if page.count("<") <= MAX_OPEN:
        return False
    open_elements: Counter[str] = Counter()
    total = 0
    for tag in _TAG.finditer(page):
        name = tag[2].lower()
        if name in ENDED_BY_OTHERS:
            continue
        if not tag[1]:
            open_elements[name] += 1
            total += 1
            if total > MAX_OPEN:
                return True
        elif open_elements[name]:
            open_elements[name] -= 1
            total -= 1
    return False
