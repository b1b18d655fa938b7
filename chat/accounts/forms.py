from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.lib.text import clean


class InvitedForm(forms.Form):
    """Name and password of somebody who was invited; the address is the invitation's."""

    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "name", "dir": "auto"}),
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, sent: Any, email: str) -> None:
        super().__init__(sent)
        self._email = email

    def clean_name(self) -> str:
        return " ".join(clean(self.cleaned_data["name"]).split())

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
    """E-mail and password of the account that will run the site."""

    email = forms.EmailField(
        label=_("Email address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if User.objects.filter(email__iexact=email).exists():
            raise ValidationError(_("There is an account with this email address already."))
        return email

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if "email" in data and "password" in data:
            try:
                validate_password(data["password"], User(email=data["email"]))
            except ValidationError as error:
                self.add_error("password", error)
        return data
