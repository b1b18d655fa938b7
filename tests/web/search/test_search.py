"""Members find their own chats and messages, on the page and in the palette."""

import re
from html import unescape

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
async def test_titles_are_found_by_words(
    titles: None, alice_client: AsyncClient, query: str, expected: list[str]
) -> None:
    assert await found(alice_client, query) == expected


async def test_without_a_query_the_newest_chats_are_listed(
    titles: None, alice_client: AsyncClient
) -> None:
    newest = await found(alice_client, "")
    assert (newest[0], len(newest)) == ("'; --", 7)


async def test_another_members_chats_are_not_found(titles: None, bob_client: AsyncClient) -> None:
    assert await found(bob_client, "") == ["Bob's rivers"]
    assert await found(bob_client, "cotton") == []


async def test_a_signed_out_script_gets_an_error(
    titles: None, anonymous_client: AsyncClient
) -> None:
    response = await anonymous_client.get("/chat/search/", {"q": "river"})
    assert response.status_code == 401
    assert response.json()["error"]["code"] == "not_authenticated"


# --- The page, and messages -----------------------------------------------------------------------

HTML = {"Accept": "text/html"}


@pytest.fixture
def messages(alice: User, bob: User) -> Conversation:
    """Create 45 messages of alice about a river, and one of bob with the sentinel."""
    conversation = Conversation.objects.create(owner=alice, title="Water")
    for number in range(45):
        conversation.messages.create(role="user", text=f"river <b>{number}</b> &c.")
    foreign = Conversation.objects.create(owner=bob, title="Bob's river")
    foreign.messages.create(role="user", text="river sentinel")
    return conversation


async def page(client: AsyncClient, address: str) -> str:
    response = await client.get(address, headers=HTML)
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    return response.content.decode()


@pytest.mark.parametrize("order", ["", "&order=best"])
async def test_pages_contain_all_messages_found(
    messages: Conversation, alice_client: AsyncClient, order: str
) -> None:
    seen: list[str] = []
    address = f"/chat/search/?q=river{order}"
    while address:
        text = await page(alice_client, address)
        assert "sentinel" not in text
        assert not re.search(r"\bBob\b", text)  # random tokens may contain the letters
        seen += re.findall(r"&lt;b&gt;(\d+)&lt;/b&gt;", text)
        following = re.search(r'rel="next" href="([^"]*)"', text)
        address = f"/chat/search/{unescape(following[1])}" if following else ""
    assert sorted(map(int, seen)) == list(range(45))


async def test_a_hit_is_marked_and_links_to_its_message(
    messages: Conversation, alice_client: AsyncClient
) -> None:
    text = await page(alice_client, "/chat/search/?q=river")
    newest = await messages.messages.alast()
    assert newest
    assert f'href="/chat/{messages.pk}/?at={newest.pk}&amp;text=river#m{newest.pk}"' in text
    assert "<mark>river</mark> &lt;b&gt;44&lt;/b&gt; &amp;c." in text
    assert f'id="m{newest.pk}"' in await page(alice_client, f"/chat/{messages.pk}/?at={newest.pk}")


async def test_titles_come_first_and_are_not_repeated(
    titles: None, alice_client: AsyncClient
) -> None:
    text = await page(alice_client, "/chat/search/?q=riv")
    assert "Rivers bend" in text
    assert "No results" not in text


async def test_a_search_without_results_says_so(alice_client: AsyncClient) -> None:
    text = await page(alice_client, "/chat/search/?q=%3Ci%3E+nowhere")
    assert "No results for “<bdi>&lt;i&gt; nowhere</bdi>”." in text
    assert "No results" not in await page(alice_client, "/chat/search/")


@pytest.mark.parametrize("place", ["x", "-1.0", "1", f"{2**64}.0", "1.99999", "١.0"])
async def test_an_invalid_page_is_refused(alice_client: AsyncClient, place: str) -> None:
    response = await alice_client.get("/chat/search/", {"q": "a", "from": place}, headers=HTML)
    assert response.status_code == 400


async def test_a_signed_out_person_is_redirected_to_sign_in(anonymous_client: AsyncClient) -> None:
    response = await anonymous_client.get("/chat/search/", {"q": "river"}, headers=HTML)
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/")


async def test_the_palette_gets_a_few_messages_as_pieces_of_text(
    messages: Conversation, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    hits = (await alice_client.get("/chat/search/", {"q": "river"})).json()["messages"]
    assert [hit["pieces"] for hit in hits] == [
        [["river", True], [f" <b>{number}</b> &c.", False]] for number in (44, 43, 42, 41, 40)
    ]
    assert {hit["conversation"] for hit in hits} == {str(messages.pk)}
    (hit,) = (await bob_client.get("/chat/search/", {"q": "river"})).json()["messages"]
    assert hit["pieces"] == [["river", True], [" sentinel", False]]
