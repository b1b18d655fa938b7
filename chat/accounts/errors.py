"""Texts of account forms in this site's words and languages, instead of the libraries' own."""

from django.contrib.auth import password_validation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, ngettext

#: Allauth's label of the address, whose own translations use other words than the pages do.
EMAIL_LABEL = gettext_noop("Email")
#: By the names that allauth gives them.
ACCOUNT_ERRORS: dict[str, str | Promise] = {
    "account_inactive": _("This account is disabled."),
    "cannot_remove_primary_email": _(
        "You can't remove your primary address. Make another one primary first."
    ),
    "duplicate_email": _("This address already belongs to your account."),
    "email_password_mismatch": _("The email address or password isn't correct."),
    "email_taken": _("An account with this email address already exists."),
    "enter_current_password": _("This isn't your current password."),
    "incorrect_code": _("Wrong code."),
    "incorrect_password": _("Wrong password."),
    "invalid_password_reset": _("This link was already used or has expired."),
    "max_email_addresses": _("You can't add more than %d email addresses."),
    "too_many_login_attempts": _("Too many failed attempts. Try again later."),
    "unverified_primary_email": _("Confirm your primary address first."),
    "rate_limited": _("Too many attempts. Wait a moment."),
}
SECOND_FACTOR_ERRORS: dict[str, str | Promise] = {
    "add_email_blocked": _(
        "Your account uses two-factor authentication, so you can't add an email address."
    ),
    "cannot_delete_authenticator": _("You can't turn off two-factor authentication."),
    "cannot_generate_recovery_codes": _(
        "Turn on two-factor authentication before you create recovery codes."
    ),
    "incorrect_code": _("Wrong code."),
    "unverified_email": _(
        "Confirm your email address before you turn on two-factor authentication."
    ),
}


class MinimumLengthValidator(password_validation.MinimumLengthValidator):
    """Django's validator with a message that is translated into every language of the site."""

    def get_error_message(self) -> str:
        return ngettext(
            "This password is too short. Use at least {count} character.",
            "This password is too short. Use at least {count} characters.",
            self.min_length,
        ).format(count=self.min_length)
