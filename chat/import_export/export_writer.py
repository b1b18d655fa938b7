"""Export conversations as JSON, a batch of messages at a time.

Each batch is one short read: a longer one would keep SQLite from checkpointing its log, and a whole
conversation need not fit into memory. Messages added meanwhile come last, after their parents.
"""

from base64 import b64encode
from collections.abc import Iterator

import msgspec
from msgspec import UNSET

from chat.conversations.attached_files import image_digests, original_digests
from chat.conversations.images.access import file_of, files_of, images_of
from chat.conversations.images.message_images import MAX_FILES
from chat.conversations.models import Conversation, Message, Rating
from chat.conversations.sizes.row_batches import batches, text_bytes
from chat.conversations.sources import sources
from chat.conversations.sources.sources import passages_of
from chat.conversations.tool_calls import calls as tool_calls
from chat.conversations.tool_calls.calls import ENDED, calls_of
from chat.generations.answers import generations_of
from chat.generations.models import Generation
from chat.import_export.file_format import (
    Attempt,
    ExportedMessage,
    ExportedOpinion,
    ExportedProblem,
    ExportedSource,
    ExportedTool,
    ExportedUsage,
    Head,
    PlaceName,
)

MESSAGES_AT_ONCE = 100
BYTES_AT_ONCE = 100_000  # or one message
STATE_NAMES: dict[int, PlaceName] = {
    Conversation.ListState.ARCHIVED: "archived",
    Conversation.ListState.LISTED: "listed",
    Conversation.ListState.PINNED: "pinned",
}

encode = msgspec.json.encode


def conversation_json(conversation: Conversation) -> Iterator[bytes]:
    """Yield the whole tree as JSON, one message per line."""
    head = Head(
        title=conversation.title,
        place=STATE_NAMES[conversation.list_state],
        created_at=conversation.created_at,
        updated_at=conversation.updated_at,
        project=conversation.project.name if conversation.project else UNSET,
        tags=[each.name for each in conversation.tags.order_by("folded_name")] or UNSET,
    )
    yield encode(head)[:-1] + b',"messages":['
    between = b"\n"
    exported: set[str] = set()  # digests of images and files
    for page in _pages(conversation):
        for some in _with_images(page, conversation.owner_id, exported):
            last = _with_files(some[-1], conversation.owner_id, exported)
            yield between + b",\n".join([*map(encode, some[:-1]), next(last)])
            yield from last
            between = b",\n"
    yield b"\n]}\n"


def _pages(conversation: Conversation) -> Iterator[list[ExportedMessage]]:
    numbers: dict[int, int] = {}  # numbers of the messages in this file, by id
    for ids in _batches(conversation):
        rows = list(conversation.visible_messages.filter(id__in=ids).order_by("id"))
        for row in rows:
            numbers[row.pk] = len(numbers) + 1
        if rows:
            yield _page(rows, numbers, conversation.owner_id)


def _with_images(
    page: list[ExportedMessage], owner_id: int, exported: set[str]
) -> Iterator[list[ExportedMessage]]:
    """Yield the messages, each one that brings images or files as the last of some."""
    plain: list[ExportedMessage] = []
    for each in page:
        is_question = each.role == "user"
        named = image_digests(each.text) if is_question else each.tool_images
        new = sorted(set(named) - exported)
        if not new and not (is_question and original_digests(each.text)):
            plain.append(each)
            continue
        yield from filter(None, [plain])
        plain = []
        rows = images_of(owner_id, new).order_by("digest")
        images = [b64encode(row.content).decode() for row in rows]
        yield [msgspec.structs.replace(each, images=images)]
        exported.update(new)
    yield from filter(None, [plain])


def _with_files(message: ExportedMessage, owner_id: int, exported: set[str]) -> Iterator[bytes]:
    """Yield a message as JSON. The originals of its files are large, so each is read alone."""
    named = set(original_digests(message.text)[:MAX_FILES]) if message.role == "user" else set()
    new = sorted(named - exported)
    digests = sorted(files_of(owner_id, new).values_list("digest", flat=True)) if new else []
    exported.update(digests)
    if not digests:
        yield encode(message)
        return
    yield encode(message)[:-1]
    for number, digest in enumerate(digests):
        content = b64encode(file_of(owner_id, digest).content)
        yield (b"," if number else b',"files":[') + b'"' + content + b'"'
    yield b"]}"


