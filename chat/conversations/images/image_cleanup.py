"""Remove images with the last message that has them, and those that were never sent."""

from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.images.models import MessageImage, StoredImage

UNSENT_KEPT = timedelta(days=1)
#: Of one step.
MAX_REMOVED = 100


def ids_of(message_ids: Iterable[int]) -> list[int]:
    """Return the ids of the images of these messages, to pass to `remove_unused` later."""
    found = MessageImage.objects.filter(message__in=list(message_ids))
    return list(found.values_list("image", flat=True).distinct())


def remove_unused(image_ids: Iterable[int]) -> None:
    """Remove those of these images that no message and no shared link has any more."""
    unused = StoredImage.objects.filter(
        pk__in=list(image_ids), uses=None, shared_links=None, unsent_since=None
    )
    unused.only("pk").delete()


def remove_unsent() -> int:
    """Remove a batch of images without messages, a day after their upload; return how many."""
    before = timezone.now() - UNSENT_KEPT
    loose = StoredImage.objects.filter(uses=None, shared_links=None)
    old = loose.exclude(unsent_since__gte=before)
    ids = list(old.values_list("pk", flat=True)[:MAX_REMOVED])
    StoredImage.objects.filter(pk__in=ids).only("pk").delete()
    return len(ids)


def remove_all_of(user: User) -> None:
    StoredImage.objects.filter(owner=user).only("pk").delete()
