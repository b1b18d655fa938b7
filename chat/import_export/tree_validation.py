"""Check what types cannot express: that a conversation is a tree and can be stored."""

from base64 import b64decode
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
from django.conf import settings
from django.utils.translation import gettext as _

from chat.conversations.images.image_store import checked
from chat.errors import BadRequest
from chat.import_export.file_format import ConversationFile, ExportedMessage

#: Within these, every time zone and database can represent a time.
EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)


def require_tree(conversation: ConversationFile) -> None:
    """Raise `BadRequest` if the conversation is not a valid tree."""
    problem = tree_problem(conversation)
    if problem:
        raise BadRequest(
            _("This file can't be imported. {problem} Nothing was imported.").format(
                problem=problem
            )
        )


def tree_problem(conversation: ConversationFile) -> str:
    """Return why the conversation can't be stored; empty if it can.

    Messages are numbered 1, 2, 3, …, and each follows an earlier one or none, so there are no
    cycles, no duplicate numbers, and no references to other conversations.
    """
    if not _can_be_stored(conversation.title):
        return _("The title can't be stored.")
    for moment in (conversation.created_at, conversation.updated_at):
        if not EARLIEST <= moment < LATEST:
            return _("The timestamps are invalid.")
    if len(conversation.messages) > settings.MAX_CONVERSATION_MESSAGES:
        return _("It has more messages than a chat can hold.")
    for number, said in enumerate(conversation.messages, 1):
        problem = _problem_of(said, number, conversation.messages)
        if problem:
            return _("Message {number}: {problem}").format(number=number, problem=problem)
    return ""


def _problem_of(said: ExportedMessage, number: int, messages: list[ExportedMessage]) -> str:
    """Return what is wrong with the message; empty if nothing is."""
    if said.id != number:
        return _("It's out of order.")
    if said.parent is not None and not 1 <= said.parent < number:
        return _("It doesn't follow an earlier message.")
    is_answer = said.role == "assistant"
    is_reply = said.parent is not None and messages[said.parent - 1].role == "user"
    if is_answer and not (said.person or is_reply):
        return _("It's an answer without a question.")
    if not is_answer and (said.reasoning or said.attempts or said.rating or said.person):
        return _("It's a question with fields that only answers have.")
    if is_answer and said.images:
        return _("It's an answer with images.")
    if not all(map(_is_image, said.images)):
        return _("One of its images can't be read, or is larger than this site allows.")
    if len(said.text) + len(said.reasoning) > _most_chars(said):
        return _("It's longer than this site allows.")
    if not all(map(_can_be_stored, _texts_in(said))):
        return _("It contains characters that can't be stored.")
    if not all(EARLIEST <= moment < LATEST for moment in _moments_in(said)):
        return _("The timestamps are invalid.")
    return ""


def _is_image(encoded: str) -> bool:
    try:
        checked(b64decode(encoded, validate=True))
    except (ValueError, BadRequest):
        return False
    return True


def _most_chars(said: ExportedMessage) -> int:
    """Return the limit that applies when sending, which applies to imports as well."""
    is_question = said.role == "user"
    most: int = settings.MAX_MESSAGE_CHARS if is_question else settings.MAX_ANSWER_CHARS
    return most


def _can_be_stored(text: str) -> bool:
    return "\0" not in text


def _texts_in(said: ExportedMessage) -> Iterator[str]:
    return (each for each in _leaves(said) if isinstance(each, str))


def _moments_in(said: ExportedMessage) -> Iterator[datetime]:
    return (each for each in _leaves(said) if isinstance(each, datetime))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _leaves(getattr(value, name))
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    else:
        yield value
