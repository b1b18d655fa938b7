"""Find the `script` and `meta` elements of a page.

Other HTML is skipped, and the time is linear in the length even for hostile HTML.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser

MAX_TAG_CHARS = 4000
MAX_TAGS = 500
_TAG = re.compile(rf"<(?:script|meta)(?=[\s/>])[^<>]{{0,{MAX_TAG_CHARS}}}>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tag:
    name: str
    attributes: dict[str, str]  # names in lower case


def tags_of(html: str) -> list[Tag]:
    """Return the elements in order, without those in comments."""
    tags = []
    for match in _TAG.finditer(_without_comments(html)):
        reader = _Reader()
        reader.feed(match[0])
        tags += reader.tags
        if len(tags) >= MAX_TAGS:
            break
    return tags


def _without_comments(html: str) -> str:
    return "".join(_between_comments(html))


def _between_comments(html: str) -> Iterator[str]:
    place = 0
    while (start := html.find("<!--", place)) >= 0:
        yield html[place:start]
        end = html.find("-->", start + 4)
        if end < 0:
            return
        place = end + 3
    yield html[place:]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[Tag] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes: dict[str, str] = {}
        for name, value in attrs:
            attributes.setdefault(name.lower(), value or "")  # the first of duplicates counts
        self.tags.append(Tag(tag, attributes))
