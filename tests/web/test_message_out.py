"""A message has one JSON shape, of which each audience gets the fields it may see."""

from typing import Any

import msgspec
import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Message, Rating
from chat.conversations.turns import add_answer, post_question, start_conversation
from chat.generations.models import Generation
from chat.web.messages.message_out import (
    FIELDS,
    Audience,
    ErrorOut,
    MessageOut,
    PairOut,
    RatingOut,
    SourceOut,
    TimingOut,
    ToolOut,
    UsageOut,
)

FULL = MessageOut(
    id=2, parent=1, role="assistant", text="It is wet.", reasoning="Hm.",
    created_at=timezone.now(), is_person=True, person_name="Rita", person_picture="ab",
    is_by_email=True, is_imported=True, is_hidden=True, state="failed",
    generation="g", model="m", finish_reason="length", reasoning_effort="low", omitted_messages=1,
    base_length=1, error=ErrorOut("c", "w", True), usage=UsageOut(1, 1, 2, 0, 0.1, 0.2),
    timing=TimingOut(1, 2), rating=RatingOut(1, "", "Good."), versions=(2, 3), author="Rita",
    moment="Today", page_context=(("product", "Canoe"),), is_deleted=True,
    tools=(ToolOut("t", "calculator", "done", "{}"),), summary="It was about water.", follow_ups=("Why?",), pair=PairOut(1, "a"), sources=(SourceOut(1, "a.pdf"),),
)  # fmt: skip
#: `hides_model` says which fields to leave out, and is itself for nobody.
ALL = frozenset(MessageOut.__struct_fields__) - {"hides_model"}


def seen(audience: Audience) -> set[str]:
    return set(msgspec.json.decode(msgspec.json.encode(FULL.seen_by(audience))))


def test_the_full_message_has_every_field() -> None:
    assert set(msgspec.to_builtins(FULL)) == ALL


@pytest.mark.parametrize(
    ("audience", "absent"),
    [
        (Audience.MEMBER, {"author", "moment", "page_context", "person_name", "person_picture", "is_by_email", "is_deleted"}),
        (
            Audience.VISITOR,
            {
                "author", "moment", "page_context", "is_deleted", "is_imported", "model", "usage", "timing",
                "reasoning_effort", "omitted_messages", "base_length", "versions",
                "summary", "tools", "pair",
            },
        ),
        (Audience.STAFF, {"rating", "person_name", "person_picture", "pair", "follow_ups"}),
        (
            Audience.SHARED_READER,
            ALL
            - {"role", "text", "reasoning", "state", "model", "is_imported", "is_hidden", "sources"}
            - {"tools"},  # only those that have drawn images: tests/sharing/test_drawn_images.py
        ),
    ],
)  # fmt: skip
def test_fields_that_an_audience_must_not_see_are_absent(
    audience: Audience, absent: set[str]
) -> None:
    assert seen(audience) == ALL - absent
    assert FIELDS[audience] < ALL


@sync_to_async
def answer_of(owner: User) -> Message:
    """Create an answer with every possible detail."""
    chat = start_conversation(owner.pk)
    message = add_answer(post_question(chat, "What is water?", None))
    Message.objects.filter(pk=message.pk).update(text="It is wet.", reasoning="Hm.")
    Generation.objects.create(
        owner=owner, message=message, send_key="k", model="m", state="failed", error_code="cut",
        error_message="No.", finish_reason="length", total_tokens=3, cost_usd=0.5, milliseconds=9,
    )  # fmt: skip
    Rating.objects.create(message=message, user=owner, value=1)
    return message


async def test_the_owner_gets_the_same_shape_alone_and_in_the_chat(
    alice: User, alice_client: AsyncClient
) -> None:
    message = await answer_of(alice)
    headers = {"Accept": "application/json"}
    page = await alice_client.get(f"/chat/{message.conversation_id}/", headers=headers)
    place = f"/chat/{message.conversation_id}/messages/{message.pk}"
    alone: dict[str, Any] = (await alice_client.get(place)).json()
    assert page.json()["turns"][-1] == alone
    assert (alone["usage"]["cost_usd"], alone["timing"]["milliseconds"]) == (0.5, 9)
    assert alone["error"] == {"code": "cut", "message": "No.", "retryable": False}
    assert alone["rating"] == {"value": 1, "reason": "", "comment": ""}
