"""Closing an account: it is nobody's from then on. purge.py removes what it owned.

Its name, address, password and preferences go at once, so the address is free for a new account,
and every session of it ends: none fits the password any more.
"""

import uuid
from collections.abc import Iterator

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db.models.functions import Now

from chat.accounts.models import User
from chat.accounts.sessions import devices

SESSIONS_AT_ONCE = 500


def is_needed(user: User) -> bool:
    """Whether nobody else could run the site."""
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    return user.is_superuser and not others.exists()


def close(user: User) -> None:
    """Call it inside a transaction."""
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    devices.forget(user)
    user.email = f"{uuid.uuid4().hex}@deleted.invalid"
    user.name, user.preferences = "", {}
    user.is_active = user.is_staff = user.is_superuser = False
    user.suspended_at = user.suspended_until = None
    user.set_unusable_password()
    user.left_at = Now()  # with the rest: who saves it knows that it is closed
    user.save()
    user.refresh_from_db(fields=["left_at"])


def forget_sessions(user: User) -> Iterator[None]:
    """Removes the sessions of a closed account, a batch at a time: only by reading all is it known
    whose they are."""
    store, last = SessionStore(), ""
    while True:
        found = list(
            Session.objects.filter(session_key__gt=last).order_by("session_key")[:SESSIONS_AT_ONCE]
        )
        theirs = [
            each.pk
            for each in found
            if store.decode(each.session_data).get("_auth_user_id") == str(user.pk)
        ]
        Session.objects.filter(pk__in=theirs).delete()
        if len(found) < SESSIONS_AT_ONCE:
            return
        last = found[-1].session_key
        yield


def forget_name(user: User) -> None:
    """What staff did to the account stays in their log, without saying whose it was."""
    users = ContentType.objects.get_for_model(User)
    about = LogEntry.objects.filter(content_type=users, object_id=str(user.pk))
    about.update(object_repr="", object_id=None)
