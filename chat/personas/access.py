"""Fetch personas and prompts with an access check.

All code that handles ids from requests uses these functions. Being allowed to use a persona does
not include reading it: its system prompt is only shown to those who may change it.
"""

import uuid
from typing import TypeVar

from django.contrib.auth.models import Group
from django.db.models import Exists, Q, QuerySet

from chat.accounts.models import User
from chat.errors import NotFound, PersonaUnavailable
from chat.personas.models import Persona, Prompt, Shareable

T = TypeVar("T", bound=Shareable)


def usable(kind: type[T], user_id: int) -> QuerySet[T]:
    """Return the user's own objects and those shared with them, by name."""
    mine = Group.objects.filter(user=user_id)
    with_mine = kind._default_manager.filter(groups__in=mine).values("pk")
    sites = Q(owner=None) & (Q(for_everybody=True) | Q(pk__in=with_mine) | _is_staff(user_id))
    return kind._default_manager.filter(Q(owner=user_id) | sites).order_by("name", "id")


def editable(kind: type[T], user_id: int) -> QuerySet[T]:
    """Return the user's own objects and, for staff, also the site's."""
    sites = Q(owner=None) & _is_staff(user_id)
    return kind._default_manager.filter(Q(owner=user_id) | sites).order_by("name", "id")


def persona_of(user_id: int, persona_id: str | uuid.UUID) -> Persona:
    """Return a persona that the user may start a chat with; raise `PersonaUnavailable`."""
    persona = usable(Persona, user_id).filter(pk=uuid_of(persona_id, PersonaUnavailable)).first()
    if persona is None:
        raise PersonaUnavailable
    return persona


def prompt_of(user_id: int, prompt_id: str | uuid.UUID) -> Prompt:
    """Return a prompt that the user may use; raise `NotFound` if there is none."""
    return _one(usable(Prompt, user_id), prompt_id)


def editable_object(kind: type[T], user_id: int, its_id: str | uuid.UUID) -> T:
    """Return an object that the user may read and change; raise `NotFound` if there is none."""
    return _one(editable(kind, user_id), its_id)


def _one(among: QuerySet[T], its_id: str | uuid.UUID) -> T:
    one = among.filter(pk=uuid_of(its_id, NotFound)).first()
    if one is None:
        raise NotFound
    return one


def uuid_of(text: str | uuid.UUID, error: type[NotFound]) -> uuid.UUID:
    try:
        return uuid.UUID(str(text))
    except ValueError:
        raise error from None


def _is_staff(user_id: int) -> Q:
    return Q(Exists(User.objects.filter(pk=user_id, is_staff=True)))
