"""Export what a user has created besides chats: personas, prompts, projects, tags and links.

These are few, so each kind is read with one query.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from django.db.models import F, QuerySet

from chat.accounts.models import User
from chat.import_export.file_format import FORMAT, VERSION
from chat.personas.models import Persona, Prompt
from chat.projects.models import ChatTag, Project
from chat.sharing.links import links_of
from chat.sharing.models import SharedLink

PERSONA = (
    "name", "description", "system_prompt", "model", "fallback_model", "max_tokens",
    "reasoning_effort", "parameters",
    "cache_seconds", "starters", "tool_names", "created_at", "updated_at",
)  # fmt: skip
PROMPT = ("name", "text", "created_at", "updated_at")
PROJECT = ("name", "instructions", "is_archived", "created_at", "updated_at")
TAG = ("name", "color", "created_at")
LINK = (
    "title", "author", "has_reasoning", "has_models", "created_at", "expires_at", "opened",
    "is_restricted",
)  # fmt: skip


def account_files(user: User) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of files.

    Addresses of links are left out, because they would open the links.
    """
    yield _file("personas", _own(Persona.objects.filter(owner=user)).values(*PERSONA))
    yield _file("prompts", _own(Prompt.objects.filter(owner=user)).values(*PROMPT))
    persona = F("persona__name")
    projects = Project.objects.filter(owner=user).annotate(persona_name=persona)
    yield _file("projects", _own(projects).values(*PROJECT, "persona_name"))
    yield _file("tags", _own(ChatTag.objects.filter(owner=user)).values(*TAG))
    yield _file("links", [_described(link) for link in links_of(user.pk)])


def _described(link: SharedLink) -> dict[str, Any]:
    recipients = link.recipients.all()
    return {
        **{name: getattr(link, name) for name in LINK},
        "people": [each.email for each in recipients if each.email],
        "groups": [each.group.name for each in recipients if each.group],
    }


def _own(rows: QuerySet[Any]) -> QuerySet[Any]:
    return rows.order_by("created_at", "pk")


def _file(kind: str, rows: Iterable[dict[str, Any]]) -> tuple[str, bytes]:
    content = {"format": FORMAT, "version": VERSION, "kind": kind, kind: list(rows)}
    return f"{kind}.json", msgspec.json.format(msgspec.json.encode(content)) + b"\n"
