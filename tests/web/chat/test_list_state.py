"""Pin, archive, delete and restore conversations."""

import uuid
from datetime import timedelta

import pytest
from django.test import AsyncClient, Client, override_settings
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.turns import add_answer, post_question, start_conversation
from chat.web.chat.sidebar import PAGE_LENGTH
from tests.support.generations.send import key, send
from tests.support.generations.stream_reader import read_stream
from tests.support.web.sidebar_html import older, parts, titles
from tests.support.web.signed_in import signed_in

HTMX = {"HX-Request": "true"}
HTML = {"Accept": "text/html"}


@pytest.fixture
def conversation(alice: User) -> Conversation:
    conversation = start_conversation(alice.pk)
    add_answer(post_question(conversation, "What is water?", None))
    return conversation


def post(browser: Client, conversation: Conversation, noun: str, /, **fields: str) -> str:
    """Submit a plain form, and return the URL of the redirect."""
    response = browser.post(f"/chat/{conversation.pk}/{noun}/", fields)
    assert response.status_code == 302
    return response["Location"]


def sidebar(browser: Client) -> str:
    return browser.get("/chat/sidebar/").content.decode()


def test_pinned_conversations_come_first_on_every_page(browser: Client, alice: User) -> None:
    now, state = timezone.now(), Conversation.ListState
    Conversation.objects.bulk_create(
        Conversation(
            owner=alice,
            title=f"chat {number:04}",
            updated_at=now - timedelta(hours=number),
            list_state=state.PINNED if number % 3 == 0 else state.LISTED,
        )
        for number in range(3 * PAGE_LENGTH + 7)
    )
    address, seen, headings = "/chat/sidebar/", [], []
    while address:
        page = browser.get(address).content.decode()
        seen += titles(page)
        headings += parts(page)
        address = older(page)
    numbers = range(3 * PAGE_LENGTH + 7)
    expected = [n for n in numbers if n % 3 == 0] + [n for n in numbers if n % 3]
    assert seen == [f"chat {number:04}" for number in expected]
    assert headings[:2] == ["Pinned", "Today"] or headings[:2] == ["Pinned", "Yesterday"]
    assert len(set(headings)) == len(headings)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_conversation_is_pinned_and_unpinned(
    headers: dict[str, str], browser: Client, conversation: Conversation
) -> None:
    path = f"/chat/{conversation.pk}/state/"
    browser.post(path, {"state": "pins"}, headers=headers)
    assert parts(sidebar(browser)) == ["Pinned"]
    assert "data-pinned" in sidebar(browser)
    options = browser.get(f"/chat/{conversation.pk}/options/").content.decode()
    assert "Unpin" in options
    assert ">Pin<" not in options
    browser.post(path, {"state": "list"}, headers=headers)
    assert parts(sidebar(browser)) == ["Today"]


def test_an_archived_conversation_is_in_the_archive_and_readable(
    browser: Client, conversation: Conversation
) -> None:
    address = post(browser, conversation, "state", state="archive")
    assert "What is water?" not in sidebar(browser)
    assert "Archived." in browser.get(address).content.decode()
    archive = browser.get("/chat/archive/").content.decode()
    assert "What is water?" in archive
    page = browser.get(f"/chat/{conversation.pk}/").content.decode()
    assert "What is water?" in page
    assert "This chat is archived." in page
    back = post(browser, conversation, "state", state="list", **{"from": "archive"})
    assert back == "/chat/archive/"
    assert "Chat unarchived." in browser.get(back).content.decode()
    assert "What is water?" in sidebar(browser)


def test_undoing_an_archival_restores_the_place_in_the_list(
    browser: Client, conversation: Conversation
) -> None:
    post(browser, conversation, "state", state="pins")
    address = post(browser, conversation, "state", state="archive")
    assert 'name="state" value="pins"' in browser.get(address).content.decode()


def test_an_archived_conversation_that_is_continued_returns_to_the_list(
    browser: Client, conversation: Conversation
) -> None:
    post(browser, conversation, "state", state="archive")
    conversation.refresh_from_db()
    post_question(conversation, "And ice?", None)
    assert "What is water?" in sidebar(browser)


def test_the_archive_is_paged(browser: Client, alice: User) -> None:
    Conversation.objects.bulk_create(
        Conversation(owner=alice, title=f"chat {n:03}", list_state=Conversation.ListState.ARCHIVED)
        for n in range(PAGE_LENGTH + 5)
    )
    first = browser.get("/chat/archive/")
    rest = browser.get("/chat/archive/", {"before": first.context["older"]})
    shown = [*first.context["conversations"], *rest.context["conversations"]]
    assert len({each.pk for each in shown}) == PAGE_LENGTH + 5


@pytest.mark.parametrize("place", ["", "attic", "2"])
def test_an_unknown_state_changes_nothing(
    browser: Client, conversation: Conversation, place: str
) -> None:
    response = browser.post(f"/chat/{conversation.pk}/state/", {"state": place})
    assert response.status_code == 400
    conversation.refresh_from_db()
    assert conversation.list_state == Conversation.ListState.LISTED


