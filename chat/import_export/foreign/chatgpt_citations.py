"""Marks in the texts of ChatGPT's answers: citations, links and names, with what they stand for.

A mark is between private characters, with its kind first, such as `cite` and `turn0search1`. Old
exports have 【4†source】. What a mark stands for is beside the text.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from chat.import_export.foreign.cited import (
    Citations,
    ForeignSource,
    file_of,
    source_of,
    sources_in,
)
from chat.import_export.foreign.values import field_of, items_of, text_of, without_nul
from chat.lib.text import one_line

#: A mark doesn't contain the beginning of another, so the time is linear.
CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201|\u3010\\d{1,4}[:\u2020][^\u3010\u3011]*\u3011")
SEPARATOR = "\ue202"
#: Lists of pages that a reference may have.
LISTS = ("items", "fallback_items", "sources")
MAX_PAGES = 9
MAX_NAME_CHARS = 2000
#: What else a mark may show, from its second part: a link's words, or a list with a name.
LINK, NAME = "url", "entity"
UNLINKED = re.compile(r"[\s<>()]")  # an address with these would end early
SIGNS = re.compile(r"([\\\[\]])")


def cited_text(text: str, references: Any, citations: Any) -> tuple[str, list[ForeignSource]]:
    """Return an answer's text with marks of ours in the place of ChatGPT's, and the sources."""
    text = without_nul(text)
    known = {
        text_of(field_of(each, "matched_text")): each
        for each in items_of(references)
        if isinstance(each, dict)
    }
    by_place = {field_of(each, "start_ix"): each for each in _with_places(citations)}
    found = Citations()

    def replaced(mark: re.Match[str]) -> str:
        reference = known.get(mark[0])
        pages = list(_pages(reference)) if reference else []
        if not pages:
            old = field_of(by_place.get(mark.start()), "metadata")
            pages = [each for each in (source_of(old) or file_of(old),) if each]
        return found.marks(pages) or found.added(_shown(mark[0], reference))

    return CITATION.sub(replaced, text), found.sources


def _with_places(citations: Any) -> Iterator[Any]:
    return (each for each in items_of(citations) if isinstance(field_of(each, "start_ix"), int))


def _pages(reference: Mapping[str, Any]) -> Iterator[ForeignSource]:
    """Yield the pages that a reference names: its own, those in its lists, and those beside."""
    if own := source_of(reference) or (file_of(reference) if _is_file(reference) else None):
        yield own
    items = [each for name in LISTS for each in items_of(reference.get(name))[:MAX_PAGES]]
    for each in items[:MAX_PAGES]:
        yield from sources_in([each, *items_of(field_of(each, "supporting_websites"))[:MAX_PAGES]])


def _is_file(reference: Mapping[str, Any]) -> bool:
    return reference.get("type") == "file"


def _shown(mark: str, reference: Mapping[str, Any] | None) -> str:
    """Return what a mark without sources shows; empty if that's nothing."""
    kind, *rest = mark.strip("\ue200\ue201").split(SEPARATOR, 3)
    if kind == LINK and rest:
        words, target = SIGNS.sub(r"\\\1", one_line(rest[0])), one_line("".join(rest[1:2]))
        page = source_of({"url": target})
        is_plain = page and not UNLINKED.search(page.address)
        return f"[{words}]({target})" if is_plain else words
    if kind == NAME and rest:
        return _name_in(rest[0])
    return text_of(field_of(reference, "alt", "name")) if reference else ""


def _name_in(entity: str) -> str:
    try:
        _kind, name, *_rest = msgspec.json.decode(entity[:MAX_NAME_CHARS], type=list[Any])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return ""
    return text_of(name)
