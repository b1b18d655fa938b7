"""Create, update and revoke shared links. Each function is one transaction."""

import uuid
from dataclasses import dataclass, field
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Prefetch, QuerySet
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from chat.accounts.models import User
from chat.conversations.images import cleanup
from chat.conversations.images.models import StoredImage
from chat.conversations.models import Conversation
from chat.errors import CannotShare, NotFound
from chat.sharing.models import LinkRecipient, SharedLink, digest_of, token_of
from chat.sharing.recipients import Recipients, set_recipients
from chat.sharing.snapshot import SharedBranch, branch_of, snapshot_turns


@dataclass(frozen=True, slots=True)
class Choices:
    """What a copy includes besides the text, how long it is shared, and with whom."""

    with_name: bool = False
    with_reasoning: bool = False
    with_models: bool = False
    lifetime: timedelta | None = None
    recipients: Recipients = field(default_factory=Recipients)


def links_of(user_id: int) -> QuerySet[SharedLink]:
    """Return all links of a user, newest first, without their turns."""
    links = SharedLink.objects.present().filter(owner=user_id).defer("turns")
    recipients = Prefetch("recipients", LinkRecipient.objects.select_related("group"))
    links = links.select_related("conversation").prefetch_related(recipients)
    return links.order_by("-created_at", "-id")


@transaction.atomic
def make(
    conversation: Conversation, choices: Choices, last_message_id: int | None = None
) -> SharedLink:
    """Create a link to a copy of the current branch.

    `last_message_id` names the branch that the user saw. Raise `CannotShare` if there is nothing to
    share, or too much.
    """
    owner = _lock_links_of(conversation.owner_id)
    require_capacity(owner.pk)
    branch = branch_of(conversation, last_message_id, to_copy=True)
    conversation.refresh_from_db(fields=["title"])  # a redaction may have removed it
    link_id, now = uuid.uuid4(), timezone.now()
    link = SharedLink.objects.create(
        id=link_id,
        digest=digest_of(token_of(link_id)),
        owner=owner,
        conversation=conversation,
        title=conversation.title,
        author=owner.name if choices.with_name else "",
        has_reasoning=choices.with_reasoning,
        has_models=choices.with_models,
        turns=snapshot_turns(branch, choices.with_reasoning, choices.with_models),
        created_at=now,
        expires_at=now + choices.lifetime if choices.lifetime else None,
    )
    _set_images(link, branch)
    set_recipients(link, choices.recipients)
    link.refresh_from_db(fields=["is_restricted", "digest"])
    return link


@transaction.atomic
def update(link: SharedLink) -> None:
    """Have the link show the current branch as it is now, with the same details.

    Its time begins anew. Raise `CannotShare` as `make` does, or `NotFound` if it was revoked.
    """
    _lock_links_of(link.owner_id)
    conversation, now = link.conversation, timezone.now()
    branch = branch_of(conversation, to_copy=True)
    conversation.refresh_from_db(fields=["title"])
    before = list(link.images.values_list("pk", flat=True))
    is_there = SharedLink.objects.filter(pk=link.pk).update(
        title=conversation.title,
        turns=snapshot_turns(branch, link.has_reasoning, link.has_models),
        created_at=now,
        expires_at=now + link.lifetime if link.lifetime else None,
    )
    if not is_there:
        raise NotFound
    _set_images(link, branch)
    cleanup.remove_unused(before)


def _lock_links_of(owner_id: int) -> User:
    """Serialise links of one owner.

    This is no full row lock, because redaction checks that key and would wait.
    """
    return User.objects.select_for_update(no_key=True).get(pk=owner_id)


def _set_images(link: SharedLink, branch: SharedBranch) -> None:
    ids = cleanup.ids_of(each.pk for each in branch.messages)
    link.images.set(StoredImage.objects.images().filter(pk__in=ids).only("pk"))


def revoke(link: SharedLink) -> None:
    """Delete the link and its copy."""
    images = list(link.images.values_list("pk", flat=True))
    link.delete()
    cleanup.remove_unused(images)


def count_opening(link: SharedLink) -> None:
    """Count an opening of the link, without recording a reader."""
    SharedLink.objects.filter(pk=link.pk).update(opened=F("opened") + 1)


def require_capacity(user_id: int) -> None:
    """Raise `CannotShare` if the user has as many links as allowed."""
    most = settings.SHARED_LINKS_LIMIT
    if SharedLink.objects.filter(owner=user_id).count() >= most:
        words = _("You've reached the limit of {most} links. Revoke one you no longer need.")
        raise CannotShare(words.format(most=number_format(most)))
