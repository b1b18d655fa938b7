"""Deleting: nobody finds it from then on, and nobody writes on. sweeping.py removes it later."""

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from chat.accounts import leaving
from chat.accounts.models import User
from chat.conversations import places
from chat.conversations.models import Conversation
from chat.relay.models import Generation


@transaction.atomic
def delete(conversation: Conversation) -> None:
    """An answer that is being written stops with the next flush, in whichever process."""
    places.hide(conversation, settings.UNDO_SECONDS)
    stop(Generation.objects.filter(message__conversation=conversation))


def stop(generations: QuerySet[Generation]) -> None:
    generations.filter(state=Generation.State.RUNNING).update(stop_requested=True)


@transaction.atomic
def delete_account(user: User) -> None:
    """Nobody can sign in to it from now on, and none of its conversations can be brought back."""
    leaving.close(user)
    hide_all_of(user)


def hide_all_of(user: User) -> None:
    conversations_of(user).update(goes_at=Now())
    stop(Generation.objects.filter(Q(owner=user) | Q(owner__visitor__site__owner=user)))


def conversations_of(user: User) -> QuerySet[Conversation]:
    """Hidden ones too, and those of visitors of the user's sites, which go with it."""
    return Conversation.everything.filter(Q(owner=user) | Q(owner__visitor__site__owner=user))
