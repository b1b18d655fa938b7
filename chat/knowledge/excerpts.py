"""Read the texts of passages, without the rest of their documents."""

from collections.abc import Sequence
from typing import TypeAlias
from uuid import UUID

from django.db.models import QuerySet, Value
from django.db.models.functions import Substr
from msgspec.structs import replace

from chat.knowledge.given import GivenPassage
from chat.knowledge.models import Document, DocumentContent
from chat.knowledge.text_fragments import quoted_words

#: Parts in one statement.
PARTS_AT_ONCE = 50
#: A document, and where a part of its text begins and ends, in characters.
Place: TypeAlias = tuple[UUID, int, int]


def with_texts(passages: Sequence[GivenPassage], collections: Sequence[UUID]) -> list[GivenPassage]:
    """Return the passages with names and texts, without those that are in none of the collections.

    A document may be deleted, and passages of an earlier answer be from a collection that the
    person who asks may no longer use.
    """
    wanted = {each.document for each in passages}
    documents = Document.objects.filter(pk__in=wanted, collection__in=collections)
    shown = {each.pk: each for each in documents.only("name", "address")}
    texts = parts([_place(each) for each in passages if each.document in shown])
    return [
        _filled(each, shown[each.document], text)
        for each in passages
        if (text := texts.get(_place(each)))
    ]


def _filled(passage: GivenPassage, document: Document, text: str) -> GivenPassage:
    name, address = document.name, document.web_address
    quote = quoted_words(text) if address else ()
    return replace(passage, name=name, address=address, quote=quote, text=text)


def parts(places: Sequence[Place]) -> dict[Place, str]:
    """Return these parts of the texts of documents, without those that are deleted."""
    found: dict[Place, str] = {}
    for first in range(0, len(places), PARTS_AT_ONCE):
        one, *others = map(_part, places[first : first + PARTS_AT_ONCE])
        for pk, start, end, text in one.union(*others, all=True) if others else one:
            found[pk, start, end] = text
    return found


def _place(passage: GivenPassage) -> Place:
    return passage.document, passage.start, passage.end


def _part(place: Place) -> "QuerySet[DocumentContent, tuple[UUID, int, int, str]]":
    document_id, start, end = place
    text = Substr("text", start + 1, end - start)
    rows = DocumentContent.objects.filter(document=document_id)
    return rows.values_list("document_id", Value(start), Value(end), text)
