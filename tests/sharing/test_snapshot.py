"""A shared link shows a copy with the chosen details, which later changes do not affect."""

from dataclasses import replace
from datetime import timedelta
from html import unescape

import msgspec
import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations import turns
from chat.conversations.models import Conversation, Message
from chat.errors import CannotShare, NotFound
from chat.generations.models import Generation
from chat.sharing.links import Choices, make, revoke, update
from chat.sharing.models import SharedLink
from tests.sharing.conftest import ALL, ask, page_of
from tests.support.generations.drawn_images import plant_drawn_image

pytestmark = pytest.mark.django_db


def test_the_page_shows_questions_answers_and_the_title(link: SharedLink) -> None:
    page = page_of(link)
    for words in ("What is water?", "It is **wet**.", "And ice?", "It is hard."):
        assert words in page
    assert "Shared chat – What is water?" in " ".join(page.split())


def test_the_page_shows_only_the_chosen_details(alice: User, conversation: Conversation) -> None:
    silent, telling = make(conversation, Choices()), make(conversation, ALL)
    for secret in ("Alice", "Thought-Sentinel", "GPT-OSS"):
        assert secret not in page_of(silent)
        assert secret not in str(silent.turns)
        assert secret in page_of(telling)
    for link in (silent, telling):
        page = page_of(link)
        hidden = [
            alice.email,
            "alice@",
            str(conversation.pk),
            str(link.pk),
            "data-member",
            "data-turn",
            f"{link.created_at:%H:%M}",
        ]
        hidden += [f'"{pk}"' for pk in conversation.messages.values_list("pk", flat=True)]
        assert [each for each in hidden if each in page] == []


def test_a_snapshot_contains_only_fields_for_shared_readers(
    conversation: Conversation,
) -> None:
    link = make(conversation, ALL)
    shown = Client().get(f"/s/{link.token}/", headers={"Accept": "text/html"}).context["turns"]
    allowed = {"role", "text", "reasoning", "state", "model"}
    assert {name for turn in shown for name in msgspec.to_builtins(turn)} == allowed


def test_later_changes_do_not_affect_the_snapshot(
    alice: User, conversation: Conversation, link: SharedLink
) -> None:
    before = page_of(link)
    ask(conversation, "Later-Question", "Later-Answer")
    first = conversation.messages.order_by("id")[0]
    edited = turns.post_question(conversation, "Edited-Question", None)
    Message.objects.filter(pk=turns.add_answer(edited).pk).update(text="Edited-Answer")
    conversation.messages.filter(pk=first.pk).update(text="Changed-Question")
    conversation.messages.filter(role="assistant").update(text="Changed", reasoning="Changed")
    turns.rename(conversation, "Renamed")
    User.objects.filter(pk=alice.pk).update(name="Married")
    Generation.objects.all().delete()
    conversation.messages.filter(children=None).delete()
    assert page_of(link) == before


def test_only_the_branch_used_last_is_shared(conversation: Conversation) -> None:
    question = conversation.messages.filter(role="user").last()
    assert question
    again = turns.add_answer(question)
    Message.objects.filter(pk=again.pk).update(text="It floats.")
    page = page_of(make(conversation, Choices()))
    assert "It floats." in page
    assert "It is hard." not in page


def test_the_branch_on_the_page_is_shared_even_if_another_is_newer(
    browser: Client, conversation: Conversation
) -> None:
    seen = conversation.messages.last()
    assert seen
    ask(conversation, "Later-Question", "Later-Answer")
    browser.post(f"/chat/{conversation.pk}/sharing/", {"last": seen.pk})
    assert "Later" not in page_of(SharedLink.objects.get())


def test_a_running_answer_is_not_shared(conversation: Conversation) -> None:
    ask(conversation, "Running-Question", "half an ans", state="running")
    assert "Running-Question" not in page_of(make(conversation, Choices()))


def test_the_outcome_of_an_answer_is_shown(conversation: Conversation) -> None:
    ask(conversation, "One?", "On", state="stopped")
    ask(conversation, "Two?", "", state="failed")
    ask(conversation, "Three?", "Thr", state="interrupted")
    page = page_of(make(conversation, Choices()))
    assert (
        page.index("Stopped.")
        < page.index("No answer was received.")
        < page.index("was interrupted")
    )


