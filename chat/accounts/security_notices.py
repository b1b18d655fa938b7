"""Notify members by mail of what staff did to their account.

Mails go to the address that the account had before, so taking an account over by changing its
address does not go unnoticed.
"""

from enum import StrEnum

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from chat.accounts import mail
from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.site_settings import effective


class Notice(StrEnum):
    """What was done, with the text of the mail."""

    ADDRESS = gettext_noop(
        "A staff member changed your account's email address. You can no longer sign in "
        "with this one."
    )
    PASSWORD = gettext_noop(
        "A staff member requested a password reset for your account. The reset link "
        "comes in a separate email."
    )
    NEW_PASSWORD = gettext_noop("A server administrator set a new password for your account.")
    SECOND_FACTOR = gettext_noop("A staff member removed the second factor from your account.")
    SESSIONS = gettext_noop("A staff member signed you out on all devices.")
    DELETED = gettext_noop("A staff member deleted your account.")


def notify(user: User, notice: Notice, *, address: str = "") -> None:
    """Mail `notice` to `address`, or to the user's current one.

    The mail is sent once the transaction is committed.
    """
    to, language = address or user.email, Preferences.of(user).language or settings.LANGUAGE_CODE
    with translation.override(language):
        subject = _("Your {site} account").format(site=effective.site_name())
        history = "" if notice is Notice.DELETED else settings.SITE_URL + reverse("access_history")
        context = {"what": _(notice.value), "history": history, "SITE_NAME": effective.site_name()}
        text = render_to_string("accounts/staff_notice_mail.txt", context)
    message = mail.message(subject, text, to)
    transaction.on_commit(lambda: mail.send(message))
