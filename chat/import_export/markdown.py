"""Export the branch used last as Markdown for reading, a few messages at a time.

Questions are quoted, so that none of their lines becomes a heading. Answers are Markdown already;
an unclosed code block is closed, so that it does not swallow what follows.
"""

import re
from collections.abc import Iterator
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.conversations import paths, turns
from chat.conversations.attached_files import with_image_notes
from chat.conversations.errors import MessageHidden
from chat.conversations.models import Conversation, Message
from chat.conversations.sizes.row_batches import batches
from chat.conversations.sources.sources import passages_of, prefetch
from chat.conversations.tool_calls import calls as tool_calls
from chat.generations.answers import generations_of
from chat.knowledge.citations import cited_numbers
from chat.lib.text import one_line
from chat.tools.generate_image import description_in, drawn_by
from chat.upstream import available_models

MESSAGES_AT_ONCE = 50
CHARACTERS_AT_ONCE = 100_000
SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
LINE_END = re.compile(r"\r\n|\r|\n")
#: A possible fence and the rest of its line; `_is_fence` checks what precedes it.
FENCE = re.compile(r"(`{3,}|~{3,})([^\r\n]*)")
#: The lookbehind makes sure that a long run of spaces is read only once.
SPACE_AT_END = re.compile(r"(?<![^\S\n])[^\S\n]+$", re.MULTILINE)


def conversation_markdown(conversation: Conversation) -> Iterator[bytes]:
    """Yield the branch used last as Markdown, in pieces."""
    title = SIGNS.sub(r"\\\1", conversation.title or _("Untitled"))
    yield f"# {title}\n\n{_when(conversation.created_at)}\n".encode()
    for batch in _batches(conversation):
        messages = conversation.messages.in_bulk(batch)
        generations = generations_of(list(messages.values()))
        prefetch(list(messages.values()))
        tool_calls.prefetch(list(messages.values()))
        models = {each.message_id: each.model for each in generations if not each.hides_model}
        yield "".join(_turn(messages[pk], models.get(pk, "")) for pk in sorted(messages)).encode()


def _batches(conversation: Conversation) -> Iterator[list[int]]:
    """Yield ids of the exported branch, in batches of limited length or of one message."""
    last = turns.last_message(conversation)
    ids = paths.ids_to(last.pk) if last else []
    for start in range(0, len(ids), MESSAGES_AT_ONCE):
        some = ids[start : start + MESSAGES_AT_ONCE]
        lengths = turns.lengths_of(some)
        yield from batches(some, lambda pk: lengths.get(pk, 0), CHARACTERS_AT_ONCE)  # noqa: B023


def _turn(message: Message, model_id: str) -> str:
    is_question = message.role == Message.Role.USER
    text_shown = str(MessageHidden.text) if message.hidden_at else message.text
    who = _("You") if is_question else _("A person") if message.is_by_person else _model(model_id)
    text = quoted(with_image_notes(text_shown)) if is_question else closed(text_shown)
    drawn = "".join(_drawn(message))
    listed = "".join(_sources(message))
    return f"\n---\n\n**{who}**, {_when(message.created_at)}\n\n{drawn}{text}\n{listed}"


def _drawn(message: Message) -> Iterator[str]:
    """Yield a line for each image that an answer shows."""
    for call in () if message.hidden_at else tool_calls.calls_of(message):
        for _image in drawn_by(call):
            description = SIGNS.sub(r"\\\1", one_line(description_in(call)))
            yield f"\\[image: {description}\\]\n\n"


def _sources(message: Message) -> Iterator[str]:
    """Yield a line for each passage that an answer cites."""
    given = None if message.hidden_at else passages_of(message)
    cited = cited_numbers(message.text, {each.number for each in given}) if given else ()
    for each in given or ():
        if each.number in cited:
            name = SIGNS.sub(r"\\\1", each.name)
            where = _("{name}, page {page}").format(name=name, page=each.page)
            yield f"\n- \\[{each.number}\\] {where if each.page else name}\n"


def quoted(text: str) -> str:
    """Return `text` as a quotation, without trailing spaces."""
    lines = LINE_END.sub("\n> ", text) if "\r" in text else text.replace("\n", "\n> ")
    return SPACE_AT_END.sub("", f"> {lines}".replace("> \n", ">\n"))


def closed(text: str) -> str:
    """Return `text` with its last code block closed."""
    if "```" not in text and "~~~" not in text:  # the usual case
        return text
    fence = ""
    for match in FENCE.finditer(text):
        if not _is_fence(text, match.start()):
            continue
        if not fence:
            fence = match[1]
        elif match[1].startswith(fence) and not match[2].strip():
            fence = ""
    return f"{text}\n{fence}" if fence else text


def _is_fence(text: str, start: int) -> bool:
    """Return whether at most three spaces precede `start` in its line."""
    before = text[max(0, start - 4) : start].rpartition("\n")[2].rpartition("\r")[2]
    return len(before) < 4 and not before.strip(" ")


def _model(model_id: str) -> str:
    model = available_models.known(model_id)
    return SIGNS.sub(r"\\\1", model.name if model else model_id) or _("Answer")


def _when(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT")
