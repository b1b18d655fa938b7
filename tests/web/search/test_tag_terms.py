"""`tag:name` in a search finds only chats with the tag."""

import pytest
from django.test import Client

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.conversations.search import messages
from chat.projects.models import ChatTag
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def chat(owner: User, title: str, *tags: ChatTag, count: int = 1) -> Conversation:
    one = Conversation.objects.create(owner=owner, title=title)
    for number in range(count):
        one.messages.create(role=Message.Role.USER, text=f"Rivers of {title} {number}")
    one.tags.set(tags)
    return one


def tag(owner: User, name: str) -> ChatTag:
    return ChatTag.objects.create(owner=owner, name=name, folded_name=ChatTag.fold(name))


@pytest.fixture
def client(alice: User) -> Client:
    both, work = tag(alice, "Two words"), tag(alice, "Straße")
    chat(alice, "Rhine", work)
    chat(alice, "Elbe", work, both)
    chat(alice, "Oder")
    return signed_in(alice)


def found(client: Client, query: str) -> tuple[list[str], list[str]]:
    """Return the titles of the chats, and of the chats of the messages."""
    body = client.get("/chat/search/", {"q": query}, headers={"Accept": "application/json"}).json()
    return [each["title"] for each in body["chats"]], [each["title"] for each in body["messages"]]


@pytest.mark.parametrize(
    ("query", "chats", "hits"),
    [
        ("tag:strasse", ["Elbe", "Rhine"], []),
        ("TAG:Straße rivers", [], ["Elbe", "Rhine"]),
        ("rivers tag:“two words”", [], ["Elbe"]),
        ('tag:"Two Words" tag:straße elbe', ["Elbe"], ["Elbe"]),
        ("tag:straße oder", [], []),
        ("tag:nobody rivers", [], []),
        ("tag: oder", [], []),
        ("stage:strasse", [], []),
    ],
)
def test_tags_narrow_a_search(
    client: Client, query: str, chats: list[str], hits: list[str]
) -> None:
    assert found(client, query) == (chats, hits)
    page = client.get("/chat/search/", {"q": query}, headers={"Accept": "text/html"})
    assert page.status_code == 200


@pytest.mark.parametrize("order", ["newest", "best"])
def test_pages_of_tagged_hits_are_full(
    client: Client, alice: User, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "PLACES_AT_ONCE", 7)
    rare = tag(alice, "rare")
    for number in range(8):
        chat(alice, f"Tagged {number}", rare, count=3)
        chat(alice, f"Other {number}", count=3)
    shown: list[str] = []
    start = ""
    while True:
        asked = {"q": "tag:rare rivers", "order": order, "from": start}
        context = client.get("/chat/search/", asked, headers={"Accept": "text/html"}).context
        shown += [hit.message.text for hit in context["hits"]]
        start = context["next"]
        if not start:
            break
        assert len(shown) % messages.PAGE_LENGTH == 0
    assert len(shown) == len(set(shown)) == 24
    assert all("Tagged" in text for text in shown)


def test_another_members_tag_of_the_same_name_finds_nothing(client: Client, bob: User) -> None:
    his = tag(bob, "straße")
    chat(bob, "His", his)
    assert found(client, "tag:straße rivers")[1] == ["Elbe", "Rhine"]


def test_the_empty_page_offers_the_members_tags(client: Client) -> None:
    page = client.get("/chat/search/", headers={"Accept": "text/html"}).content.decode()
    assert 'href="?q=tag%3A%22Two%20words%22"' in page
