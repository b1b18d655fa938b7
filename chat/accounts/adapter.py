"""Adapt allauth: who may sign up, addresses of clients, rate limits, and mails to members."""

import logging
from datetime import timedelta
from smtplib import SMTPException
from typing import Any, TypeAlias

from allauth.account.authentication import get_authentication_records
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from chat.accounts import mail
from chat.accounts.client_ip import client_address
from chat.accounts.errors import ACCOUNT_ERRORS
from chat.accounts.mailed_links import absolute_url, site_host
from chat.accounts.models import VISITORS_DOMAIN
from chat.accounts.preferences import Preferences
from chat.accounts.sessions import known_devices
from chat.accounts.sessions.user_agents import browser_name
from chat.accounts.sign_in_limits import LimitedSignIn
from chat.lib.own_paths import is_own_path
from chat.site_settings import effective

#: Names of the routes that security mails link to, for members who did not make the change.
PLACES_TO_LOOK = ("account_reset_password", "devices", "account_email", "mfa_index")

log = logging.getLogger(__name__)


#: Allauth's `AbstractBaseUser`, which is always `User` here.
Account: TypeAlias = Any


class AccountAdapter(LimitedSignIn):
    """The site's answers to the questions of allauth."""

    error_messages = LimitedSignIn.error_messages | ACCOUNT_ERRORS

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether the site lets strangers sign up."""
        return effective.sign_up() in {"open", "approval"}

    def save_user(
        self, request: HttpRequest, user: Account, form: Any, commit: bool = True
    ) -> Account:
        """Save a new account, inactive if it awaits approval by staff."""
        if effective.sign_up() == "approval":
            user.is_active, user.pending_since = False, timezone.now()
        super().save_user(request, user, form, commit)
        return user

    def clean_email(self, email: str) -> str:
        """Reject addresses in the domain reserved for visitors."""
        email = super().clean_email(email)
        if email.rpartition("@")[2].lower().rstrip(".") == VISITORS_DOMAIN:
            raise ValidationError(_("Email can't be sent to this address."))
        return email

    def respond_user_inactive(self, request: HttpRequest, user: Account) -> HttpResponse:
        """Tell a user with the right password why they cannot sign in, and until when."""
        if user.pending_since:
            return self.respond_waiting(request)
        if not user.suspended_at:
            return super().respond_user_inactive(request, user)
        context = {"until": user.suspended_until}
        return render(request, "account/suspended.html", context, status=403)

    def respond_waiting(self, request: HttpRequest) -> HttpResponse:
        return render(request, "account/waiting.html", status=403)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail whose site name and links come from the settings.

        Allauth builds them from the request. Every context value named `…_url` is such a link.
        """
        links = {
            name: absolute_url(value) for name, value in context.items() if name.endswith("_url")
        }
        site = {"current_site": {"name": effective.site_name(), "domain": site_host()}}
        super().send_mail(template_prefix, email, context | links | site)

    def format_email_subject(self, subject: str) -> str:
        return f"[{effective.site_name()}] {subject}"

    def get_from_email(self) -> str:
        return mail.sender()

    def login(self, request: HttpRequest, user: Account) -> None:
        """Sign in, and notify the account's owner by mail if the device is new."""
        is_first = user.last_login is None
        super().login(request, user)
        if not is_first and not known_devices.is_known(request, user.pk):
            self.send_notification_mail("account/email/new_device", user)
        if settings.SSO_SESSION_HOURS and _came_by_single_sign_on(request, user):
            request.session.set_expiry(timezone.now() + timedelta(hours=settings.SSO_SESSION_HOURS))

    def get_reauthentication_methods(self, user: Account) -> list[dict[str, Any]]:
        """Return the methods under this site's names."""
        names = {
            "reauthenticate": _("Use your password"),
            "mfa_reauthenticate": _("Use a code"),
            "mfa_reauthenticate:webauthn": _("Use a passkey"),
        }
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [each | {"description": names[each["id"]]} for each in methods]

    def send_notification_mail(
        self,
        template_prefix: str,
        user: Account,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Send a notification in the member's language.

        A mail that cannot be sent is only logged, as the change it reports is already made.
        """
        links = {f"{name}_url": reverse(name) for name in PLACES_TO_LOOK}
        user_agent = self.get_http_user_agent(self.request)
        language = Preferences.of(user).language or translation.get_language()
        try:
            with translation.override(language):
                about = {
                    "browser": browser_name(user_agent),
                    "SITE_NAME": effective.site_name(),
                    "PASSWORD_SIGN_IN": settings.PASSWORD_SIGN_IN,
                } | links
                super().send_notification_mail(
                    template_prefix, user, about | (context or {}), email
                )
        except (OSError, SMTPException) as error:
            log.warning("an email couldn't be sent: %s", type(error).__name__)

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def is_safe_url(self, url: str | None) -> bool:
        """Return whether `next` may name this address: only paths of this site.

        Allauth's own check also allows every name in `ALLOWED_HOSTS`, and fails for some URLs.
        """
        return bool(url) and is_own_path(str(url))


def _came_by_single_sign_on(request: HttpRequest, user: Account) -> bool:
    records = get_authentication_records(request, user)
    return any(each["method"] == "socialaccount" for each in records)
