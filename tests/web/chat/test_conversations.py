"""Conversation pages, and renaming."""

import pytest
from django.test import Client

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.conversations.turns import add_answer, post_question, start_conversation, title_from

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def conversation(alice: User) -> Conversation:
    conversation = start_conversation(alice.pk)
    question = post_question(conversation, "What is <b>water</b>?", None)
    answer = add_answer(question)
    Message.objects.filter(pk=answer.pk).update(text="<script>alert(1)</script> & wet")
    return conversation


def test_a_stored_conversation_is_readable_without_scripts(
    browser: Client, conversation: Conversation
) -> None:
    page = browser.get(f"/chat/{conversation.pk}/").content.decode()
    assert "What is &lt;b&gt;water&lt;/b&gt;?" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; wet" in page
    assert "<script>alert(1)" not in page


def test_only_the_branch_used_last_is_shown(browser: Client, conversation: Conversation) -> None:
    first = conversation.messages.get(role="user")
    second = add_answer(first)
    Message.objects.filter(pk=second.pk).update(text="a second answer")
    page = browser.get(f"/chat/{conversation.pk}/").content.decode()
    assert "a second answer" in page
    assert "&amp; wet" not in page


def test_the_sidebar_lists_the_newest_first(browser: Client, alice: User, bob: User) -> None:
    for text in ("oldest", "newer", "newest"):
        post_question(start_conversation(alice.pk), text, None)
    post_question(start_conversation(bob.pk), "bob's own", None)
    page = browser.get("/chat/sidebar/").content.decode()
    assert page.index("newest") < page.index("newer") < page.index("oldest")
    assert "bob's own" not in page


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_conversation_is_renamed(
    headers: dict[str, str], browser: Client, conversation: Conversation
) -> None:
    path = f"/chat/{conversation.pk}/title/"
    assert "What is" in browser.get(path).content.decode()
    browser.post(path, {"title": "  Rivers \n & lakes  "}, headers=headers)
    conversation.refresh_from_db()
    assert conversation.title == "Rivers & lakes"


def test_an_empty_or_very_long_title_is_tolerated(
    browser: Client, conversation: Conversation
) -> None:
    path = f"/chat/{conversation.pk}/title/"
    browser.post(path, {"title": "   "})
    conversation.refresh_from_db()
    assert conversation.title == "What is <b>water</b>?"
    browser.post(path, {"title": "x" * 5000})
    conversation.refresh_from_db()
    assert len(conversation.title) == 120


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Short", "Short"),
        ("\n\n  First   line \nsecond", "First line"),
        ("word " * 40, " ".join(["word"] * 12) + "…"),
        ("x" * 100, "x" * 60 + "…"),
        ("", ""),
    ],
)
def test_the_first_question_becomes_the_title(text: str, title: str) -> None:
    assert title_from(text) == title
