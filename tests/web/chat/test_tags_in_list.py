"""The rows of the list show the tags of their chats."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.projects.models import ChatTag
from tests.support.web.personas import page

pytestmark = pytest.mark.django_db

LABEL = re.compile(r'class="entry-tags" role="img" aria-label="([^"]*)">(.*?)</span></a>')
SHOWN = re.compile(r'data-color="(\w*)">(.*?)</bdi>')


@pytest.fixture
def chat(alice: User) -> Conversation:
    return Conversation.objects.create(owner=alice, title="Of water")


def add_tags(chat: Conversation, **colors: str) -> None:
    chat.tags.add(
        *(
            ChatTag.objects.create(
                owner=chat.owner, name=name, folded_name=ChatTag.fold(name), color=color
            )
            for name, color in colors.items()
        )
    )


@pytest.mark.parametrize("path", ["/chat/", "/chat/sidebar/", "/chat/sidebar/?count=60"])
def test_two_tags_are_shown_by_name_and_the_others_counted(
    browser: Client, chat: Conversation, path: str
) -> None:
    add_tags(chat, work="blue", Later="", Family="green", travel="")
    [(label, shown)] = LABEL.findall(page(browser, path))
    assert label == "Tags: Family, Later, travel, work"
    assert SHOWN.findall(shown) == [("green", "Family"), ("", "Later")]
    assert ">+2</span>" in shown


def test_the_row_of_a_chat_without_tags_is_as_short_as_before(
    browser: Client, chat: Conversation
) -> None:
    row = f'<li class="entry"><a href="/chat/{chat.pk}/"><bdi>Of water</bdi></a></li>'
    assert row in page(browser, "/chat/sidebar/")
    add_tags(chat, Work="blue")
    html = page(browser, "/chat/sidebar/")
    assert row not in html
    assert "+" not in LABEL.findall(html)[0][1]


def test_names_of_tags_are_escaped(browser: Client, chat: Conversation) -> None:
    add_tags(chat, **{'<b>&"x': ""})
    [(label, shown)] = LABEL.findall(page(browser, "/chat/sidebar/"))
    assert label == "Tags: &lt;b&gt;&amp;&quot;x"
    assert SHOWN.findall(shown) == [("", "&lt;b&gt;&amp;&quot;x")]


def test_the_filtered_list_shows_the_other_tags_too(browser: Client, chat: Conversation) -> None:
    add_tags(chat, Family="", Work="")
    work = ChatTag.objects.get(name="Work")
    [(label, _shown)] = LABEL.findall(page(browser, f"/chat/sidebar/?tag={work.pk}"))
    assert label == "Tags: Family, Work"


def test_a_change_of_the_tags_changes_the_list(browser: Client, chat: Conversation) -> None:
    known = {"If-None-Match": browser.get("/chat/sidebar/")["ETag"]}
    done = browser.post(f"/chat/{chat.pk}/tags/", {"name": "Work"}, headers={"HX-Request": "true"})
    assert done["HX-Trigger-After-Swap"] == "conversations"  # the page asks for the list again
    assert "Tags: Work" in browser.get("/chat/sidebar/", headers=known).content.decode()


def test_a_renamed_chat_keeps_its_tags_in_the_list(browser: Client, chat: Conversation) -> None:
    add_tags(chat, Work="blue")
    path = f"/chat/{chat.pk}/title/"
    row = browser.post(
        path, {"title": "Of rivers"}, headers={"HX-Request": "true"}
    ).content.decode()
    assert "<bdi>Of rivers</bdi>" in row
    assert [label for label, _shown in LABEL.findall(row)] == ["Tags: Work"]


def test_tags_of_many_chats_take_no_more_queries(
    browser: Client, alice: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(5):
        one = Conversation.objects.create(owner=alice, title=f"Chat {number}")
        add_tags(one, **{f"first {number}": "red", f"second {number}": ""})
    page(browser, "/chat/sidebar/")
    for path in ("/chat/sidebar/", "/chat/sidebar/?count=60"):
        with django_assert_max_num_queries(3):  # session, member, list
            assert len(LABEL.findall(page(browser, path))) == 5
