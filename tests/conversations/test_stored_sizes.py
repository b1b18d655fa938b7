"""The stored size of a chat is that of all it has, whatever is done to it."""

import json
import uuid
from collections.abc import Callable
from contextlib import suppress
from itertools import count

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations import branches, redaction
from chat.conversations.models import Conversation, Message
from chat.conversations.sizes.counted import (
    ATTEMPT_BYTES,
    CALL_BYTES,
    MESSAGE_BYTES,
    SOURCE_BYTES,
)
from chat.conversations.sizes.triggers import recount
from chat.conversations.sources import sources
from chat.conversations.sources.models import MessageSources
from chat.conversations.summaries import summaries
from chat.conversations.summaries.models import ChatSummary
from chat.conversations.summaries.summaries import Claim
from chat.conversations.tool_calls import calls
from chat.conversations.tool_calls.models import StoredToolCall
from chat.errors import CannotShare
from chat.generations.deletion import turn_deletion
from chat.generations.deletion.soft_delete import delete, delete_account
from chat.generations.models import Generation
from chat.generations.send.tool_outcomes import fail_call, store_call
from chat.knowledge.given import GivenPassage
from chat.sharing import continue_chat, links
from tests.import_export.trees import exported, imported
from tests.support.database.bulk_steps import run_steps
from tests.support.generations.purge import sweep
from tests.support.variants import examples

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
numbers = count(1)


def bytes_of(*texts: str) -> int:
    return sum(len(each.encode()) for each in texts)


def real_sizes() -> dict[uuid.UUID, int]:
    """Add up what all chats have, in the simplest way."""
    sizes = dict.fromkeys(Conversation.all_objects.values_list("pk", flat=True), 0)
    for each in Message.objects.all():
        attempts = max(0, each.generations.count() - 1) * ATTEMPT_BYTES
        sizes[each.conversation_id] += (
            bytes_of(each.text, each.reasoning) + MESSAGE_BYTES + attempts
        )
    for call in StoredToolCall.objects.select_related("message"):
        size = bytes_of(call.arguments, call.result, call.refusal) + CALL_BYTES
        sizes[call.message.conversation_id] += size
    for row in MessageSources.objects.select_related("message"):
        for passage in row.passages:
            size = bytes_of(passage["name"], passage.get("address", "")) + SOURCE_BYTES
            sizes[row.message.conversation_id] += size
    for summary in ChatSummary.objects.all():
        sizes[summary.conversation_id] += bytes_of(summary.text)
    return sizes


def kept_sizes() -> dict[uuid.UUID, int]:
    return dict(Conversation.all_objects.values_list("pk", "stored_bytes"))


