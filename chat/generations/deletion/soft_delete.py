"""Deleting: nobody finds it from then on, and nobody writes on. sweeping.py removes it later."""

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from chat.accounts import account_closure
from chat.accounts.models import User
from chat.conversations import list_state
from chat.conversations.models import Conversation
from chat.generations.models import Generation
from chat.widget_sites.models import WidgetSite


@transaction.atomic
def delete(conversation: Conversation) -> None:
    """An answer that is being written stops with the next flush, in whichever process."""
    list_state.hide(conversation, settings.UNDO_SECONDS)
    stop(Generation.objects.filter(message__conversation=conversation))


def stop(generations: QuerySet[Generation]) -> None:
    generations.filter(state=Generation.State.RUNNING).update(stop_requested=True)


@transaction.atomic
def delete_account(user: User) -> None:
    """Nobody can sign in to it from now on, and none of its conversations can be brought back."""
    account_closure.close(user)
    hide_all(owned_by(user))


@transaction.atomic
def delete_site(site: WidgetSite) -> None:
    """Nobody can show it or visit it from now on."""
    WidgetSite.all_objects.filter(pk=site.pk).update(deleted_at=Now(), is_suspended=True)
    hide_all(said_on(site))


def hide_all(whose: Q) -> None:
    # What is hidden already keeps its time: from then on it is counted how long it is held.
    present = Q(purge_after=None) | Q(purge_after__gt=Now())
    Conversation.all_objects.filter(whose, present).update(purge_after=Now())
    stop(Generation.objects.filter(whose))


def owned_by(user: User) -> Q:
    """Whose conversations go with this account: also those of visitors of its sites."""
    return Q(owner=user) | Q(owner__visitor__site__owner=user)


def said_on(site: WidgetSite) -> Q:
    return Q(owner__visitor__site=site)
