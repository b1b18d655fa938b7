"""Let administrators act on accounts. Each action is one transaction with its log entry."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.accounts.administrators import administrators, keeping_administrators
from chat.accounts.models import Invitation, User
from chat.accounts.security_notices import Notice, notify
from chat.accounts.sessions import devices
from chat.accounts.sign_up import invitations
from chat.api_keys import keys
from chat.api_keys.models import ApiKey
from chat.errors import BadRequest, NotFound
from chat.review.access_log.permission_changes import changed_by
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.staff import roles

Kind = StaffAction.Kind


class EmailTaken(BadRequest):
    text = gettext_lazy("Only a superuser can change another administrator.")


def account(user_id: int) -> User:
    """Return a member's account. Raise `NotFound` for closed ones."""
    user = User.objects.filter(pk=user_id, closed_at=None).first()
    if user is None:
        raise NotFound
    return user


def editable_account(staff_context: StaffContext, user_id: int) -> User:
    """Return the account for a change. Only superusers may change other administrators."""
    user = account(user_id)
    if not may_change(staff_context, user):
        raise EmailTaken
    return user


def may_change(staff_context: StaffContext, user: User) -> bool:
    peers = roles.peers(staff_context.reviewer)
    return user.pk == staff_context.reviewer.user_id or not peers.filter(pk=user.pk).exists()


@transaction.atomic
def approve(staff_context: StaffContext, user_id: int) -> User:
    user = _waiting(staff_context, user_id)
    user.is_active, user.pending_since = True, None
    with changed_by(staff_context):
        user.save(update_fields=["is_active", "pending_since"])
    return user


@transaction.atomic
def reject(staff_context: StaffContext, user_id: int) -> None:
    """Delete an account that awaits approval; it has never been used."""
    user = _waiting(staff_context, user_id)
    record_action(staff_context, Kind.REFUSED, person=user.pk)
    user.delete()


def _waiting(staff_context: StaffContext, user_id: int) -> User:
    user = editable_account(staff_context, user_id)
    if not user.pending_since:
        raise BadRequest(_("This account isn't awaiting approval."))
    return user


@transaction.atomic
def end_sessions(staff_context: StaffContext, user_id: int) -> None:
    """Sign the user out everywhere; their streams end within seconds."""
    user = editable_account(staff_context, user_id)
    record_action(staff_context, Kind.SESSIONS_ENDED, person=user.pk)
    notify(user, Notice.SESSIONS)
    devices.end_all(user.pk)


@transaction.atomic
def remove_second_factor(staff_context: StaffContext, user_id: int) -> None:
    user = editable_account(staff_context, user_id)
    if not Authenticator.objects.filter(user=user).delete()[0]:
        raise BadRequest(_("This account has no second factor."))
    record_action(staff_context, Kind.RESET, person=user.pk, detail="second factor")
    notify(user, Notice.SECOND_FACTOR)


@transaction.atomic
def record_password_reset(staff_context: StaffContext, user_id: int) -> User:
    """Log that a password reset email is sent; the caller sends it after the commit."""
    user = editable_account(staff_context, user_id)
    if not user.is_active:
        raise BadRequest(_("This account is disabled, so a new password would have no effect."))
    record_action(staff_context, Kind.RESET, person=user.pk, detail="password")
    notify(user, Notice.PASSWORD)
    return user


@transaction.atomic
def set_groups(staff_context: StaffContext, user_id: int, groups: Iterable[Group]) -> None:
    user = editable_account(staff_context, user_id)
    with changed_by(staff_context), requiring_administrators(staff_context):
        user.groups.set(set(groups))


def invite(staff_context: StaffContext, email: str, group: Group | None) -> tuple[Invitation, str]:
    """Return an invitation and its token. Raise `ValidationError` if there cannot be one."""
    with transaction.atomic():
        made = invitations.invite(email, group)
        record_action(
            staff_context, Kind.INVITED, detail=str(made[0].pk)
        )  # not the address, which few may know
    return made


@transaction.atomic
def withdraw_invitation(staff_context: StaffContext, invitation_id: int) -> None:
    invitation = Invitation.objects.filter(pk=invitation_id).first()
    if invitation is None:
        raise NotFound
    record_action(staff_context, Kind.INVITED, detail=f"− {invitation.pk}")
    invitation.delete()


@contextmanager
def requiring_administrators(staff_context: StaffContext) -> Iterator[None]:
    """Undo a change of groups that leaves no administrator or removes another one.

    Use inside a transaction. Raise `LastAdministrator` or `EmailTaken`.
    """
    before = _administrator_ids()
    with keeping_administrators():
        yield
    after = _administrator_ids()
    if (
        before - after - {staff_context.reviewer.user_id}
        and not staff_context.reviewer.is_superuser
    ):
        raise EmailTaken


def _administrator_ids() -> set[int]:
    return set(administrators().values_list("pk", flat=True))


@transaction.atomic
def revoke_key(staff_context: StaffContext, user_id: int, key_id: int) -> None:
    """Revoke a member's API key, which staff never see; its streams end within seconds.

    Raise `NotFound`.
    """
    user = editable_account(staff_context, user_id)
    key = ApiKey.objects.filter(owner=user.pk, pk=key_id).first()
    if key is None:
        raise NotFound
    keys.revoke(user.pk, key.pk)
    record_action(
        staff_context, StaffAction.Kind.API_KEY_REVOKED, person=user.pk, detail=key.prefix
    )
