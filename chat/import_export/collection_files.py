"""Export a member's collections: their documents as they were added, or their text."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import QuerySet

from chat.accounts.models import User
from chat.import_export.file_format import FORMAT, VERSION
from chat.import_export.file_names import file_name, safe_name
from chat.knowledge.models import Collection, Document, DocumentContent

DOCUMENTS_AT_ONCE = 100
PIECE_BYTES = 256 * 1024

ArchiveFile = tuple[str, datetime, Iterator[bytes]]


def collection_files(user: User) -> Iterator[ArchiveFile]:
    """Yield names, times and contents of files: of each collection a list, and its documents."""
    collections = Collection.objects.filter(owner=user).order_by("created_at", "pk")
    for number, collection in enumerate(collections, 1):
        folder = f"collections/{number:03} {file_name(collection.name, 'collection')}"
        yield f"{folder}.json", collection.updated_at, iter([_facts(collection)])
        for place, document in enumerate(_documents(collection), 1):
            name = f"{folder}/{place:05} {safe_name(document.name)}"
            content = DocumentContent.objects.filter(pk=document.pk)
            is_file = content.filter(file__isnull=False).exists()
            pieces = _pieces(document.pk, "file" if is_file else "text")
            yield (name if is_file else f"{name}.txt"), document.created_at, pieces


def _facts(collection: Collection) -> bytes:
    facts: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": "collection",
        "name": collection.name,
        "description": collection.description,
        "created_at": collection.created_at,
        "updated_at": collection.updated_at,
        "documents": [each.name for each in _documents(collection)],
    }
    return msgspec.json.format(msgspec.json.encode(facts)) + b"\n"


def _documents(collection: Collection) -> Iterator[Document]:
    """Yield the documents in a fixed order, by short reads."""
    documents: QuerySet[Document] = collection.documents.order_by("pk")
    last: UUID | None = None
    while rows := list((documents.filter(pk__gt=last) if last else documents)[:DOCUMENTS_AT_ONCE]):
        yield from rows
        last = rows[-1].pk


def _pieces(document_id: UUID, field: str) -> Iterator[bytes]:
    """Yield the content; nothing if the document is gone meanwhile."""
    content = DocumentContent.objects.filter(pk=document_id).values_list(field, flat=True).first()
    data = content.encode() if isinstance(content, str) else bytes(content or b"")
    for start in range(0, len(data), PIECE_BYTES):
        yield data[start : start + PIECE_BYTES]
