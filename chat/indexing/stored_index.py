"""Read and store what a document is found by. Each function is one short transaction at most."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F

from chat.conversations.sizes.storage import require_storage
from chat.documents.reader.document_text import DocumentText
from chat.indexing.changes import note_change, same_document
from chat.knowledge.models import Document, DocumentContent, DocumentIndex
from chat.lib.worker_thread import Steps

#: Of a document. As many have 1,000 pages of ten sections each. A list of nothing but headings has
#: 50 times as many, whose vectors would take gigabytes of memory.
MAX_PASSAGES = 10_000


class IndexedText(NamedTuple):
    """The passages of a text and their words, as they are stored."""

    passage_count: int
    passages: bytes
    words: bytes
    is_cut: bool


def document_in(document_id: UUID, state: Document.State) -> Document | None:
    """Return a document if it is in this state."""
    documents = Document.objects.select_related("collection")
    return documents.filter(pk=document_id, state=state).first()


def file_of(document: Document) -> bytes:
    content = DocumentContent.objects.filter(document=document)
    return bytes(content.values_list("file", flat=True).first() or b"")


def words_of_text(name: str, text: str) -> Steps[IndexedText]:
    """Split a text into passages and index their words."""
    from chat.knowledge import index_format, passages  # with numpy, which seldom is needed

    everything = yield from passages.split(text)
    found = everything[:MAX_PASSAGES]
    texts = (passages.text_with_context(name, text, each) for each in found)
    words = yield from index_format.encode_words(texts)
    is_cut = len(found) < len(everything)
    return IndexedText(len(found), index_format.encode_passages(found), words, is_cut)


def passage_texts(document: Document) -> list[str]:
    """Return the texts to embed, one for each passage."""
    from chat.knowledge import index_format, passages

    index = DocumentIndex.objects.only("passages").get(document=document)
    content = DocumentContent.objects.only("text").get(document=document)
    return [
        passages.text_with_context(document.name, content.text, each)
        for each in index_format.decode_passages(index.passages)
    ]


def encoded_vectors(vectors: Sequence[Sequence[float]]) -> bytes:
    from chat.knowledge import index_format

    return index_format.encode_vectors(vectors)


def store_text(document: Document, text: DocumentText, index: IndexedText) -> None:
    """Store the text and the words of a document, and delete an older one of the same name.

    Raise `StorageFull`: the text of a compressed file may be a hundred times as long as the file.
    """
    added = len(text.text.encode()) + len(index.passages) + len(index.words)
    _require_storage(document, added)
    with transaction.atomic():
        collection_id = _note_change(document)
        rows = Document.objects.filter(pk=document.pk, state=Document.State.WAITING)
        content = DocumentContent.objects.filter(document=document)
        if not rows.update(
            state=Document.State.INDEXING,
            pages=text.pages,
            passage_count=index.passage_count,
            is_cut=text.is_cut or index.is_cut,
            stored_bytes=F("stored_bytes") + added,
        ):
            return  # it was deleted, or another process was faster
        content.update(text=text.text)
        if not settings.KEEP_DOCUMENT_FILES:
            content.update(file=None)
            rows = Document.objects.filter(pk=document.pk)
            rows.update(stored_bytes=F("stored_bytes") - F("size_bytes"))
        # By its id: two objects that know each other stay in memory for a while.
        DocumentIndex.objects.create(
            document_id=document.pk, passages=index.passages, words=index.words
        )
        older = Document.objects.filter(
            same_document(document.name, document.address),
            collection=collection_id,
            created_at__lte=document.created_at,
        )
        older.exclude(pk=document.pk).delete()


def store_vectors(document: Document, embedding_model: str, vectors: bytes) -> None:
    """Store the vectors of a document, which is ready with them. Raise `StorageFull`."""
    _require_storage(document, len(vectors))
    with transaction.atomic():
        _note_change(document)
        rows = Document.objects.filter(pk=document.pk, state=Document.State.INDEXING)
        if rows.update(state=Document.State.READY, stored_bytes=F("stored_bytes") + len(vectors)):
            index = DocumentIndex.objects.filter(document=document)
            index.update(embedding_model=embedding_model, vectors=vectors)


def fail(document_id: UUID, problem: str) -> None:
    """Say why a document could not be read or indexed; the first reason stays."""
    ended = (Document.State.READY, Document.State.FAILED)
    rows = Document.objects.filter(pk=document_id).exclude(state__in=ended)
    rows.update(state=Document.State.FAILED, problem=problem)


def _note_change(document: Document) -> UUID:
    """Note a change of the collection that a document is in now; it may have been moved."""
    note_change(document.collection_id)  # from here on, nobody moves it out of this one
    collections = Document.objects.filter(pk=document.pk).values_list("collection", flat=True)
    now_in = collections.first() or document.collection_id
    if now_in != document.collection_id:
        note_change(now_in)
    return now_in


def _require_storage(document: Document, added_bytes: int) -> None:
    if owner_id := document.collection.owner_id:
        require_storage(owner_id, added_bytes)
