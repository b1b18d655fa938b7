"""A citation opens at the words that the model was given, in any script."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.accounts.models import User
from chat.knowledge.excerpts import parts, with_texts
from chat.knowledge.given import GivenPassage
from chat.knowledge.models import Collection, Document, DocumentContent
from chat.knowledge.passages import split
from chat.knowledge.reading import part_around
from chat.lib.worker_thread import finished

PIECES = [
    "river ", "Straße ", "e\u0301te\u0301 ", "洪水が来る。", "مياه النهر؟ ", "👩\u200d👩\u200d👧 ", "\U00020000", "\n\n",
    "\n# Part\n", "\n[Page 7]\n", "| a | b |\n", "```\nx[1]\n```\n", "\u2028", "\x1c", "\u00a0", "ab" * 900, ". ",
]  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(12))
def test_each_passage_is_found_again_at_its_place(seed: int, alice: User) -> None:
    rng = random.Random(seed)
    text = "".join(rng.choices(PIECES, k=rng.randint(1, 400)))
    document = new_document(alice, text)
    passages = finished(split(text))
    found = parts([(document.pk, each.start, each.end) for each in passages])
    for each in passages:
        assert found[document.pk, each.start, each.end] == text[each.start : each.end] != ""


@given(st.lists(st.sampled_from(PIECES), max_size=200), st.booleans())
def test_a_citation_opens_the_part_with_its_words(pieces: list[str], has_pages: bool) -> None:
    text = ("[Page 1]\n" if has_pages else "") + "".join(pieces)
    for each in finished(split(text)):
        part = part_around(text, each.start, each.end, has_pages=has_pages)
        assert part.passage == text[each.start : each.end] != ""
        assert not has_pages or part.page == each.page


@pytest.mark.django_db
def test_passages_of_other_collections_and_deleted_documents_are_left_out(alice: User) -> None:
    texts = ("Kept words", "Gone words", "Elsewhere")
    kept, gone, foreign = (new_document(alice, text) for text in texts)
    wanted = [
        GivenPassage(number, each.pk, "", 0, 4)
        for number, each in enumerate((kept, gone, foreign), 1)
    ]
    collections = [kept.collection_id, gone.collection_id]
    gone.delete()
    found = with_texts(wanted, collections)
    assert [(each.number, each.name, each.text) for each in found] == [(1, "a.txt", "Kept")]


def new_document(owner: User, text: str) -> Document:
    collection = Collection.objects.create(owner=owner, name="Handbook")
    document = Document.objects.create(collection=collection, name="a.txt")
    DocumentContent.objects.create(document=document, text=text)
    return document