def test_a_chat_without_an_answer_has_nothing_to_share(alice: User, browser: Client) -> None:
    empty = turns.start_conversation(alice.pk)
    ask(empty, "Anybody?", "", state="failed")
    with pytest.raises(CannotShare):
        make(empty, Choices())
    page = browser.get(f"/chat/{empty.pk}/sharing/").content.decode()
    assert "There's no answer to share yet." in unescape(page)
    assert "Create link" not in page


def test_an_updated_link_shows_the_current_chat(
    browser: Client, conversation: Conversation, link: SharedLink
) -> None:
    ask(conversation, "Later-Question", "Later-Answer")
    turns.rename(conversation, "Renamed")
    assert "Later-Answer" not in page_of(link)
    done = browser.post(f"/shared/{link.pk}/update/", follow=True)
    assert "The link shows the chat as it is now." in done.content.decode()
    page = page_of(link)
    assert "Later-Answer" in page
    assert "Shared chat – Renamed" in " ".join(page.split())
    assert SharedLink.objects.count() == 1


def test_an_updated_link_shows_no_images_of_what_was_deleted(
    conversation: Conversation,
) -> None:
    last = conversation.messages.filter(role="assistant").order_by("pk").last()
    assert last
    image = plant_drawn_image(last)
    link = make(conversation, Choices())
    address = f"/s/{link.token}/images/{image.digest}"
    assert Client().get(address).status_code == 200
    conversation.messages.filter(pk=last.pk).update(deleted_at=timezone.now())
    update(link)
    assert Client().get(address).status_code == 404
    assert not link.images.exists()


def test_a_link_that_was_revoked_meanwhile_is_not_updated(link: SharedLink) -> None:
    stale = SharedLink.objects.get(pk=link.pk)
    revoke(link)
    with pytest.raises(NotFound):
        update(stale)
    assert not SharedLink.objects.exists()


def test_an_updated_link_has_the_same_details_and_lifetime(conversation: Conversation) -> None:
    link = make(conversation, replace(ALL, lifetime=timedelta(days=7)))
    SharedLink.objects.filter(pk=link.pk).update(
        created_at=F("created_at") - timedelta(days=9),
        expires_at=F("expires_at") - timedelta(days=9),
    )
    link.refresh_from_db()
    assert link.is_expired
    update(link)
    link.refresh_from_db()
    assert (link.author, link.has_models, link.has_reasoning) == ("Alice", True, True)
    assert (link.lifetime, link.is_expired) == (timedelta(days=7), False)
    assert "Thought-Sentinel" in page_of(link)


def test_a_chat_that_is_too_long_is_refused_with_the_reason(
    browser: Client, conversation: Conversation, settings: object
) -> None:
    last = conversation.messages.last()
    assert last
    for name, most in (("SHARED_MESSAGES_LIMIT", 3), ("SHARED_CHARACTERS_LIMIT", 30)):
        setattr(settings, name, most)
        response = browser.post(f"/chat/{conversation.pk}/sharing/", {"last": last.pk})
        assert response.status_code == 422
        assert f"limit is {most}" in response.content.decode()
        setattr(settings, name, 1000)
    assert not SharedLink.objects.exists()


def test_the_number_of_links_is_limited(
    browser: Client, conversation: Conversation, link: SharedLink, settings: object
) -> None:
    settings.SHARED_LINKS_LIMIT = 1  # type: ignore[attr-defined]
    last = conversation.messages.last()
    assert last
    response = browser.post(f"/chat/{conversation.pk}/sharing/", {"last": last.pk})
    assert response.status_code == 422
    assert "Revoke one" in response.content.decode()
    updated = browser.post(f"/shared/{link.pk}/update/", follow=True)
    assert "Revoke one" not in updated.content.decode()
    assert SharedLink.objects.count() == 1
    browser.post(f"/shared/{link.pk}/revocation/")
    browser.post(f"/chat/{conversation.pk}/sharing/", {"last": last.pk})
    assert SharedLink.objects.count() == 1
