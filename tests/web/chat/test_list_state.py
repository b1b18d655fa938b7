"""Pinned, archived, deleted, brought back: where a conversation is found, and where it is not."""

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
def browser(alice: User) -> Client:
    return signed_in(alice)


@pytest.fixture
def conversation(alice: User) -> Conversation:
    conversation = start_conversation(alice.pk)
    add_answer(post_question(conversation, "What is water?", None))
    return conversation


def post(browser: Client, conversation: Conversation, noun: str, /, **fields: str) -> str:
    """Posts a plain form; the address that it leads to."""
    response = browser.post(f"/chat/{conversation.pk}/{noun}/", fields)
    assert response.status_code == 302
    return response["Location"]


def sidebar(browser: Client) -> str:
    return browser.get("/chat/sidebar/").content.decode()


def test_pinned_ones_stand_first_page_after_page(browser: Client, alice: User) -> None:
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
def test_pinning_and_unpinning(
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


def test_an_archived_one_is_on_its_own_page_and_can_still_be_read(
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


def test_undoing_an_archiving_puts_it_where_it_was(
    browser: Client, conversation: Conversation
) -> None:
    post(browser, conversation, "state", state="pins")
    address = post(browser, conversation, "state", state="archive")
    assert 'name="state" value="pins"' in browser.get(address).content.decode()


def test_an_archived_one_that_goes_on_is_back_in_the_list(
    browser: Client, conversation: Conversation
) -> None:
    post(browser, conversation, "state", state="archive")
    conversation.refresh_from_db()
    post_question(conversation, "And ice?", None)
    assert "What is water?" in sidebar(browser)


def test_the_archive_comes_page_by_page(browser: Client, alice: User) -> None:
    Conversation.objects.bulk_create(
        Conversation(owner=alice, title=f"chat {n:03}", list_state=Conversation.ListState.ARCHIVED)
        for n in range(PAGE_LENGTH + 5)
    )
    first = browser.get("/chat/archive/")
    rest = browser.get("/chat/archive/", {"before": first.context["older"]})
    shown = [*first.context["conversations"], *rest.context["conversations"]]
    assert len({each.pk for each in shown}) == PAGE_LENGTH + 5


@pytest.mark.parametrize("place", ["", "attic", "2"])
def test_a_place_that_there_is_not_changes_nothing(
    browser: Client, conversation: Conversation, place: str
) -> None:
    response = browser.post(f"/chat/{conversation.pk}/state/", {"state": place})
    assert response.status_code == 400
    conversation.refresh_from_db()
    assert conversation.list_state == Conversation.ListState.LISTED


def test_a_deleted_one_can_be_brought_back_from_the_page_one_is_led_to(
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


def test_its_own_page_says_that_it_is_deleted_and_offers_to_undo_it(
    browser: Client, conversation: Conversation
) -> None:
    post(browser, conversation, "deletion")
    page = browser.get(f"/chat/{conversation.pk}/", headers=HTML)
    assert page.status_code == 404
    text = page.content.decode()
    assert "This chat has been deleted." in text
    assert f'action="/chat/{conversation.pk}/restoration/"' in text


def test_with_htmx_the_answer_is_a_toast_or_the_way_out_of_the_open_chat(
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


def test_once_the_time_is_over_nothing_brings_it_back(
    browser: Client, conversation: Conversation
) -> None:
    with override_settings(UNDO_SECONDS=0):
        address = post(browser, conversation, "deletion")
    assert browser.post(f"/chat/{conversation.pk}/restoration/").status_code == 404
    assert "restoration" not in browser.get(address).content.decode()
    page = browser.get(f"/chat/{conversation.pk}/", headers=HTML).content.decode()
    assert "Page not found" in page


def test_a_stranger_learns_nothing_of_a_deletion(
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
def test_an_address_with_nonsense_is_the_plain_page(browser: Client, query: str) -> None:
    for path in ("/chat/", "/chat/archive/"):
        response = browser.get(f"{path}?{query}")
        assert response.status_code == 200
        assert 'class="toast" aria-label="Notice"><p' not in response.content.decode()


async def test_every_route_says_404_from_the_moment_of_deletion(alice_client: AsyncClient) -> None:
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
