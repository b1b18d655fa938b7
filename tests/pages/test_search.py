"""The palette finds a member's own chats by their titles, whatever is written into it."""

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation


@pytest.fixture
def titles(alice: User, bob: User) -> None:
    for title in (
        "Rivers bend",
        "River deltas",
        "100% cotton",
        "a_b",
        "Ärger über Öl",
        "back\\slash",
        "'; --",
    ):
        Conversation.objects.create(owner=alice, title=title)
    Conversation.objects.create(owner=bob, title="Bob's rivers")


async def found(client: AsyncClient, query: str) -> list[str]:
    response = await client.get("/chat/search/", {"q": query})
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    return [each["title"] for each in response.json()["chats"]]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("river", ["River deltas", "Rivers bend"]),
        ("BEND riv", ["Rivers bend"]),
        ("  bend  ", ["Rivers bend"]),
        ("%", ["100% cotton"]),
        ("_", ["a_b"]),
        ("\\", ["back\\slash"]),
        ("'; --", ["'; --"]),
        ("ärger", ["Ärger über Öl"]),
        ("ÖL", ["Ärger über Öl"]),
        ("nothing like it", []),
        ("\x00", []),
        ("\ud800".encode("utf-16", "surrogatepass").decode("utf-16", "replace"), []),
        ("x " * 5000, []),
    ],
)
async def test_titles_are_found_by_their_words(
    titles: None, alices: AsyncClient, query: str, expected: list[str]
) -> None:
    assert await found(alices, query) == expected


async def test_without_words_the_newest_come(titles: None, alices: AsyncClient) -> None:
    newest = await found(alices, "")
    assert (newest[0], len(newest)) == ("'; --", 7)


async def test_nobody_finds_what_is_somebody_elses(titles: None, bobs: AsyncClient) -> None:
    assert await found(bobs, "") == ["Bob's rivers"]
    assert await found(bobs, "cotton") == []


async def test_somebody_signed_out_finds_nothing(titles: None, nobodys: AsyncClient) -> None:
    response = await nobodys.get("/chat/search/", {"q": "river"})
    assert response.status_code == 401
    assert response.json()["error"]["code"] == "signed_out"
