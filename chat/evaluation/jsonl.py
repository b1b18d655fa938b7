"""Read questions from an uploaded file of JSON lines, and say which lines are wrong."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from django.utils.translation import gettext as _

from chat.evaluation.errors import MAX_ITEMS
from chat.lib.text import clean

MAX_FILE_BYTES = 5_000_000
MAX_MESSAGES = 100
MAX_TEXT_CHARS = 50_000
#: How many wrong lines are listed.
MAX_ERRORS = 20
#: What a decoder raises for a line that isn't JSON, or has absurdly many brackets.
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_Text = Annotated[str, msgspec.Meta(max_length=MAX_TEXT_CHARS)]


@dataclass(frozen=True, slots=True)
class NewItem:
    """A question that staff wrote, with what was said before it, and what a good answer says."""

    messages: list[dict[str, str]]
    expected: str = ""


class _Message(msgspec.Struct, frozen=True):
    role: Literal["system", "user", "assistant"]
    content: _Text


class _Line(msgspec.Struct, frozen=True):
    messages: Annotated[list[_Message], msgspec.Meta(min_length=1, max_length=MAX_MESSAGES)]
    expected: _Text = ""
    from_chat: bool = False


_decoder = msgspec.json.Decoder(_Line)


def read_items(content: bytes) -> tuple[list[NewItem], list[str]]:
    """Return the questions of a file, and what is wrong with it, line by line."""
    items: list[NewItem] = []
    errors: list[str] = []
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        if len(items) >= MAX_ITEMS:
            errors.append(_("There are more than {most} questions.").format(most=MAX_ITEMS))
            break
        try:
            items.append(_item(line))
        except _WrongLine as wrong:
            errors.append(_("Line {number}: {problem}").format(number=number, problem=wrong))
            if len(errors) >= MAX_ERRORS:
                break
    if not items and not errors:
        errors.append(_("There are no questions in this file."))
    return items, errors


class _WrongLine(Exception):
    """Why a line can't be used, in words."""


def _item(line: bytes) -> NewItem:
    try:
        read = _decoder.decode(line)
    except msgspec.ValidationError:
        raise _WrongLine(_explained(line)) from None
    except UNREADABLE:
        raise _WrongLine(_("This isn't JSON.")) from None
    if read.from_chat:
        raise _WrongLine(_("This is from a chat. Copy it there, so that it can be withdrawn."))
    if read.messages[-1].role != "user":
        raise _WrongLine(_("The last message must be a question, with the role “user”."))
    messages = [{"role": each.role, "content": clean(each.content)} for each in read.messages]
    if not messages[-1]["content"].strip():
        raise _WrongLine(_("The question is empty."))
    return NewItem(messages, clean(read.expected))


def _explained(line: bytes) -> str:
    """Return what is wrong with a line of JSON that isn't a question."""
    try:
        value: Any = msgspec.json.decode(line)
    except UNREADABLE:  # further on, or too deep
        return _("This isn't JSON.")
    messages = value.get("messages") if isinstance(value, dict) else None
    if not isinstance(messages, list) or not messages:
        return _("“messages” must be a list of messages.")
    if len(messages) > MAX_MESSAGES:
        return _("There are more than {most} messages.").format(most=MAX_MESSAGES)
    texts = [each.get("content") if isinstance(each, dict) else None for each in messages]
    expected = value.get("expected", "")
    if any(isinstance(each, str) and len(each) > MAX_TEXT_CHARS for each in [*texts, expected]):
        return _("A text has more than {most} characters.").format(most=MAX_TEXT_CHARS)
    if not isinstance(expected, str):
        return _("“expected” must be a text.")
    return _("Each message needs a “role” (system, user or assistant) and a “content”.")
