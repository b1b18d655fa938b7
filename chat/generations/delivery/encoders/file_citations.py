"""Citations of documents and web pages as OpenAI's annotations."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from chat.knowledge.citations import citations_in

BRACKETS = 2


def file_citations(text: str, sources: Mapping[int, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return an annotation for each citation in a text, at its place in characters."""
    if not sources:
        return []
    return [
        _annotation(sources[number], place, place + len(str(number)) + BRACKETS)
        for place, number in citations_in(text, sources.keys())
    ]


def is_web_page(source: Mapping[str, Any]) -> bool:
    """Return whether a source is a page that a tool has found, and no document of the site."""
    return bool(source.get("address")) and not source.get("document")


def _annotation(source: Mapping[str, Any], start: int, end: int) -> dict[str, Any]:
    if is_web_page(source):
        return {
            "type": "url_citation",
            "start_index": start,
            "end_index": end,
            "url": source["address"],
            "title": source["name"],
        }
    return {
        "type": "file_citation",
        "index": start,
        "file_id": file_id(source.get("document", "")),
        "filename": source["name"],
    }


def file_id(document: str) -> str:
    """Return the id of a document in OpenAI's form; empty for one that can't be opened."""
    return f"file-{UUID(document).hex}" if document else ""
