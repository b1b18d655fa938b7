"""Read the texts of passages, without the rest of their documents."""

from collections.abc import Sequence
from itertools import starmap
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import QuerySet, Value
from django.db.models.functions import Substr
from msgspec.structs import replace

from chat.database.prepared import PreparedQuery
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
    texts = parts([place_of(each) for each in passages if each.document in shown])
    return [
        _filled(each, shown[each.document], text)
        for each in passages
        if (text := texts.get(place_of(each)))
    ]


def _filled(passage: GivenPassage, document: Document, text: str) -> GivenPassage:
    name, address = document.name, document.web_address
    quote = quoted_words(text) if address else ()
    return replace(passage, name=name, address=address, quote=quote, text=text)


def parts(places: Sequence[Place]) -> dict[Place, str]:
    """Return these parts of the texts of documents, without those that are deleted."""
    found: dict[Place, str] = {}
    for first in range(0, len(places), PARTS_AT_ONCE):
        some = places[first : first + PARTS_AT_ONCE]
        values = [value for pk, start, end in some for value in (pk, start + 1, end - start)]
        for number, text in _parts.all(*values):
            found[some[number]] = text
    return found


def place_of(passage: GivenPassage) -> Place:
    return passage.document, passage.start, passage.end


def _parts_of(*values: Any) -> "QuerySet[DocumentContent, tuple[int, str]]":
    """Return a number and a text for each document, first character and length."""
    places = zip(values[::3], values[1::3], values[2::3], strict=True)
    one, *others = starmap(_part, enumerate(places))
    return one.union(*others, all=True) if others else one


def _part(number: int, values: Sequence[Any]) -> "QuerySet[DocumentContent, tuple[int, str]]":
    document_id, first, length = values
    text = Substr("text", first, length)
    rows = DocumentContent.objects.filter(document=document_id)
    return rows.values_list(Value(number), text)


#: Compiled once for each number of parts, which takes longer than it takes databases to find them.
_parts = PreparedQuery(_parts_of)
