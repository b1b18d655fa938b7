"""Close accounts for good. purge.py later removes what they owned.

Name, address, password and preferences are removed at once, which frees the address for a new
account, and all sessions end.
"""

import uuid
from collections.abc import Callable

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models.functions import Now

from chat.accounts.models import User
from chat.accounts.sessions import devices

#: Called with the account before it is closed, in the transaction that closes it.
closing_hooks: list[Callable[[User], None]] = []


def close_account(user: User) -> None:
    """Close the account. Call it inside a transaction."""
    for hook in closing_hooks:
        hook(user)
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    SocialAccount.objects.filter(user=user).delete()
    devices.end_all(user.pk)
    user.email = f"{uuid.uuid4().hex}@deleted.invalid"
    user.name, user.preferences = "", {}
    user.is_active = user.is_staff = user.is_superuser = False
    user.suspended_at = user.suspended_until = None
    user.set_unusable_password()
    user.closed_at = Now()  # with the rest, so that signal handlers see that it is closed
    user.save()
    user.refresh_from_db(fields=["closed_at"])


def anonymise_admin_log(user: User) -> None:
    """Anonymise the admin's log entries about the account."""
    users = ContentType.objects.get_for_model(User)
    about = LogEntry.objects.filter(content_type=users, object_id=str(user.pk))
    about.update(object_repr="", object_id=None)
