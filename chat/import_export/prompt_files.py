"""Read prompts from a file of Open WebUI or from our own export, and store them."""

from dataclasses import dataclass
from typing import Literal

import msgspec
from django.db import transaction
from django.utils.translation import gettext as _

from chat.accounts.models import User
from chat.errors import BadRequest
from chat.import_export import json_text
from chat.lib.text import clean, one_line
from chat.personas.models import MAX_PROMPTS, NAME_LENGTH, PROMPT_LENGTH, Prompt


class _WebuiPrompt(msgspec.Struct):
    """Its name was its title in earlier versions."""

    content: str
    command: str = ""
    name: str | None = None
    title: str | None = None


class _OwnPrompt(msgspec.Struct):
    name: str
    text: str


class _OwnFile(msgspec.Struct):
    kind: Literal["prompts"]
    prompts: list[_OwnPrompt]


@dataclass(frozen=True, slots=True)
class ImportedPrompts:
    """How many prompts were stored, were there already, and were empty or too long."""

    added: int
    known: int
    refused: int


def import_prompts(user: User, data: bytes) -> ImportedPrompts:
    """Store the prompts of a file as the user's own; raise `BadRequest` if none can be.

    Prompts that the user already has, with the same name and text, are not stored again.
    """
    read = _read(data)
    fitting = [each for each in read if each[1].strip() and len(each[1]) <= PROMPT_LENGTH]
    wanted = list(dict.fromkeys(fitting))
    _require_room(len(wanted))  # before the query below names them all
    with transaction.atomic():
        own = Prompt.objects.filter(owner=user)
        same = own.filter(name__in=[name for name, _text in wanted])
        known = set(same.values_list("name", "text"))
        new = [each for each in wanted if each not in known]
        _require_room(own.count() + len(new))
        Prompt.objects.bulk_create(Prompt(owner=user, name=name, text=text) for name, text in new)
    return ImportedPrompts(len(new), len(fitting) - len(new), len(read) - len(fitting))


def _require_room(count: int) -> None:
    if count > MAX_PROMPTS:
        words = _("With this file, you would have more than {most} prompts. Delete some first.")
        raise BadRequest(words.format(most=MAX_PROMPTS))


def _read(data: bytes) -> list[tuple[str, str]]:
    """Return names and texts."""
    data = json_text.utf8(data)
    try:
        if data.lstrip()[:1] == b"[":
            theirs = json_text.decode(data, list[_WebuiPrompt])
            prompts = [(each.name or each.title or each.command, each.content) for each in theirs]
        else:
            own = json_text.decode(data, _OwnFile)
            prompts = [(each.name, each.text) for each in own.prompts]
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise BadRequest(_("This file has no prompts that can be read.")) from None
    return [(_name(name), clean(text.replace("\r\n", "\n"))) for name, text in prompts]


def _name(text: str) -> str:
    """Return a name of one line; a long one is cut, because it only serves to find the prompt."""
    line = one_line(text).removeprefix("/") or _("Untitled")
    return line if len(line) <= NAME_LENGTH else line[: NAME_LENGTH - 1] + "…"
