"""Generate conversations of every shape, and one with every feature."""

import io
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message, Rating
from chat.conversations.ratings import Opinion, rate
from chat.generations.models import Generation
from chat.import_export import import_reader
from chat.import_export.export_writer import conversation_json
from chat.import_export.import_storage import DraftImport
from chat.lib.text import one_line
from tests.support.database.bulk_steps import run_steps

WHEN = datetime(2026, 3, 29, 12, 30, 15, 250, tzinfo=UTC)
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=60)
QUESTIONS = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=60
)
COUNTS = st.none() | st.integers(0, 2**31 - 1)
AMOUNTS = st.none() | st.floats(0, 1e9, allow_nan=False, width=64)
MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(8999, 1, 1), timezones=st.just(UTC))


@st.composite
def attempts(draw: st.DrawFn) -> dict[str, Any]:
    found: dict[str, Any] = {
        "state": draw(st.sampled_from(["complete", "stopped", "interrupted", "failed"])),
        "model": draw(st.sampled_from(["@cf/meta/llama-3.1-8b-instruct", "gone/model", ""])),
        "started_at": draw(MOMENTS),
        "ended_at": draw(st.none() | MOMENTS),
        "base_length": draw(st.integers(0, 99)),
        "length": draw(st.integers(0, 99)),
        "omitted_messages": draw(st.integers(0, 9)),
        "finish_reason": draw(st.sampled_from(["", "stop", "length"])),
        "reasoning_effort": draw(st.sampled_from(["", "none", "low", "medium", "high"])),
        "max_tokens": draw(COUNTS),
    }
    names = ("milliseconds", "first_token_milliseconds", "prompt_tokens", "completion_tokens")
    for name in (*names, "cached_tokens"):
        found[name] = draw(COUNTS)
    found |= {"total_tokens": draw(COUNTS), "neurons": draw(AMOUNTS), "cost_usd": draw(AMOUNTS)}
    if draw(st.booleans()):
        found |= {
            "error_code": "lost",
            "error_message": draw(TEXTS) or "x",
            "error_retryable": True,
        }
    return found


@st.composite
def trees(draw: st.DrawFn) -> dict[str, Any]:
    """Generate trees for `plant`: each message follows an earlier one or none."""
    messages: list[dict[str, Any]] = []
    for number in range(draw(st.integers(0, 12))):
        questions = [place for place in range(number) if messages[place]["role"] == "user"]
        is_answer = bool(questions) and draw(st.booleans())
        before = questions if is_answer else [None, *range(number)]
        said = {
            "role": "assistant" if is_answer else "user",
            "parent": draw(st.sampled_from(before)),
            "text": draw(TEXTS),
            "created_at": draw(MOMENTS),
        }
        if is_answer:
            said["reasoning"] = draw(TEXTS)
            said["attempts"] = draw(st.lists(attempts(), max_size=3))
            said["follow_ups"] = draw(st.none() | st.lists(QUESTIONS, min_size=1, max_size=3))
            said["rating"] = draw(st.none() | st.tuples(st.sampled_from([1, -1]), TEXTS, MOMENTS))
        messages.append(said)
    return {
        "title": one_line(draw(TEXTS)),
        "list_state": draw(st.sampled_from([0, 1, 2])),
        "created_at": draw(MOMENTS),
        "updated_at": draw(MOMENTS),
        "messages": messages,
    }


def plant(owner: User, tree: dict[str, Any]) -> Conversation:
    given = {name: value for name, value in tree.items() if name != "messages"}
    conversation = Conversation.objects.create(owner=owner, **given)
    rows: list[Message] = []
    for said in tree["messages"]:
        parent = None if said["parent"] is None else rows[said["parent"]]
        row = conversation.messages.create(
            parent=parent,
            role=said["role"],
            text=said["text"],
            reasoning=said.get("reasoning", ""),
            created_at=said["created_at"],
            follow_ups=said.get("follow_ups"),
        )
        for place, attempt in enumerate(said.get("attempts", [])):
            key = f"{row.pk}-{place}"
            Generation.objects.create(owner=owner, message=row, send_key=key, **attempt)
        if said.get("rating"):
            value, comment, rated_at = said["rating"]
            Rating.objects.create(
                message=row, user=owner, value=value, comment=comment, rated_at=rated_at
            )
        rows.append(row)
    return conversation


def new_conversation(owner: User, title: str = "Rivers") -> Conversation:
    """Create a conversation with two branches; the second answer is shown."""
    conversation = Conversation.objects.create(
        owner=owner, title=title, created_at=WHEN, updated_at=WHEN
    )
    question = conversation.messages.create(
        role="user", text="Why do rivers bend?\n# Not a heading", created_at=WHEN
    )
    for number, text in enumerate(("First.", "Second.\n```python\nprint()"), 1):
        answer = conversation.messages.create(
            parent=question,
            role="assistant",
            text=text,
            reasoning="Hm.",
            created_at=WHEN + timedelta(minutes=number),
        )
        Generation.objects.create(
            owner=owner,
            message=answer,
            state="complete",
            model="@cf/meta/llama-3.3-70b-instruct-fp8-fast",
            send_key=f"{answer.pk}",
            started_at=WHEN,
            ended_at=WHEN,
            prompt_tokens=7,
            completion_tokens=9,
            total_tokens=16,
            neurons=0.1,
            cost_usd=0.000011,
            milliseconds=900,
            first_token_milliseconds=120,
            finish_reason="stop",
        )
        rate(answer, owner.pk, Opinion(1, comment="Good."))
    return conversation


def exported(conversation: Conversation) -> bytes:
    return b"".join(conversation_json(conversation))


def imported(owner: User, data: bytes) -> int:
    """Import a file like `importing.import_conversations`, and return the number of chats."""
    file = io.BytesIO(data)
    import_reader.check(file)
    draft = DraftImport(owner.pk)
    try:
        for conversation in import_reader.conversations_in(file):
            run_steps(draft.add(conversation))
        return draft.publish()
    except BaseException:
        draft.abandon()
        raise
