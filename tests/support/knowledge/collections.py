"""Make collections and documents, as the pages do, and do the work in the background."""

from asgiref.sync import sync_to_async

from chat.accounts.models import User
from chat.indexing import documents
from chat.indexing.work import INDEX
from chat.knowledge.models import Collection, Document
from chat.outbox.deliver import job


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
    await job(INDEX)()
