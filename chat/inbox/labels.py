"""Labels of a site's chats, which its team makes and sets."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from chat.conversations.access import locked
from chat.errors import BadRequest, NotFound
from chat.inbox.models import InboxLabel
from chat.inbox.team_access import Inbox
from chat.review import access
from chat.widget_sites.models import WidgetSite

MAX_LABELS = 30


class LabelExists(BadRequest):
    text = _("There is already a label with this name.")


class TooManyLabels(BadRequest):
    text = _("A website can have 30 labels. Remove one first.")


def labels_of(site: WidgetSite) -> list[InboxLabel]:
    """Return the site's labels, by name."""
    return list(site.labels.all())


@transaction.atomic
def add_label(site: WidgetSite, name: str) -> InboxLabel:
    """Make a label. Raise `LabelExists` or `TooManyLabels`."""
    WidgetSite.objects.select_for_update(no_key=True).get(pk=site.pk)
    known = [each.name.casefold() for each in labels_of(site)]
    if name.casefold() in known:
        raise LabelExists
    if len(known) >= MAX_LABELS:
        raise TooManyLabels
    return site.labels.create(name=name)


def label_of(site: WidgetSite, label_id: int) -> InboxLabel:
    """Return one of the site's labels. Raise `NotFound`."""
    label = site.labels.filter(pk=label_id).first()
    if label is None:
        raise NotFound
    return label


@transaction.atomic
def set_labels(inbox: Inbox, conversation_id: UUID, chosen: Collection[int]) -> None:
    """Give the chat exactly these of the site's labels. Raise `NotFound`."""
    access.owner_of(inbox.staff_context, conversation_id)
    conversation = locked(conversation_id)
    conversation.inbox_labels.set(inbox.site.labels.filter(pk__in=chosen))


@transaction.atomic
def add_to_chat(inbox: Inbox, conversation_id: UUID, label: InboxLabel) -> None:
    """Give the chat one more label. Raise `NotFound`."""
    access.owner_of(inbox.staff_context, conversation_id)
    locked(conversation_id).inbox_labels.add(label)


def labels_by_chat(ids: Iterable[UUID]) -> dict[UUID, list[str]]:
    """Return the names of these chats' labels."""
    rows = InboxLabel.objects.filter(chats__in=list(ids)).values_list("chats", "name")
    names: dict[UUID, list[str]] = defaultdict(list)
    for chat, name in rows:
        names[chat].append(name)
    return names


def labels_of_chat(conversation_id: UUID) -> list[int]:
    """Return the IDs of the chat's labels."""
    return list(InboxLabel.objects.filter(chats=conversation_id).values_list("pk", flat=True))
