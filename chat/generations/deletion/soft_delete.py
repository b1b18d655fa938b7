"""Soft-delete conversations, accounts and widget sites. `purge.py` removes them later."""

from collections.abc import Sequence

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from chat.accounts import closure
from chat.accounts.models import User
from chat.conversations import list_state
from chat.conversations.models import Conversation
from chat.generations.models import Generation
from chat.generations.task.cancellation import request_stop
from chat.widget_sites.models import Visitor, VisitorToken, WidgetSite


@transaction.atomic
def delete(conversation: Conversation) -> None:
    """Hide the conversation and stop its running answers.

    Each answer stops with the next flush of the process that writes it. The conversation can be
    restored for `UNDO_SECONDS`.
    """
    list_state.hide(conversation, settings.UNDO_SECONDS)
    request_stop(Generation.objects.filter(message__conversation=conversation))


@transaction.atomic
def delete_several(conversations: Sequence[Conversation]) -> None:
    """Hide these conversations like `delete`."""
    ids = [each.pk for each in conversations]
    list_state.hide_all(Conversation.objects.filter(pk__in=ids), settings.UNDO_SECONDS)
    request_stop(Generation.objects.filter(message__conversation__in=ids))


@transaction.atomic
def delete_account(user: User) -> None:
    """Close the account and hide its conversations, which cannot be restored.

    Its websites are deleted. A visitor is unknown to the website from then on.
    """
    closure.close_account(user)
    VisitorToken.objects.filter(visitor__user=user).delete()
    Visitor.objects.filter(user=user).update(name="", subject="")
    for site in WidgetSite.objects.filter(owner=user):
        delete_site(site)
    hide_all(owned_by(user))


@transaction.atomic
def delete_site(site: WidgetSite) -> None:
    """Suspend and delete the widget site and hide its conversations, which cannot be restored."""
    WidgetSite.all_objects.filter(pk=site.pk).update(deleted_at=Now(), is_suspended=True)
    hide_all(on_site(site))


def hide_all(whose: Q) -> None:
    """Mark all matching conversations as due for the purge, and stop their answers."""
    # Already hidden conversations keep their time: legal holds are counted from it.
    present = Q(purge_after=None) | Q(purge_after__gt=Now())
    list_state.hide_all(Conversation.all_objects.filter(whose, present))
    request_stop(Generation.objects.filter(whose))


def owned_by(user: User) -> Q:
    """Match conversations that are deleted with this account.

    These include conversations of visitors of its widget sites.
    """
    return Q(owner=user) | Q(owner__visitor__site__owner=user)


def on_site(site: WidgetSite) -> Q:
    """Match conversations of the visitors of this site."""
    return Q(owner__visitor__site=site)
