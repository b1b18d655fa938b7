"""Make collections and documents, as the pages do, and do the work in the background."""

import json
from typing import Any

from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.indexing import documents
from chat.indexing.work import INDEX
from chat.knowledge.models import Collection, Document
from chat.outbox.deliver import deliver_some
from tests.support.generations.send import DONE, send
from tests.support.generations.stream_reader import Stream, read_stream
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with


async def new_collection(owner: User | None, name: str = "Handbook") -> Collection:
    return await Collection.objects.acreate(owner=owner, name=name)


async def add_document(collection: Collection, user: User, name: str, text: str) -> Document:
    """Add a text as a document, and index it."""
    document: Document = await sync_to_async(documents.add)(collection, user, name, text.encode())
    await index_documents()
    await document.arefresh_from_db()
    return document


async def index_documents() -> None:
    """Do what is due."""
    await deliver_some(INDEX)


QUESTION = "Who pays for trips to customers?"
TRIPS = "Trips to customers are paid by the sales department."


async def new_handbook(owner: User) -> Collection:
    """Return a collection of two short documents."""
    collection = await new_collection(owner)
    await add_document(collection, owner, "travel.txt", TRIPS)
    await add_document(collection, owner, "food.txt", "Lunch costs five euros.")
    return collection


async def asked(
    client: AsyncClient, answer: bytes, chat: str = "", **options: Any
) -> tuple[list[Any], Stream]:
    """Return the messages that the model got for a question, and its answer."""
    async with site_with(always(stream_of(answer, DONE))) as raw:
        stream = await read_stream(await send(client, chat, **options))
    chats = [each for each in raw.requests if b'"messages"' in each]
    return json.loads(chats[0].partition(b"\r\n\r\n")[2])["messages"], stream
