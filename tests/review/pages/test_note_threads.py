"""Notes have replies, can be changed for ten minutes, and are resolved or not."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.models import StaffNote
from chat.review.staff_notices.models import StaffNotice
from tests.review.conftest import give, say
from tests.support.review.member_pages import with_reason

pytestmark = pytest.mark.usefixtures("stop_server_process")


@pytest.fixture
def chat(alice: User) -> Conversation:
    return say(alice, "Is the moon a planet?", "It is a moon.")


@pytest.fixture
def second(pupils: Group, transactional_db: None) -> User:
    ruth = User.objects.create_user("ruth@example.org", "tide table", name="Ruth")
    return give(ruth, "review", pupils)


def add_note(user: User, chat: Conversation, text: str = "Look at this") -> StaffNote:
    with_reason(user).post(f"/review/{chat.pk}/notes/", {"text": text})
    return StaffNote.objects.get(text=text)


def add_reply(user: User, note: StaffNote, text: str) -> StaffNote:
    with_reason(user).post(f"/review/notes/{note.pk}/replies/", {f"reply{note.pk}-text": text})
    return StaffNote.objects.get(text=text)


def notices() -> set[tuple[str, str]]:
    return set(StaffNotice.objects.values_list("person__name", "kind"))


def test_a_reply_tells_those_who_wrote_in_the_thread(
    chat: Conversation, reviewer: User, second: User, lead: User
) -> None:
    User.objects.filter(pk=reviewer.pk).update(name="Rita")
    note = add_note(reviewer, chat)
    first = add_reply(second, note, "I see")
    assert first.thread == note.pk
    assert notices() == {("Rita", "replied")}
    StaffNotice.objects.all().delete()
    other = add_reply(lead, first, "So do I, @Ruth")  # to the reply, so in the same thread
    assert other.thread == note.pk
    assert notices() == {("Rita", "replied"), ("Ruth", "mentioned")}
    page = with_reason(reviewer).get(f"/review/{chat.pk}/").content.decode()
    assert page.index("Look at this") < page.index("I see") < page.index("So do I")


def test_who_may_no_longer_read_the_chat_is_not_told(
    chat: Conversation, reviewer: User, second: User
) -> None:
    note = add_note(reviewer, chat)
    reviewer.user_permissions.clear()
    add_reply(second, note, "I see")
    assert notices() == set()


def test_nobody_replies_to_notes_on_chats_out_of_their_scope(
    chat: Conversation, reviewer: User, bob: User
) -> None:
    note = add_note(reviewer, chat)
    stranger = with_reason(give(bob, "review", Group.objects.create(name="Choir")))
    for path in ("replies", "text", "resolution"):
        sent = {f"reply{note.pk}-text": "x", f"edit{note.pk}-text": "x"}
        assert stranger.post(f"/review/notes/{note.pk}/{path}/", sent).status_code == 404
    assert StaffNote.objects.count() == 1


def test_a_note_can_be_changed_by_its_author_for_ten_minutes(
    chat: Conversation, reviewer: User, second: User
) -> None:
    note = add_note(reviewer, chat, "Look, @Ruth")
    place, field = f"/review/notes/{note.pk}/text/", f"edit{note.pk}-text"
    assert with_reason(second).post(place, {field: "Mine now"}).status_code == 404
    StaffNotice.objects.all().delete()
    rita = with_reason(reviewer)
    assert rita.post(place, {field: "Look here, @Ruth"}).status_code == 302
    assert notices() == set()  # she was told before
    note.refresh_from_db()
    assert note.text == "Look here, @Ruth"
    assert "edited" in rita.get(f"/review/{chat.pk}/").content.decode()
    StaffNote.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    late = rita.post(place, {field: "Too late to say this"})
    assert late.status_code == 409
    note.refresh_from_db()
    assert note.text == "Look here, @Ruth"
    assert f'name="{field}"' not in rita.get(f"/review/{chat.pk}/").content.decode()


def test_a_change_tells_whom_it_names_anew(
    chat: Conversation, reviewer: User, second: User
) -> None:
    note = add_note(reviewer, chat)
    place = f"/review/notes/{note.pk}/text/"
    with_reason(reviewer).post(place, {f"edit{note.pk}-text": "Look at this, @Ruth"})
    assert notices() == {("Ruth", "mentioned")}


def test_a_thread_is_resolved_and_opened_again(
    chat: Conversation, reviewer: User, second: User
) -> None:
    note = add_note(reviewer, chat)
    reply = add_reply(second, note, "Done")
    ruth = with_reason(second)
    ruth.post(f"/review/notes/{reply.pk}/resolution/")
    note.refresh_from_db()
    assert note.resolved_by == second
    assert "Resolved by <bdi>Ruth</bdi>" in ruth.get(f"/review/{chat.pk}/").content.decode()
    ruth.post(f"/review/notes/{note.pk}/resolution/", {"undo": "1"})
    note.refresh_from_db()
    assert note.resolved_at is None


def test_replies_stay_when_the_first_note_is_deleted(
    chat: Conversation, reviewer: User, second: User
) -> None:
    note = add_note(reviewer, chat)
    add_reply(second, note, "I see")
    rita = with_reason(reviewer)
    rita.post(f"/review/notes/{note.pk}/deletion/")
    page = rita.get(f"/review/{chat.pk}/").content.decode()
    assert "This note was deleted." in page
    assert "I see" in page
    reply = StaffNote.objects.get()
    add_reply(reviewer, reply, "Still here")
    assert StaffNote.objects.get(text="Still here").thread == note.pk


def test_a_reply_that_is_too_long_is_kept_in_its_field(chat: Conversation, reviewer: User) -> None:
    note = add_note(reviewer, chat)
    sent = {f"reply{note.pk}-text": "y" * 4001}
    refused = with_reason(reviewer).post(f"/review/notes/{note.pk}/replies/", sent)
    assert refused.status_code == 422
    assert "y" * 4001 in refused.content.decode()
