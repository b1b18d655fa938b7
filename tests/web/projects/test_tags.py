"""Tags: create, rename and delete them, give them to chats, and filter the list by them."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.projects.models import MAX_TAGS, ChatTag
from tests.support.web.personas import page

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def work(alice: User) -> ChatTag:
    return ChatTag.objects.create(owner=alice, name="Work", folded_name="work", color="red")


@pytest.fixture
def chat(alice: User) -> Conversation:
    return Conversation.objects.create(owner=alice, title="Of water")


def test_a_tag_is_created_renamed_and_deleted(browser: Client, chat: Conversation) -> None:
    assert browser.post("/tags/", {"name": "Straße", "color": "blue"}).status_code == 302
    tag = ChatTag.objects.get()
    chat.tags.add(tag)
    assert "Straße" in page(browser, "/tags/")
    browser.post(f"/tags/{tag.pk}/", {"name": "STRASSE", "color": ""})  # the same name
    tag.refresh_from_db()
    assert (tag.name, tag.color) == ("STRASSE", "")
    assert "The chats are kept." in page(browser, f"/tags/{tag.pk}/deletion/")
    browser.post(f"/tags/{tag.pk}/deletion/")
    assert not ChatTag.objects.exists()
    assert Conversation.objects.count() == 1


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"name": "x" * 41}, {"name": "WORK"}, {"name": "x", "color": "beige"}]
)
def test_an_invalid_tag_is_refused(browser: Client, work: ChatTag, wrong: dict[str, str]) -> None:
    assert browser.post("/tags/", wrong).status_code == 422
    assert list(ChatTag.objects.all()) == [work]


def test_the_number_of_tags_is_limited(browser: Client, alice: User) -> None:
    ChatTag.objects.bulk_create(
        ChatTag(owner=alice, name=str(n), folded_name=str(n)) for n in range(MAX_TAGS)
    )
    assert browser.post("/tags/", {"name": "One more"}).status_code == 422


def test_a_chat_is_given_tags_and_a_new_one(
    browser: Client, chat: Conversation, work: ChatTag
) -> None:
    path = f"/chat/{chat.pk}/tags/"
    assert "checked" not in browser.get(path, headers=HTMX).content.decode()
    done = browser.post(path, {"tag": str(work.pk), "name": "Later"}, headers=HTMX)
    assert "Tags saved." in done.content.decode()
    assert {each.name for each in chat.tags.all()} == {"Work", "Later"}
    assert browser.get(path, headers=HTMX).content.decode().count("checked") == 2
    browser.post(path, {}, headers=HTMX)
    assert not chat.tags.exists()


def test_a_refused_new_tag_leaves_the_chats_tags_and_the_form_as_they_are(
    browser: Client, chat: Conversation, work: ChatTag
) -> None:
    response = browser.post(f"/chat/{chat.pk}/tags/", {"name": "work"}, headers=HTMX)
    assert response.status_code == 422
    assert "You already have a tag with this name." in response.content.decode()
    assert not chat.tags.exists()


def test_somebody_elses_tag_is_not_found(browser: Client, bob: User, chat: Conversation) -> None:
    his = ChatTag.objects.create(owner=bob, name="His", folded_name="his")
    assert browser.post(f"/chat/{chat.pk}/tags/", {"tag": str(his.pk)}).status_code == 404
    assert "His" not in page(browser, "/tags/")
    assert "His" not in page(browser, f"/chat/sidebar/?tag={his.pk}")


def test_the_list_is_filtered_by_a_tag_and_stays_so(
    browser: Client,
    alice: User,
    work: ChatTag,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(60):
        one = Conversation.objects.create(owner=alice, title=f"Chat {number}")
        one.tags.add(work)
    other = Conversation.objects.create(owner=alice, title="Untagged")
    path = f"/chat/sidebar/?tag={work.pk}"
    page(browser, path)
    with django_assert_max_num_queries(4):
        html = page(browser, path)
    assert html.count('class="entry"') == 50
    assert str(other.pk) not in html
    assert f'?tag={work.pk}"' in html  # the chats' own links, and the list's
    assert f"?tag={work.pk}&amp;before=" in html
    assert "Show all chats" in html
    whole = page(browser, f"/chat/?tag={work.pk}")
    assert str(other.pk) not in whole


def test_a_deleted_tag_filters_nothing(browser: Client, chat: Conversation, work: ChatTag) -> None:
    work_id = work.pk
    work.delete()
    for wrong in (work_id, "nonsense"):
        assert str(chat.pk) in page(browser, f"/chat/sidebar/?tag={wrong}")
