"""Read and index documents in the background, as deliveries of the outbox.

Two steps, each stored at once, so that a killed process repeats one of them:

1. Read the file, split its text into passages and index their words. From here on the document is
   found, and one that it replaces is deleted in the same transaction.
2. Ask for the vectors of the passages, and store them.

If the second step fails, it is tried again like any delivery, and the document is found by its
words alone in the meantime.
"""

import asyncio
from datetime import timedelta
from mimetypes import guess_type
from uuid import UUID

from django.conf import settings

from chat.accounts.principals import Principal
from chat.conversations.errors import StorageFull
from chat.database import threads
from chat.documents.errors import DocumentUnreadable
from chat.documents.reader.document_text import DocumentText, within
from chat.documents.reading import read_document
from chat.errors import ChatError, QuotaExceeded, UpstreamTimeout
from chat.generations.send.embedding import embed_texts
from chat.indexing import stored_index
from chat.knowledge.models import MAX_DOCUMENT_CHARS, Document
from chat.lib.fair_work import in_steps
from chat.lib.worker_thread import off_loop
from chat.outbox.claim import MAX_ATTEMPTS
from chat.outbox.deliver import DeliveryKind
from chat.outbox.errors import DeliveryFailed
from chat.outbox.models import Delivery
from chat.upstream import factory
from chat.upstream.documents.to_markdown import to_markdown

#: Why a file could not be read that Workers AI may be able to read.
CONVERTED = frozenset({"no_text", "unsupported"})
CONVERSION_SECONDS = 120.0
#: Of web pages, the title is the name, and "index.html" may be one; their text is Markdown already.
TEXT_NAME = "text.md"
EMBEDDING_SECONDS = 600.0
LEASE = timedelta(seconds=900)
#: More would keep more files in memory; with fewer, a folder of small ones waits for minutes.
AT_ONCE = 6


async def _index(delivery: Delivery) -> None:
    """Do the steps that are left for a document, unless it was deleted meanwhile."""
    document_id = UUID(delivery.content["document"])
    problem = "too_complex"
    try:
        if document := await threads.readers.run(
            stored_index.document_in, document_id, Document.State.WAITING
        ):
            await _read(document)
        problem = "provider"
        if document := await threads.readers.run(
            stored_index.document_in, document_id, Document.State.INDEXING
        ):
            await _embed(document)
    except DocumentUnreadable as error:
        await threads.writer.run(stored_index.fail, document_id, error.detail)
    except StorageFull:
        await threads.writer.run(stored_index.fail, document_id, "storage")
    except Exception as error:
        if delivery.attempts >= MAX_ATTEMPTS:
            if isinstance(error, ChatError):
                problem = "limit" if isinstance(error, QuotaExceeded) else "provider"
            await threads.writer.run(stored_index.fail, document_id, problem)
        if isinstance(error, ChatError):
            raise DeliveryFailed(error.code) from error
        raise


def _fail(delivery: Delivery) -> None:
    """Say so of a document with which processes die, again and again."""
    stored_index.fail(UUID(delivery.content["document"]), "too_complex")


INDEX = DeliveryKind("document", _index, LEASE, AT_ONCE, _fail)


async def _read(document: Document) -> None:
    file = await threads.readers.run(stored_index.file_of, document)
    try:
        name = TEXT_NAME if document.address else document.name
        reader = f"collection:{document.added_by_id}"
        text = await read_document(file, name, MAX_DOCUMENT_CHARS, reader)
    except DocumentUnreadable as error:
        converted = await _converted(document, file, error.detail)
        if converted is None:
            raise
        text = converted
    key = f"user:{document.added_by_id}"
    words = await in_steps(key, stored_index.words_of_text(document.name, text.text))
    await threads.writer.run(stored_index.store_text, document, text, words)


async def _converted(document: Document, file: bytes, problem: str) -> DocumentText | None:
    """Return what Workers AI reads in a file, if the site lets it and there is anything.

    The caller raises the error again. Raised here, it would keep the file in memory: it would be in
    a cycle with the frame that it is an argument of.
    """
    is_possible = settings.KNOWLEDGE_TO_MARKDOWN and factory.endpoint().is_workers_ai
    if not is_possible or problem not in CONVERTED:
        return None
    kind = guess_type(document.name)[0] or "application/octet-stream"
    key = f"user:{document.added_by_id}"
    try:
        async with asyncio.timeout(CONVERSION_SECONDS):
            converted = await to_markdown(factory.client_of(""), document.name, kind, file, key)
    except TimeoutError:
        raise UpstreamTimeout from None
    text = within(converted, MAX_DOCUMENT_CHARS)
    return None if text.problem else text


async def _embed(document: Document) -> None:
    model = settings.EMBEDDING_MODELS.get(settings.KNOWLEDGE_EMBEDDING_MODEL)
    if model is None or document.added_by_id is None:
        await threads.writer.run(stored_index.store_vectors, document, "", b"")
        return
    principal = Principal(f"user:{document.added_by_id}", document.added_by_id)
    texts = await threads.readers.run(stored_index.passage_texts, document)
    try:
        async with asyncio.timeout(EMBEDDING_SECONDS):
            embeddings = await embed_texts(principal, model, texts, is_message=False)
    except TimeoutError:
        raise UpstreamTimeout from None
    vectors = await off_loop(stored_index.encoded_vectors, embeddings.vectors)
    await threads.writer.run(stored_index.store_vectors, document, model.id, vectors)
