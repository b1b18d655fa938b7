"""Change an account's email address, or create, delete or disable the account.

Staff pages and the admin both use this module. Each change is one transaction with its log entry,
and the member is notified at the address they had.
"""

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from chat.accounts import administrators
from chat.accounts.models import User
from chat.accounts.security_notices import Notice, notify
from chat.errors import BadRequest
from chat.generations.deletion.soft_delete import delete_account, owned_by
from chat.review.access_log import staff_actions
from chat.review.access_log.permission_changes import changed_by
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.cases import holds
from chat.review.members.actions import editable_account
from chat.review.moderation import user_moderation

Kind = StaffAction.Kind


@transaction.atomic
def change_address(staff_context: StaffContext, user_id: int, email: str) -> None:
    """Change the sign-in address to `email`, unconfirmed. Raise `ValidationError` if not possible.

    The log contains neither the old nor the new address.
    """
    user = editable_account(staff_context, user_id)
    email = get_adapter().clean_email(email).lower()
    if email == user.email.lower():
        raise ValidationError(_("The account already has this address."))
    others = EmailAddress.objects.filter(email__same=email).exclude(user=user)
    if User.all_objects.filter(email__same=email).exists() or others.exists():
        raise ValidationError(_("An account with this email address already exists."))
    notify(user, Notice.ADDRESS)
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=email, primary=True, verified=False)
    user.email = email
    user.save(update_fields=["email"])
    record_action(staff_context, Kind.ADDRESS_CHANGED, person=user.pk)


@transaction.atomic
def delete(staff_context: StaffContext, user_id: int) -> None:
    """Delete the account as its owner could, unless staff need its data. Raise `BadRequest`."""
    user = editable_account(staff_context, user_id)
    if why_not := deletion_obstacle(staff_context, user):
        raise BadRequest(why_not)
    close(staff_context, user)


@transaction.atomic
def close(staff_context: StaffContext, user: User, detail: str = "") -> None:
    """Delete the account of a member or visitor, who need not agree; what is held stays for now.

    Raise `BadRequest` if it must not be deleted.
    """
    if why_not := closing_obstacle(staff_context, user):
        raise BadRequest(why_not)
    if not user.is_visitor:  # whose account has no address
        notify(user, Notice.DELETED)
    record_action(staff_context, Kind.ACCOUNT_DELETED, person=user.pk, detail=detail)
    with changed_by(staff_context):
        delete_account(user)


@transaction.atomic
def create(user: User) -> None:
    """Save a new account for the current actor. Its owner requests a password by email."""
    user.email = get_adapter().clean_email(user.email).lower()
    user.set_unusable_password()
    user.save()
    staff_actions.record_current_action(Kind.ACCOUNT_MADE, person=user.pk)


@transaction.atomic
def set_enabled(staff_context: StaffContext, user: User, *, is_enabled: bool) -> None:
    """Enable the account, whatever disabled it, or suspend it indefinitely."""
    user = editable_account(staff_context, user.pk)
    if not is_enabled:
        user_moderation.suspend(staff_context, user, None)
        return
    user.is_active, user.pending_since = True, None
    user.suspended_at = user.suspended_until = None
    with changed_by(staff_context):
        user.save(update_fields=["is_active", "pending_since", "suspended_at", "suspended_until"])


def deletion_obstacle(staff_context: StaffContext, user: User) -> str:
    """Return why the account cannot be deleted with all of its data; empty if it can."""
    if why_not := closing_obstacle(staff_context, user):
        return why_not
    if holds.has_evidence(owned_by(user)):
        return _(
            "This account has chats on legal hold or in open cases. You can delete it "
            "once the holds are lifted and the cases are resolved. Until then, you can "
            "suspend it."
        )
    return ""


def closing_obstacle(staff_context: StaffContext, user: User) -> str:
    """Return why the account cannot be closed; empty if it can."""
    if user.pk == staff_context.reviewer.user_id:
        return _("You can delete your own account in Settings.")
    if administrators.is_last_superuser(user):
        return _("You can't delete the only administrator account.")
    return ""
