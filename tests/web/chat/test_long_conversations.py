"""A long conversation is loaded in parts: its end first, earlier turns on request."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.conversations.turns import start_conversation

pytestmark = pytest.mark.django_db
TURNS = 260
JSON = {"Accept": "application/json"}


def long_conversation(user_id: int, turns: int = TURNS) -> Conversation:
    """Create a conversation with so many turns on one branch."""
    conversation = start_conversation(user_id)
    parent = None
    for number in range(turns):
        role = Message.Role.ASSISTANT if number % 2 else Message.Role.USER
        text = f"turn {number}."
        parent = conversation.messages.create(parent=parent, role=role, text=text)
    return conversation


@pytest.fixture
def conversation(alice: User) -> Conversation:
    return long_conversation(alice.pk)


def part(browser: Client, conversation: Conversation, before: Any = None) -> Any:
    query = "" if before is None else f"?before={before}"
    return browser.get(f"/chat/{conversation.pk}/{query}", headers=JSON)


def test_all_parts_together_are_the_whole_conversation(
    browser: Client, conversation: Conversation
) -> None:
    found: list[dict[str, Any]] = []
    before, has_earlier = None, True
    while has_earlier:
        answer = part(browser, conversation, before).json()
        assert answer["turns"][0]["role"] == "user"
        found = answer["turns"] + found
        before, has_earlier = answer["turns"][0]["id"], answer["has_earlier"]
    assert [turn["text"] for turn in found] == [f"turn {n}." for n in range(TURNS)]


def test_the_part_before_a_branch_is_the_path_to_it(
    browser: Client, conversation: Conversation
) -> None:
    sixth = conversation.messages.get(text="turn 5.")
    branch = conversation.messages.create(parent=sixth, role="user", text="elsewhere")
    texts = [turn["text"] for turn in part(browser, conversation, branch.pk).json()["turns"]]
    assert texts == [f"turn {n}." for n in range(6)]


def test_without_scripts_links_lead_to_earlier_parts(
    browser: Client, conversation: Conversation
) -> None:
    path = f"/chat/{conversation.pk}/"
    page = browser.get(path).content.decode()
    assert f"turn {TURNS - 1}." in page
    assert "turn 0." not in page
    while link := re.search(r'href="([^"]*\?before=\d+)"', page):
        page = browser.get(link[1]).content.decode()
        assert 'id="composer"' not in page
    assert "turn 0." in page


@pytest.mark.parametrize("before", ["x", "-1", "", "9" * 30, "1.5"])
def test_a_position_that_is_not_a_number_is_refused(
    before: str, browser: Client, conversation: Conversation
) -> None:
    assert part(browser, conversation, before).status_code == 400


def test_a_message_of_another_conversation_is_refused(
    browser: Client, conversation: Conversation, bob: User
) -> None:
    foreign = long_conversation(bob.pk, 2).messages.first()
    assert foreign
    assert part(browser, conversation, foreign.pk).status_code == 404


def at(browser: Client, conversation: Conversation, message: Any) -> Any:
    return browser.get(f"/chat/{conversation.pk}/?at={message.pk}", headers=JSON).json()


def test_a_part_around_a_message_reaches_from_it_to_the_end(
    browser: Client, conversation: Conversation
) -> None:
    answer = at(browser, conversation, conversation.messages.get(text="turn 51."))
    expected = [f"turn {n}." for n in range(50, TURNS)]
    assert [turn["text"] for turn in answer["turns"]] == expected
    assert answer["has_earlier"]
    late = at(browser, conversation, conversation.messages.get(text=f"turn {TURNS - 2}."))
    assert late == part(browser, conversation).json()


def test_a_message_on_another_branch_is_shown_on_its_newest_branch(
    browser: Client, conversation: Conversation
) -> None:
    sixth = conversation.messages.get(text="turn 5.")
    branch = conversation.messages.create(parent=sixth, role="user", text="elsewhere")
    for text in ("one answer", "another answer"):
        answer = conversation.messages.create(parent=branch, role="assistant", text=text)
    conversation.messages.create(parent=answer, role="user", text="and on")
    conversation.messages.create(
        parent=conversation.messages.get(text=f"turn {TURNS - 1}."), role="user", text="last said"
    )
    texts = [turn["text"] for turn in at(browser, conversation, branch)["turns"]]
    assert texts[5:] == ["turn 5.", "elsewhere", "another answer", "and on"]
    one = conversation.messages.get(text="one answer")
    texts = [turn["text"] for turn in at(browser, conversation, one)["turns"]]
    assert texts[5:] == ["turn 5.", "elsewhere", "one answer"]


def test_a_part_never_has_messages_of_others(
    browser: Client, conversation: Conversation, bob: User
) -> None:
    foreign = long_conversation(bob.pk, 2).messages.first()
    assert foreign
    for query in (f"at={foreign.pk}", "at=", "at=x"):
        response = browser.get(f"/chat/{conversation.pk}/?{query}", headers=JSON)
        assert response.status_code in {400, 404}


def test_a_page_of_a_long_conversation_takes_few_queries(
    browser: Client,
    conversation: Conversation,
    django_assert_max_num_queries: Callable[[int], AbstractContextManager[Any]],
) -> None:
    with django_assert_max_num_queries(17):
        part(browser, conversation)