class Chats:
    """Chats of one member, whose last one is changed, and what may be done to it."""

    def __init__(self, owner: User) -> None:
        self.owner = owner
        self.start("")

    @property
    def last(self) -> Message:
        return self.chat.messages.filter(deleted_at=None).last() or self.say("Hm")

    @property
    def answer(self) -> Message:
        return self.chat.messages.filter(role="assistant", deleted_at=None).last() or self.reply("")

    def start(self, text: str) -> None:
        self.chat = Conversation.objects.create(owner=self.owner, title=text)

    def say(self, text: str) -> Message:
        last = self.chat.messages.filter(deleted_at=None).last()
        return self.chat.messages.create(role="user", text=text, parent=last)

    def say_much(self, text: str) -> None:
        rows = [Message(conversation=self.chat, role="user", text=text) for _ in range(3)]
        Message.objects.bulk_create(rows)

    def reply(self, text: str) -> Message:
        answer = self.chat.messages.create(
            role="assistant", text=text, reasoning=text[:3], parent=self.last
        )
        self._attempt(answer)
        return answer

    def continue_twice(self, text: str) -> None:
        self._attempt(self.answer)
        rows = [self._new_attempt(self.answer) for _ in text[:3]]
        Generation.objects.bulk_create(rows)

    def call(self, text: str) -> None:
        call = self._new_call(text)
        calls.add([call])
        call.state, call.result = "done", text * 2
        passage = GivenPassage(1, sources.NO_DOCUMENT, text, 0, 9, address=f"https://a/{text}")
        store_call(call, [passage, passage], (), self.owner.pk)

    def call_in_vain(self, text: str) -> None:
        call = self._new_call(text)
        fail_call(call, "unknown_tool", text)
        calls.add([call])

    def decide(self, text: str) -> None:
        call = self._new_call(text)
        call.state = "proposed"
        calls.add([call])
        is_allowed, arguments = len(text) % 2 == 0, json.dumps(text)
        calls.decide(
            call.message, call.pk, 1, is_allowed=is_allowed, arguments=arguments, words=text
        )

    def summarise(self, text: str) -> None:
        if claim := summaries.claim(Claim(self.chat.pk, self.last.pk, 2)):
            summaries.store(claim, text or "-")

    def edit(self, text: str) -> None:
        Message.objects.filter(pk=self.last.pk).update(text=text)

    def hide(self, _text: str) -> None:
        redaction.redact(self.last)

    def delete_turn(self, _text: str) -> None:
        if question := self.chat.messages.filter(role="user", deleted_at=None).last():
            turn = turn_deletion.find_turn(self.owner.pk, self.chat.pk, question.pk)
            run_steps(turn_deletion.delete_in_steps(self.owner.pk, self.chat.pk, turn))

    def purge_turns(self, _text: str) -> None:
        branches.remove_deleted(-1)

    def branch(self, _text: str) -> None:
        run_steps(turn_deletion.branch_off(self.owner.pk, self.chat.pk, self.answer.pk))

    def export(self, _text: str) -> None:
        imported(self.owner, exported(self.chat))

    def share(self, _text: str) -> None:
        with suppress(CannotShare):  # the branch has no answer
            link = links.make(self.chat, links.Choices())
            run_steps(continue_chat.copy_shared_chat(link, self.owner.pk))

    def delete(self, text: str) -> None:
        delete(self.chat)
        self.start(text)

    def purge(self, _text: str) -> None:
        sweep()

    def erase(self, text: str) -> None:
        delete_account(self.owner)
        sweep()
        self.owner = User.objects.create_user(f"alice{next(numbers)}@example.org", "correct horse")
        self.start(text)

    def _new_call(self, text: str) -> StoredToolCall:
        place = self.answer.tool_calls.count()
        return StoredToolCall(
            message=self.answer, place=place, round=0, tool="t", arguments=text, state="running"
        )

    def _new_attempt(self, answer: Message) -> Generation:
        return Generation(
            owner=self.owner, message=answer, state="complete", model="m", send_key=uuid.uuid4().hex
        )

    def _attempt(self, answer: Message) -> None:
        self._new_attempt(answer).save(force_insert=True)


OPERATIONS: dict[str, Callable[[Chats, str], object]] = {
    name: work
    for name, work in vars(Chats).items()
    if not name.startswith("_") and not isinstance(work, property)
}
STEPS = st.lists(st.tuples(st.sampled_from(sorted(OPERATIONS)), TEXTS), max_size=12)


@pytest.fixture
def _purged_at_once(settings: Settings) -> None:
    settings.UNDO_SECONDS = 0


@settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=STEPS)
@pytest.mark.usefixtures("_purged_at_once")
def test_the_stored_sizes_are_correct_after_each_operation(
    alice: User, steps: list[tuple[str, str]]
) -> None:
    owner = User.objects.create_user(f"alice{next(numbers)}@example.org", "correct horse")
    chats = Chats(owner)
    for name, text in steps:
        OPERATIONS[name](chats, text)
        assert kept_sizes() == real_sizes(), name
        before = kept_sizes()
        with connection.cursor() as cursor:
            recount(cursor, connection.vendor)
        assert kept_sizes() == before, name


def test_a_recount_corrects_wrong_sizes(alice: User) -> None:
    chats = Chats(alice)
    chats.call("Ä river")
    chats.continue_twice("abc")
    before = kept_sizes()
    Conversation.objects.update(stored_bytes=7)
    with connection.cursor() as cursor:
        recount(cursor, connection.vendor)
    assert kept_sizes() == before == real_sizes()


def test_a_copy_needs_room_for_calls_and_sources(alice: User) -> None:
    chats = Chats(alice)
    chats.call("x" * 999)
    chats.call_in_vain("y" * 999)
    branch = branches.branch_to(chats.answer)
    assert branch.stored_bytes == real_sizes()[chats.chat.pk] == kept_sizes()[chats.chat.pk]
