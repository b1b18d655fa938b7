"""Imported messages are marked for other readers, because they may be made up."""

import pytest
from django.contrib.auth.models import Group

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.sharing.continue_chat import copy_shared_chat
from chat.sharing.links import Choices, make
from tests.import_export.trees import exported, imported
from tests.review.conftest import give
from tests.sharing.conftest import ask, page_of
from tests.support.database.bulk_steps import run_steps
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db(transaction=True)
MARK = "Imported. The author isn't verified."


@pytest.fixture
def brought(alice: User, bob: User, conversation: Conversation) -> Conversation:
    """Import alice's chat as bob, and continue it."""
    assert imported(bob, exported(conversation)) == 1
    found = Conversation.objects.get(owner=bob)
    ask(found, "Is that so?", "It is.")
    return found


def test_imported_messages_are_marked_in_a_shared_link(
    conversation: Conversation, brought: Conversation
) -> None:
    page = page_of(make(brought, Choices()))
    assert page.count(MARK) == 4  # two questions, two answers; not the third
    assert MARK not in page_of(make(conversation, Choices()))


def test_the_mark_is_kept_in_a_continued_chat(alice: User, brought: Conversation) -> None:
    own = run_steps(copy_shared_chat(make(brought, Choices()), alice.pk))
    assert page_of(make(own, Choices())).count(MARK) == 4


def test_reviewers_see_the_mark(bob: User, rita: User, brought: Conversation) -> None:
    group = Group.objects.create(name="Staff of the shop")
    bob.groups.add(group)
    client = signed_in(give(rita, "review", group))
    client.post("/review/reason/", {"reason": "A report of today", "next": "/review/"})
    page = client.get(f"/review/{brought.pk}/").content.decode()
    assert page.count("Imported from a file. The author isn't verified.") == 4
