"""Purge what was deleted: expired conversations, widget sites and closed accounts.

Any process may purge, in small transactions and without state of its own, so another process can
finish what a dead one began. Messages are removed from the newest to the oldest, so that no message
loses its parent before it goes itself.
"""

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from chat.accounts import account_closure
from chat.accounts.models import User
from chat.conversations.images import image_cleanup
from chat.conversations.legal_hold import purgeable
from chat.conversations.models import Conversation, Message, Rating
from chat.conversations.sizes.row_batches import first_batch
from chat.generations.deletion.soft_delete import hide_all, on_site, owned_by
from chat.generations.models import Generation, LogPage
from chat.quotas import ledger
from chat.widget_sites.models import WidgetSite

GENERATIONS_AT_ONCE = 500


def steps() -> Iterator[bool]:
    """Purge one batch after the other; yield True after each until nothing is left to purge."""
    yield from _remove_conversations()
    for site in WidgetSite.all_objects.filter(deleted_at__isnull=False):
        yield from _remove_all(on_site(site))
        _remove_site(site)
    for user in User.objects.filter(closed_at__isnull=False):
        yield from _remove_all(owned_by(user))
        while ledger.anonymise(user.pk):
            yield True
        _remove_account(user)


def _remove_all(whose: Q) -> Iterator[bool]:
    hide_all(whose)  # catches what concurrent requests added since the deletion
    yield True
    yield from _remove_conversations()


def _remove_conversations() -> Iterator[bool]:
    while _remove_messages():
        yield True


@transaction.atomic
def _remove_messages() -> bool:
    """Purge the newest messages of one conversation; return False if no conversation is due.

    The conversation itself goes with its last messages.
    """
    # A running answer would add its next log page during the purge.
    running = Generation.objects.filter(
        message__conversation=OuterRef("pk"), state=Generation.State.RUNNING
    )
    due = Conversation.all_objects.filter(~Exists(running), purgeable(), purge_after__lte=Now())
    # A locked conversation is being handled by another process.
    conversation = due.select_for_update(skip_locked=True).order_by("purge_after").first()
    if conversation is None:
        return False
    ids = first_batch(conversation.messages.order_by("-id"))
    generations = list(
        Generation.objects.filter(message__in=ids).values_list("pk", flat=True)[
            :GENERATIONS_AT_ONCE
        ]
    )
    LogPage.objects.filter(generation__in=generations).delete()
    Generation.objects.filter(pk__in=generations).delete()
    if len(generations) == GENERATIONS_AT_ONCE:
        return True  # an imported answer may have many generations
    Rating.objects.filter(message__in=ids).delete()
    images = image_cleanup.ids_of(ids)
    Message.objects.filter(id__in=ids).delete()
    if not conversation.messages.exists():
        conversation.delete()
    image_cleanup.remove_unused(images)
    return True


@transaction.atomic
def _remove_site(site: WidgetSite) -> None:
    if not Conversation.all_objects.filter(on_site(site)).exists():
        site.delete()


@transaction.atomic
def _remove_account(user: User) -> None:
    """Remove the account once nothing refers to it; otherwise leave it for the next run."""
    if ledger.has_open_charge(user.pk) or Conversation.all_objects.filter(owned_by(user)).exists():
        return
    account_closure.anonymise_admin_log(user)
    image_cleanup.remove_all_of(user)
    user.delete()
