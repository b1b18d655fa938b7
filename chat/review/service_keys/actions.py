"""Let administrators create and revoke service keys; each is recorded, without the key."""

from django.db import transaction
from django.utils import timezone

from chat.accounts.models import User
from chat.api_keys import keys
from chat.api_keys.keys import ServiceKeyOptions
from chat.api_keys.models import ApiKey
from chat.errors import NotFound
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext


@transaction.atomic
def create(staff_context: StaffContext, options: ServiceKeyOptions) -> tuple[ApiKey, str]:
    """Return a new key and its text, which is shown once. Raise `TooManyKeys`."""
    creator = User.objects.get(pk=staff_context.reviewer.user_id)
    key, text = keys.create_service_key(creator, options)
    record_action(staff_context, StaffAction.Kind.SERVICE_KEY_CREATED, detail=_words(key))
    return key, text


@transaction.atomic
def revoke(staff_context: StaffContext, key_id: int) -> None:
    """Revoke a service key, whoever created it. Raise `NotFound`."""
    key = keys.service_keys().select_for_update().filter(pk=key_id).first()
    if key is None:
        raise NotFound
    key.revoked_at = timezone.now()
    key.save(update_fields=["revoked_at"])
    record_action(
        staff_context,
        StaffAction.Kind.API_KEY_REVOKED,
        person=key.owner_id,
        detail=_words(key),
    )


def _words(key: ApiKey) -> str:
    limits = [("groups", key.group_ids), ("websites", key.site_ids)]
    limited = "".join(f", {name} {ids}" for name, ids in limits if ids)
    return f"{key.pk} {key.name}: {key.scopes}{limited}"
