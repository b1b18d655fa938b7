"""Citations of documents as OpenAI's annotations."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from chat.knowledge.citations import citations_in


def file_citations(text: str, sources: Mapping[int, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return an annotation for each citation in a text, at its place in characters."""
    if not sources:
        return []
    return [
        {
            "type": "file_citation",
            "index": place,
            "file_id": file_id(sources[number].get("document", "")),
            "filename": sources[number]["name"],
        }
        for place, number in citations_in(text, sources.keys())
    ]


def file_id(document: str) -> str:
    """Return the id of a document in OpenAI's form; empty for one that can't be opened."""
    return f"file-{UUID(document).hex}" if document else ""
