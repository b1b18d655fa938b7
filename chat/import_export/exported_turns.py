"""Read the branch used last for an export that people read, a few messages at a time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.conversations import access, paths, turns
from chat.conversations.attached_files import with_image_notes
from chat.conversations.errors import MessageHidden
from chat.conversations.models import Conversation, Message
from chat.conversations.sizes.row_batches import batches
from chat.conversations.sources.sources import passages_of, prefetch
from chat.conversations.tool_calls import calls as tool_calls
from chat.errors import NotFound
from chat.generations.answers import generations_of
from chat.generations.models import Generation
from chat.knowledge.citations import cited_numbers
from chat.lib.text import one_line
from chat.tools.generate_image import description_in, drawn_by
from chat.upstream import available_models

MESSAGES_AT_ONCE = 50
CHARACTERS_AT_ONCE = 100_000


@dataclass(frozen=True, slots=True)
class ExportedTurn:
    """A message with what is shown beside its text. An answer's text is Markdown."""

    is_question: bool
    author: str
    moment: str
    text: str
    drawn: tuple[str, ...]  # descriptions of images
    sources: tuple[tuple[int, str, int | None], ...]  # number, name and page of what is cited


@dataclass(frozen=True, slots=True)
class ShownNames:
    """The names of those who answer, for readers who know neither models nor the team."""

    model: str
    persons: Mapping[int, str]


def exported_turns(
    conversation: Conversation, only_id: int | None = None, names: ShownNames | None = None
) -> Iterator[list[ExportedTurn]]:
    """Yield the branch used last, or only the message with that id, in batches.

    Without `names`, models have their own, and persons none.
    """
    for batch in _batches(conversation, only_id):
        messages = conversation.messages.in_bulk(batch)
        generations = generations_of(list(messages.values()))
        prefetch(list(messages.values()))
        tool_calls.prefetch(list(messages.values()))
        models = {each.message_id: each.model for each in generations if not each.hides_model}
        states = {each.message_id: each.state for each in generations}
        yield [
            _turn(
                messages[pk],
                _author(messages[pk], models.get(pk, ""), names),
                has_failed=states.get(pk) == Generation.State.FAILED,
            )
            for pk in sorted(messages)
        ]


def answer_of(conversation: Conversation, message_id: int) -> Message:
    """Return an answer with text; raise `NotFound`."""
    message = access.message_of(conversation, message_id)
    if message.role != Message.Role.ASSISTANT or not message.text:
        raise NotFound
    return message


def when(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT")


def _batches(conversation: Conversation, only_id: int | None) -> Iterator[list[int]]:
    """Yield ids of messages, in batches of limited length or of one message."""
    if only_id is not None:
        yield [only_id]
        return
    last = turns.last_message(conversation)
    ids = paths.ids_to(last.pk) if last else []
    for start in range(0, len(ids), MESSAGES_AT_ONCE):
        some = ids[start : start + MESSAGES_AT_ONCE]
        lengths = turns.lengths_of(some)
        yield from batches(some, lambda pk: lengths.get(pk, 0), CHARACTERS_AT_ONCE)  # noqa: B023


def _turn(message: Message, author: str, *, has_failed: bool) -> ExportedTurn:
    is_question = message.role == Message.Role.USER
    text = str(MessageHidden.text) if message.hidden_at else message.text
    if has_failed and not text:
        text = _("No answer was received.")
    return ExportedTurn(
        is_question=is_question,
        author=author,
        moment=when(message.created_at),
        text=with_image_notes(text) if is_question else text,
        drawn=() if message.hidden_at else tuple(_drawn(message)),
        sources=() if message.hidden_at else tuple(_sources(message)),
    )


def _author(message: Message, model_id: str, names: ShownNames | None) -> str:
    if message.role == Message.Role.USER:
        return _("You")
    if message.is_by_person:
        return (names.persons.get(message.author or 0, "") if names else "") or _("A person")
    return names.model if names else _model(model_id)


def _drawn(message: Message) -> Iterator[str]:
    """Yield what each image of an answer shows."""
    for call in tool_calls.calls_of(message):
        for _image in drawn_by(call):
            yield one_line(description_in(call))


def _sources(message: Message) -> Iterator[tuple[int, str, int | None]]:
    """Yield each passage that an answer cites."""
    given = passages_of(message) or ()
    cited = cited_numbers(message.text, {each.number for each in given}) if given else ()
    for each in given:
        if each.number in cited:
            yield each.number, each.name, each.page


def _model(model_id: str) -> str:
    return available_models.name_of(model_id) or _("Answer")
