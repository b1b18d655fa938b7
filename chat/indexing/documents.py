"""Add documents to collections, and remove them. The caller has checked access."""

from django.conf import settings
from django.db import transaction

from chat.accounts.models import User
from chat.conversations.sizes.storage import require_storage
from chat.documents.errors import too_large
from chat.errors import NotFound
from chat.indexing.changes import note_change, same_document
from chat.indexing.errors import CollectionFull, EmptyDocument
from chat.indexing.work import INDEX
from chat.knowledge.models import (
    DOCUMENT_NAME_LENGTH,
    MAX_DOCUMENTS,
    Collection,
    Document,
    DocumentContent,
)
from chat.lib.text import one_line

NO_NAME = "file"
#: In the names of files that were added with their folders.
FOLDER_SEPARATOR = " › "

#: A full collection takes so many more that replace others.
SPARE_DOCUMENTS = 10


def add(
    collection: Collection, user: User, name: str, content: bytes, address: str = ""
) -> Document:
    """Store a document, which is read and indexed in the background.

    It replaces one of the same name once it can be searched; if it has an `address`, one with the
    same. Such a document is plain text, whatever its name is. Raise `EmptyDocument`,
    `DocumentTooLarge`, `CollectionFull` or `StorageFull`, and `NotFound` if the collection was
    deleted meanwhile.
    """
    if not content:
        raise EmptyDocument
    if len(content) > settings.MAX_DOCUMENT_BYTES:
        raise too_large()
    if collection.owner_id:
        require_storage(collection.owner_id, len(content))
    with transaction.atomic():
        # First, so that others wait who add one at the same time.
        if not note_change(collection.pk):
            raise NotFound
        name = _name(name)
        replaces = collection.documents.filter(same_document(name, address)).exists()
        if collection.documents.count() >= MAX_DOCUMENTS + (SPARE_DOCUMENTS if replaces else 0):
            raise CollectionFull
        document = Document.objects.create(
            collection=collection,
            name=name,
            address=address,
            added_by=user,
            size_bytes=len(content),
            stored_bytes=len(content),
        )
        # By its id: two objects that know each other would keep the file in memory for a while.
        DocumentContent.objects.create(document_id=document.pk, file=content)
        _start(document)
    return document


def retry(document: Document) -> None:
    """Read or index a document again that failed."""
    is_read = DocumentContent.objects.filter(document=document).exclude(text="").exists()
    state = Document.State.INDEXING if is_read else Document.State.WAITING
    failed = Document.objects.filter(pk=document.pk, state=Document.State.FAILED)
    with transaction.atomic():
        if failed.update(state=state, problem=""):
            note_change(document.collection_id)
            _start(document)


def remove(document: Document) -> None:
    """Delete a document with its text and its index."""
    with transaction.atomic():
        note_change(document.collection_id)
        document.delete()


def remove_failed(collection: Collection) -> int:
    """Delete the documents of a collection that failed, and return how many these are."""
    failed = collection.documents.filter(state=Document.State.FAILED)
    with transaction.atomic():
        note_change(collection.pk)
        _total, deleted = failed.delete()
    return deleted.get(Document._meta.label, 0)


def _start(document: Document) -> None:
    INDEX.add(group=document.added_by_id or "", document=str(document.pk))


def _name(path: str) -> str:
    """Return a file's name after those of its folders, without invisible characters.

    Those could change how other names in the list are shown. Files of one name in different folders
    don't replace each other. Of a long path, the end is kept, which has the file's name.
    """
    parts = (one_line(part) for part in path.replace("\\", "/").split("/"))
    line = FOLDER_SEPARATOR.join(part for part in parts if part.strip("."))
    return line[-DOCUMENT_NAME_LENGTH:].strip() or NO_NAME
