"""Mails that tell a member what the staff did to their account.

They go to the address that the account had before: whoever took it over by another address cannot
keep its owner from hearing of it.
"""

from enum import StrEnum

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from chat.accounts import mail
from chat.accounts.models import User
from chat.accounts.preferences import Preferences


class Notice(StrEnum):
    """What was done, in the words that the mail says it in."""

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


def tell(user: User, notice: Notice, *, address: str = "") -> None:
    """Mail `notice` to `address`, or else to the one that `user` has now.

    It goes once the transaction is stored.
    """
    to, language = address or user.email, Preferences.of(user).language or settings.LANGUAGE_CODE
    with translation.override(language):
        subject = _("Your account at {site}").format(site=settings.SITE_NAME)
        history = "" if notice is Notice.DELETED else settings.SITE_URL + reverse("readers")
        context = {"what": _(notice.value), "history": history, "SITE_NAME": settings.SITE_NAME}
        text = render_to_string("accounts/staff_notice_mail.txt", context)
    message = EmailMessage(subject, text, to=[to])
    transaction.on_commit(lambda: mail.send(message))
