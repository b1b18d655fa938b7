"""The branch that was used last, to be read: Markdown, a few messages at a time.

What a person asked is quoted, so that no line of it becomes a heading; an answer is Markdown as it
is, and its last block of code is closed, so that what comes after it is not part of it.
"""

import re
from collections.abc import Iterator
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.conversations.errors import MessageHidden
from chat.conversations.models import Conversation, Message
from chat.conversations.tree import newest_leaf, path_to
from chat.relay import models_on_offer
from chat.relay.models import Generation

MESSAGES_AT_ONCE = 50
SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
LINE_END = re.compile(r"\r\n|\r|\n")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def conversation_markdown(conversation: Conversation) -> Iterator[bytes]:
    title = SIGNS.sub(r"\\\1", conversation.title or _("Untitled"))
    yield f"# {title}\n\n{_when(conversation.created_at)}\n".encode()
    nodes = list(Message.objects.filter(conversation=conversation).only("id", "parent_id"))
    ids = [node.pk for node in path_to(newest_leaf(nodes), nodes)]
    for start in range(0, len(ids), MESSAGES_AT_ONCE):
        found = conversation.messages.in_bulk(ids[start : start + MESSAGES_AT_ONCE])
        models = dict(
            Generation.objects.filter(message__in=found)
            .order_by("started_at")
            .values_list("message_id", "model")
        )
        yield "".join(_turn(found[pk], models.get(pk, "")) for pk in sorted(found)).encode()


def _turn(message: Message, model_id: str) -> str:
    is_question = message.role == Message.Role.USER
    said = str(MessageHidden.text) if message.hidden_at else message.text
    who = _("You") if is_question else _("A person") if message.is_by_person else _model(model_id)
    text = quoted(said) if is_question else closed(said)
    return f"\n---\n\n**{who}**, {_when(message.created_at)}\n\n{text}\n"


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in LINE_END.split(text))


def closed(text: str) -> str:
    """`text` with an end to the block of code that it breaks off in, if it does."""
    fence = ""
    for line in LINE_END.split(text):
        found = FENCE.fullmatch(line)
        if not found:
            continue
        if not fence:
            fence = found[1]
        elif found[1].startswith(fence) and not found[2].strip():
            fence = ""
    return f"{text}\n{fence}" if fence else text


def _model(model_id: str) -> str:
    model = models_on_offer.known(model_id)
    return SIGNS.sub(r"\\\1", model.name if model else model_id) or _("Answer")


def _when(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT")