def _batches(conversation: Conversation) -> Iterator[list[int]]:
    """Yield the ids of the messages in small batches."""
    sized = conversation.visible_messages.annotate(size=text_bytes()).order_by("id")
    last = 0
    while sizes := list(sized.filter(id__gt=last).values_list("pk", "size")[:MESSAGES_AT_ONCE]):
        for batch in batches(sizes, lambda row: row[1], BYTES_AT_ONCE):
            yield [pk for pk, _size in batch]
        last = sizes[-1][0]


def _page(rows: list[Message], numbers: dict[int, int], owner_id: int) -> list[ExportedMessage]:
    attempts: dict[int, list[Attempt]] = {}
    for generation in generations_of(rows):
        attempts.setdefault(generation.message_id, []).append(_attempt(generation))
    opinions = Rating.objects.filter(message__in=rows, user=owner_id)
    ratings = {rating.message_id: _opinion(rating) for rating in opinions}
    sources.prefetch(rows)
    tool_calls.prefetch(rows)
    return [
        ExportedMessage(
            id=numbers[row.pk],
            parent=numbers[row.parent_id] if row.parent_id is not None else None,
            role="user" if row.role == Message.Role.USER else "assistant",
            created_at=row.created_at,
            text=row.text,
            reasoning=row.reasoning,
            person=row.is_by_person,
            # Sorted independently of ids, which are different after an import.
            attempts=sorted(
                attempts.get(row.pk, []), key=lambda each: (each.started_at, encode(each))
            ),
            rating=ratings.get(row.pk),
            sources=_sources(row),
            tools=_tools(row),
            follow_ups=row.follow_ups or [],
        )
        for row in rows
    ]


def _sources(row: Message) -> list[ExportedSource] | None:
    passages = None if row.hidden_at else passages_of(row)
    if passages is None:
        return None
    return [
        ExportedSource(number=each.number, name=each.name, page=each.page, address=each.address)
        for each in passages
    ]


def _tools(row: Message) -> list[ExportedTool]:
    """Return the calls of an answer; one that hasn't ended doesn't run in the copy either."""
    return [
        ExportedTool(
            tool=each.tool,
            state=str(each.state) if each.state in ENDED else "failed",  # type: ignore[arg-type]
            arguments=each.arguments,
            result=each.result,
            count=each.result_count,
            problem=each.problem if each.state in ENDED else "copied",
            refusal=each.refusal,
            round=each.round,
            text_length=each.text_length,
            images=each.images or [],
        )
        for each in (() if row.hidden_at else calls_of(row))
    ]


def _attempt(row: Generation) -> Attempt:
    """Return an attempt. A running one is exported as if its process had died now."""
    is_running = row.state == Generation.State.RUNNING
    state = Generation.State.INTERRUPTED if is_running else row.state
    usage = ExportedUsage(
        row.prompt_tokens,
        row.completion_tokens,
        row.total_tokens,
        row.neurons,
        row.cost_usd,
        row.cached_tokens,
    )
    return Attempt(
        state=state,  # type: ignore[arg-type]
        model="" if row.hides_model else row.model,
        started_at=row.started_at,
        ended_at=row.ended_at,
        base_length=row.base_length,
        length=row.length,
        omitted_messages=row.omitted_messages,
        reasoning_effort=row.reasoning_effort,  # type: ignore[arg-type]
        max_tokens=row.max_tokens,
        finish_reason=row.finish_reason,
        milliseconds=row.milliseconds,
        first_token_milliseconds=row.first_token_milliseconds,
        usage=usage if usage != ExportedUsage() and not row.hides_model else None,
        error=ExportedProblem(row.error_code, row.error_message, row.error_retryable)
        if row.error_code and row.error_message
        else None,
    )


def _opinion(row: Rating) -> ExportedOpinion:
    return ExportedOpinion(row.value, row.rated_at, row.reason, row.comment)  # type: ignore[arg-type]
