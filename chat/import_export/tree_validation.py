"""Check what types cannot express: that a conversation is a tree and can be stored."""

from base64 import b64decode
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec
from django.conf import settings
from django.utils.translation import gettext as _

from chat.conversations.images.store import checked
from chat.errors import BadRequest
from chat.import_export.file_format import ConversationFile, ExportedMessage
from chat.lib.moments import EARLIEST, LATEST


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
    for number, message in enumerate(conversation.messages, 1):
        problem = _problem_of(message, number, conversation.messages)
        if problem:
            return _("Message {number}: {problem}").format(number=number, problem=problem)
    return ""


def _problem_of(message: ExportedMessage, number: int, messages: list[ExportedMessage]) -> str:
    """Return what is wrong with the message; empty if nothing is."""
    if message.id != number:
        return _("It's out of order.")
    if message.parent is not None and not 1 <= message.parent < number:
        return _("It doesn't follow an earlier message.")
    is_answer = message.role == "assistant"
    is_reply = message.parent is not None and messages[message.parent - 1].role == "user"
    if is_answer and not (message.person or is_reply):
        return _("It's an answer without a question.")
    if not is_answer and (
        message.reasoning
        or message.attempts
        or message.rating
        or message.person
        or message.sources is not None
        or message.tools
        or message.follow_ups
    ):
        return _("It's a question with fields that only answers have.")
    if is_answer and (message.files or (message.images and not message.tool_images)):
        return _("It's an answer with images or files.")
    if not all(map(_is_image, message.images)):
        return _("One of its images can't be read, or is larger than this site allows.")
    if not all(map(_is_file, message.files)):
        return _("One of its files can't be read, or is larger than this site allows.")
    if len(message.text) + len(message.reasoning) > _most_chars(message):
        return _("It's longer than this site allows.")
    if not all(map(_can_be_stored, _texts_in(message))):
        return _("It contains characters that can't be stored.")
    if not all(EARLIEST <= moment < LATEST for moment in _moments_in(message)):
        return _("The timestamps are invalid.")
    return ""


def _is_image(encoded: str) -> bool:
    try:
        checked(b64decode(encoded, validate=True))
    except (ValueError, BadRequest):
        return False
    return True


def _is_file(encoded: str) -> bool:
    try:
        content = b64decode(encoded, validate=True)
    except ValueError:
        return False
    return 0 < len(content) <= settings.MAX_DOCUMENT_BYTES


def _most_chars(message: ExportedMessage) -> int:
    """Return the limit that applies when sending, which applies to imports as well."""
    is_question = message.role == "user"
    most: int = settings.MAX_MESSAGE_CHARS if is_question else settings.MAX_ANSWER_CHARS
    return most


def _can_be_stored(text: str) -> bool:
    return "\0" not in text


def _texts_in(message: ExportedMessage) -> Iterator[str]:
    return (each for each in _leaves(message) if isinstance(each, str))


def _moments_in(message: ExportedMessage) -> Iterator[datetime]:
    return (each for each in _leaves(message) if isinstance(each, datetime))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _leaves(getattr(value, name))
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    else:
        yield value
