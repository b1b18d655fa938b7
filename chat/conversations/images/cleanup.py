"""Remove images with the last message that has them, and those that were never sent."""

from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.images.models import MessageImage, StoredImage
from chat.database.housekeeping import delete_all, delete_batch

UNSENT_KEPT = timedelta(days=1)
#: Of one step.
MAX_REMOVED = 100


def ids_of(message_ids: Iterable[int]) -> list[int]:
    """Return the ids of the images of these messages, to pass to `remove_unused` later."""
    uses = MessageImage.objects.filter(message__in=list(message_ids))
    return list(uses.values_list("image", flat=True).distinct())


def remove_unused(image_ids: Iterable[int]) -> None:
    """Remove those of these images that no message and no shared link has any more."""
    unused = StoredImage.objects.filter(
        pk__in=list(image_ids), uses=None, shared_links=None, unsent_since=None
    )
    delete_all(unused.only("pk"))


def remove_unsent() -> int:
    """Remove a batch of images without messages, a day after their upload; return how many."""
    before = timezone.now() - UNSENT_KEPT
    loose = StoredImage.objects.filter(uses=None, shared_links=None)
    old = loose.exclude(unsent_since__gte=before)
    return delete_batch(old.only("pk"), MAX_REMOVED)


def remove_unattached(user: User) -> None:
    """Remove this user's images that no message and no shared link has."""
    StoredImage.objects.filter(owner=user, uses=None, shared_links=None).only("pk").delete()


def remove_all_of(user: User) -> None:
    StoredImage.objects.filter(owner=user).only("pk").delete()
