"""Read the texts of passages, without the rest of their documents."""

from collections import defaultdict
from collections.abc import Sequence
from typing import TypeAlias
from uuid import UUID

from django.db.models.functions import Substr
from msgspec.structs import replace

from chat.knowledge.given import GivenPassage
from chat.knowledge.models import Document, DocumentContent

#: Parts of one document in one statement.
PARTS_AT_ONCE = 50
#: Where a part of a text begins and ends, in characters.
Place: TypeAlias = tuple[int, int]


def with_texts(passages: Sequence[GivenPassage], collections: Sequence[UUID]) -> list[GivenPassage]:
    """Return the passages with names and texts, without those that are in none of the collections.

    A document may be deleted, and passages of an earlier answer be from a collection that the
    person who asks may no longer use.
    """
    places: defaultdict[UUID, list[Place]] = defaultdict(list)
    for each in passages:
        places[each.document].append((each.start, each.end))
    documents = Document.objects.filter(pk__in=places, collection__in=collections)
    names = dict(documents.values_list("pk", "name"))
    texts = {document_id: parts(document_id, places[document_id]) for document_id in names}
    return [
        replace(each, name=names[each.document], text=text)
        for each in passages
        if (text := texts.get(each.document, {}).get((each.start, each.end)))
    ]


def parts(document_id: UUID, places: Sequence[Place]) -> dict[Place, str]:
    """Return these parts of a document's text; none if it is deleted."""
    found: dict[Place, str] = {}
    contents = DocumentContent.objects.filter(document=document_id)
    for first in range(0, len(places), PARTS_AT_ONCE):
        some = places[first : first + PARTS_AT_ONCE]
        columns = [Substr("text", start + 1, end - start) for start, end in some]
        for row in contents.values_list(*columns):
            found |= zip(some, row, strict=True)
    return found