def test_a_deletion_can_be_undone_on_the_page_after_it(
    browser: Client, conversation: Conversation
) -> None:
    address = post(browser, conversation, "deletion")
    assert "What is water?" not in sidebar(browser)
    for _ in range(2):  # also after a reload
        page = browser.get(address).content.decode()
        assert "Deleted." in page
        assert f'action="/chat/{conversation.pk}/restoration/"' in page
    assert post(browser, conversation, "restoration") == f"/chat/{conversation.pk}/"
    assert "What is water?" in browser.get(f"/chat/{conversation.pk}/").content.decode()
    assert "Deleted." not in browser.get(address).content.decode()


def test_the_page_of_a_deleted_conversation_offers_to_undo(
    browser: Client, conversation: Conversation
) -> None:
    post(browser, conversation, "deletion")
    page = browser.get(f"/chat/{conversation.pk}/", headers=HTML)
    assert page.status_code == 404
    text = page.content.decode()
    assert "This chat has been deleted." in text
    assert f'action="/chat/{conversation.pk}/restoration/"' in text


def test_htmx_gets_a_toast_or_a_redirect_from_the_open_chat(
    browser: Client, conversation: Conversation
) -> None:
    path = f"/chat/{conversation.pk}/"
    elsewhere = HTMX | {"HX-Current-URL": "http://testserver/chat/"}
    toast = browser.post(f"{path}deletion/", headers=elsewhere)
    assert toast["HX-Trigger-After-Swap"] == "conversations"
    assert "Undo" in toast.content.decode()
    back = browser.post(f"{path}restoration/", headers=elsewhere)
    assert "Chat restored." in back.content.decode()
    here = HTMX | {"HX-Current-URL": f"http://testserver{path}?before=3"}
    away = browser.post(f"{path}deletion/", headers=here)
    assert away["HX-Redirect"] == f"/chat/?deleted={conversation.pk}"


def test_after_the_undo_period_nothing_can_be_restored(
    browser: Client, conversation: Conversation
) -> None:
    with override_settings(UNDO_SECONDS=0):
        address = post(browser, conversation, "deletion")
    assert browser.post(f"/chat/{conversation.pk}/restoration/").status_code == 404
    assert "restoration" not in browser.get(address).content.decode()
    page = browser.get(f"/chat/{conversation.pk}/", headers=HTML).content.decode()
    assert "Page not found" in page


def test_another_member_learns_nothing_of_a_deletion(
    browser: Client, conversation: Conversation, bob: User
) -> None:
    post(browser, conversation, "deletion")
    stranger = signed_in(bob)
    page = stranger.get(f"/chat/{conversation.pk}/", headers=HTML)
    assert "Page not found" in page.content.decode()
    assert stranger.post(f"/chat/{conversation.pk}/restoration/").status_code == 404
    query = {"deleted": str(conversation.pk), "archived": str(conversation.pk)}
    assert "restoration" not in stranger.get("/chat/", query).content.decode()


@pytest.mark.parametrize(
    "query", ["deleted=", "deleted=x", f"archived={uuid.UUID(int=1)}", "was=%00"]
)
def test_an_invalid_query_shows_no_toast(browser: Client, query: str) -> None:
    for path in ("/chat/", "/chat/archive/"):
        response = browser.get(f"{path}?{query}")
        assert response.status_code == 200
        assert 'class="toast" aria-label="Notice"><p' not in response.content.decode()


async def test_every_route_answers_404_as_soon_as_a_chat_is_deleted(
    alice_client: AsyncClient,
) -> None:
    asked = {"key": key(), "text": "Hello"}
    response = await alice_client.post(
        "/chat/messages", data=asked, content_type="application/json"
    )
    await read_stream(response)
    ids = {name: response[f"X-{name}-Id"] for name in ("Conversation", "Message", "Generation")}
    path, message = f"/chat/{ids['Conversation']}", f"messages/{ids['Message']}"
    assert (await alice_client.post(f"{path}/deletion/")).status_code == 302
    generation = f"/generations/{ids['Generation']}"
    for get in (f"{path}/", f"{path}/?before=1", f"{path}/title/", f"{path}/{message}"):
        assert (await alice_client.get(get)).status_code == 404, get
    assert (await alice_client.get(f"{generation}/stream")).status_code == 404
    for post in (f"{path}/title/", f"{path}/state/", f"{path}/deletion/"):
        assert (await alice_client.post(post)).status_code == 404, post
    assert (await alice_client.post(f"{generation}/cancellation")).status_code == 404
    rating = {"data": {"value": 1}, "content_type": "application/json"}
    assert (await alice_client.post(f"{path}/{message}/rating", **rating)).status_code == 404
    assert (await send(alice_client, ids["Conversation"], text="More")).status_code == 404
    again = await alice_client.post("/chat/messages", data=asked, content_type="application/json")
    assert again.status_code == 404
    found = (await alice_client.get("/chat/search/", {"q": "Hello"})).json()
    assert found == {"chats": [], "messages": []}
