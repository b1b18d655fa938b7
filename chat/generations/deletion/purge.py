"""Purge what was deleted: expired conversations, widget sites and closed accounts.

Any process may purge, in small transactions and without state of its own, so another process can
finish what a dead one began. Messages are removed from the newest to the oldest, so that no message
loses its parent before it goes itself.

A conversation, site or account that can't be removed is left for later, and the others go on.
"""

from collections.abc import Generator, Iterator

from django.db import transaction
from django.db.models import CASCADE, Exists, ForeignObjectRel, Model, OuterRef, Q
from django.db.models.functions import Now

from chat.accounts import closure
from chat.accounts.models import User
from chat.conversations import drafts
from chat.conversations.images import cleanup
from chat.conversations.legal_hold import purgeable
from chat.conversations.models import Conversation, Message, Rating
from chat.conversations.search import deleted_words
from chat.conversations.sizes.row_batches import first_batch
from chat.database.housekeeping import IsolatedWork, delete_batch, isolated, left_out
from chat.generations.deletion.soft_delete import hide_all, on_site, owned_by
from chat.generations.models import Generation, LogPage
from chat.quotas import anonymous_charges
from chat.quotas.payer import Payer
from chat.widget_sites.models import Visitor, WidgetSite

GENERATIONS_AT_ONCE = VISITORS_AT_ONCE = 500
CONVERSATIONS, SITES, ACCOUNTS = (
    model._meta.db_table for model in (Conversation, WidgetSite, User)
)

#: Models with rows that a held chat is shown with, which say who may review it, or that staff wrote
#: about the account. What else refers to an account goes at once.
KEPT_WITH_CHATS = frozenset(
    {
        "admin.LogEntry",
        "chat.Conversation",
        "chat.ConversationStats",
        "chat.Generation",
        "chat.ModerationWarning",
        "chat.Rating",
        "chat.StoredImage",
        "chat.User_groups",
        "chat.Visitor",
        "chat.WidgetSite",
    }
)
#: The same of websites: the visitors whose chats are held, the staff who may read these, and the
#: rules that found them.
KEPT_OF_SITES = frozenset({"chat.ReviewScope", "chat.Rule", "chat.Visitor"})


def steps() -> Iterator[bool]:
    """Purge one batch after the other; yield True after each until nothing is left to purge."""
    for remove in (_remove_conversations, _remove_sites, _remove_accounts):
        with isolated("purge", remove.__name__):
            yield from remove()


def _remove_sites() -> Iterator[bool]:
    sites = WidgetSite.all_objects.filter(deleted_at__isnull=False)
    for site in sites.exclude(pk__in=left_out(SITES)):
        with isolated(SITES, site.pk):
            yield from _remove_all(on_site(site))
            yield from _anonymise_charges(Payer(site=site.key))
            _remove_site(site)


def _remove_accounts() -> Iterator[bool]:
    users = User.all_objects.filter(closed_at__isnull=False)
    for user in users.exclude(pk__in=left_out(ACCOUNTS)):
        with isolated(ACCOUNTS, user.pk):
            yield from _remove_all(owned_by(user))
            yield from _anonymise_charges(_payer_of(user))
            _remove_account(user)


def _remove_all(whose: Q) -> Iterator[bool]:
    hide_all(whose)  # catches what concurrent requests added since the deletion
    yield True
    yield from _remove_conversations()


def _anonymise_charges(payer: Payer) -> Iterator[bool]:
    while anonymous_charges.anonymise(payer):
        yield True


def _payer_of(user: User) -> Payer:
    visitor = Visitor.objects.filter(user=user).first()
    return Payer(visitor=visitor.pk.hex) if visitor else Payer(user_id=user.pk)


def purge_drafts(user_id: int) -> Generator[None, None, None]:
    """Purge what interrupted imports and copies of this member left, one batch after the other."""
    while _remove_next(drafts.abandoned_by(user_id)):
        yield


def _remove_conversations() -> Iterator[bool]:
    while _remove_next(Q()):
        yield True


def _remove_next(whose: Q) -> bool:
    """Purge a batch of the next conversation; return False if no conversation is due."""
    with isolated(CONVERSATIONS) as attempt:
        return _remove_messages(attempt, whose)
    return True  # it failed, and the next one is due


@transaction.atomic
def _remove_messages(attempt: IsolatedWork, whose: Q) -> bool:
    """Purge the newest messages of one conversation, and with its last ones itself."""
    # A running answer would add its next log page during the purge.
    running = Generation.objects.filter(
        message__conversation=OuterRef("pk"), state=Generation.State.RUNNING
    )
    due = Conversation.all_objects.filter(~Exists(running), purgeable(), purge_after__lte=Now())
    # A locked conversation is being handled by another process.
    due = due.filter(whose).exclude(pk__in=left_out(CONVERSATIONS))
    conversation = due.select_for_update(skip_locked=True).order_by("purge_after").first()
    if conversation is None:
        return False
    attempt.key = conversation.pk
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
    images = cleanup.ids_of(ids)
    Message.objects.filter(id__in=ids).delete()
    deleted_words.merge_soon()
    if not conversation.messages.exists():
        conversation.delete()
    cleanup.remove_unused(images)
    return True


@transaction.atomic
def _remove_site(site: WidgetSite) -> None:
    """Remove the site once no chat is left of it; until then, all but its held chats."""
    has_chats = Conversation.all_objects.filter(on_site(site)).exists()
    if not has_chats and not anonymous_charges.has_charges(Payer(site=site.key)):
        site.delete()
        return
    _remove_related(site, KEPT_OF_SITES)
    WidgetSite.all_objects.filter(pk=site.pk).update(webhook_url="", webhook_secret="")
    without_chats = User.all_objects.filter(visitor__site=site, conversations=None)
    delete_batch(without_chats, VISITORS_AT_ONCE)


@transaction.atomic
def _remove_account(user: User) -> None:
    """Remove the account once no chat is left of it; until then, all but its held chats."""
    if anonymous_charges.has_charges(_payer_of(user)):
        return
    if Conversation.all_objects.filter(owned_by(user)).exists():
        remove_all_but_held_chats(user)
        return
    closure.anonymise_admin_log(user)
    cleanup.remove_all_of(user)
    user.delete()


def remove_all_but_held_chats(user: User) -> None:
    """Remove what an account had, except for chats that staff hold, and what those need.

    Call it inside a transaction.
    """
    _remove_related(user, KEPT_WITH_CHATS)
    cleanup.remove_unattached(user)
    for site in WidgetSite.all_objects.filter(owner=user):
        _remove_site(site)


def _remove_related(row: User | WidgetSite, kept: frozenset[str]) -> None:
    """Remove the rows that refer to this one, except for those of the `kept` models."""
    for relation in cascading_to(type(row)):
        model = relation.related_model
        if model._meta.label not in kept:
            model._base_manager.filter(**{relation.field.name: row}).delete()


def cascading_to(model: type[Model]) -> list[ForeignObjectRel]:
    """Return the relations of rows that go with one of this model.

    Those without a name on this side (`related_name="+"`), which Django calls hidden, are among
    them.
    """
    return [
        each
        for each in model._meta.get_fields(include_hidden=True)
        if isinstance(each, ForeignObjectRel) and getattr(each, "on_delete", None) is CASCADE
    ]
