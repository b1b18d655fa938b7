"""Forms for sign-up, for accepting an invitation, and for the first superuser."""

from typing import Any

from allauth.account import app_settings
from allauth.account.forms import SignupForm
from allauth.account.utils import filter_users_by_email
from allauth.core import ratelimit
from django import forms
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _

from chat.accounts.adapter import AccountAdapter
from chat.accounts.models import User
from chat.accounts.sign_up import sign_up_work
from chat.lib.text import one_line
from chat.site_settings import effective


class SignUpForm(SignupForm):
    """Allauth's sign-up form, which does not reveal whether an address has an account.

    If the address must be confirmed or staff must approve the account, everybody sees the same page
    after the same time, and the owner of an existing account gets a mail. Only a site that signs
    people in at once has to say why it does not.

    If the site requires it, the browser solves a proof of work first (sign_up_work.py).
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if sign_up_work.is_required():
            self.fields["work"] = forms.CharField(widget=forms.HiddenInput, required=False)

    def challenge(self) -> dict[str, Any] | None:
        """Return the challenge for the browser; None if the site requires none."""
        return sign_up_work.make_challenge() if sign_up_work.is_required() else None

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean()
        # Checked last: it is accepted only once, so an error in another field must not use it up.
        needs_work = sign_up_work.is_required() and not self.errors
        if needs_work and not sign_up_work.is_solved(data.get("work", "")):
            raise ValidationError(
                _(
                    "The browser check hasn't finished. Turn on JavaScript if it's off, "
                    "then try again."
                )
            )
        return data

    def clean_email(self) -> str:
        """Accept only addresses in the domains that may sign up, if there are any."""
        email = str(super().clean_email())
        domains = effective.sign_up_domains()
        if domains and email.rpartition("@")[2].lower() not in domains:
            raise ValidationError(
                _("To sign up, use an email address that ends in {domains}.").format(
                    domains=", ".join(f"@{each}" for each in domains)
                )
            )
        return email

    def validate_unique_email(self, value: str) -> str:
        is_mandatory = app_settings.EMAIL_VERIFICATION == "mandatory"
        if not is_mandatory and effective.sign_up() != "approval":
            return str(super().validate_unique_email(value))
        self.account_already_exists = bool(filter_users_by_email(value))
        return value

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponseBase | None]:
        if not self.account_already_exists:
            with transaction.atomic():  # all or nothing, if another request is first
                user, response = super().try_save(request)
            return user, response
        email, adapter = self.cleaned_data["email"], AccountAdapter(request)
        make_password(self.cleaned_data["password1"])  # to take as long as for a new account,
        adapter.unstash_verified_email(request)  # which also begins a session
        if effective.sign_up() != "approval":
            user, response = super().try_save(request)
            return user, response
        # Same limit as for allauth's mails that confirm an address.
        if ratelimit.consume(request, action="confirm_email", key=email.lower()):
            adapter.send_account_already_exists_mail(email)
        return None, adapter.respond_waiting(request)


PASSWORD_HINT = _("At least 8 characters. Avoid common passwords, numbers only, and your email.")


class InvitedForm(forms.Form):
    """Name and password of an invited user. The address is the invitation's."""

    name = forms.CharField(
        label=_("Name (optional)"),
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "name", "dir": "auto"}),
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=PASSWORD_HINT,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, sent: Any, email: str) -> None:
        super().__init__(sent)
        self._email = email

    def clean_name(self) -> str:
        return one_line(self.cleaned_data["name"])

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if "password" in data:
            try:
                who = User(email=self._email, name=data.get("name", ""))
                validate_password(data["password"], who)
            except ValidationError as error:
                self.add_error("password", error)
        return data


class FirstStaffForm(forms.Form):
    """Email and password of the first superuser."""

    email = forms.EmailField(
        label=_("Email address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=PASSWORD_HINT,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if User.objects.filter(email__same=email).exists():
            raise ValidationError(_("An account with this email address already exists."))
        return email

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if "email" in data and "password" in data:
            try:
                validate_password(data["password"], User(email=data["email"]))
            except ValidationError as error:
                self.add_error("password", error)
        return data
