"""Define the forms for importing chats and for deleting the account."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.web.http.form_fields import FilesField, FilesInput


class ImportForm(forms.Form):
    file = FilesField(
        label=_("Files"),
        help_text=_(
            "An export from Runnel, ChatGPT, Claude, Open WebUI or LibreChat, as JSON or ZIP."
            " You can choose several files of it."
        ),
        widget=FilesInput(attrs={"accept": ".json,.zip"}),
    )


class DeleteAccountForm(forms.Form):
    """Ask for the password again: an open tab must not be enough to delete an account.

    Somebody without one has to have signed in recently.
    """

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, sent: Any, user: User) -> None:
        super().__init__(sent)
        self._user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self._user.check_password(password):
            raise forms.ValidationError(_("Wrong password."))
        return password
