"""Let administrators see and revoke members' API keys. They never see the keys themselves."""

from django.db import transaction

from chat.api_keys import keys
from chat.api_keys.models import ApiKey
from chat.errors import NotFound
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.members.member_actions import editable_account


@transaction.atomic
def revoke(staff_context: StaffContext, user_id: int, key_id: int) -> None:
    """Revoke a member's key; its streams end within seconds. Raise `NotFound`."""
    user = editable_account(staff_context, user_id)
    key = ApiKey.objects.filter(owner=user.pk, pk=key_id).first()
    if key is None:
        raise NotFound
    keys.revoke(user.pk, key.pk)
    record_action(
        staff_context, StaffAction.Kind.API_KEY_REVOKED, person=user.pk, detail=key.prefix
    )
