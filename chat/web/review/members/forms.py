"""Define the forms that administrators use to manage accounts."""

import csv
from typing import Any

from django import forms
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.lib.text import clean
from chat.review.members import member_list
from chat.web.http.form_fields import LineField, SeveralField, TextField
from chat.web.review.http.reason_fields import ReasonField

MAX_INVITED = 500  # in one request
MAX_BYTES = 256 * 1024
BETWEEN_ADDRESSES = str.maketrans(dict.fromkeys("<>,;\"'()", " "))
STATE_NAMES = {
    member_list.ACTIVE: gettext_lazy("Active"),
    member_list.WAITING: gettext_lazy("Awaiting approval"),
    member_list.SUSPENDED: gettext_lazy("Suspended"),
    member_list.OFF: gettext_lazy("Disabled"),
}
ANY = [("", gettext_lazy("Any"))]


def groups() -> Any:
    return Group.objects.order_by("name")


class PeopleForm(forms.Form):
    """Filters of the member list."""

    q = LineField(most=254, required=False, label=gettext_lazy("Name or email"))
    state = forms.ChoiceField(
        required=False, label=gettext_lazy("Account"), choices=[*ANY, *STATE_NAMES.items()]
    )
    group = forms.ModelChoiceField(
        Group.objects.order_by("name"),
        required=False,
        label=gettext_lazy("Group"),
        empty_label=gettext_lazy("Any"),
    )

    @property
    def facets(self) -> member_list.MemberFacets:
        values = self.cleaned_data
        group = values["group"].pk if values["group"] else None
        return member_list.MemberFacets(values["q"], values["state"], group)


class GroupsForm(forms.Form):
    """The groups that a user is in."""

    groups = SeveralField(
        Group.objects.order_by("name"),
        required=False,
        label=gettext_lazy("Groups"),
        widget=forms.CheckboxSelectMultiple,
    )


class InviteForm(forms.Form):
    """Email addresses, typed or in a CSV file: one per line, with an optional group name."""

    people = TextField(
        most=100_000,
        rows=4,
        required=False,
        label=gettext_lazy("Email addresses"),
        help_text=gettext_lazy(
            "One per line. To add a group, put a comma and its name after the address."
        ),
    )
    file = forms.FileField(
        required=False,
        label=gettext_lazy("Or a CSV file"),
        help_text=gettext_lazy(
            "First column: email address. Second column: group. Up to 500 lines."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,text/csv,text/plain"}),
    )
    group = forms.ModelChoiceField(
        Group.objects.order_by("name"),
        required=False,
        label=gettext_lazy("Default group"),
        empty_label=gettext_lazy("None"),
    )
    reason = ReasonField(label=gettext_lazy("Reason (recorded)"))

    def clean_file(self) -> str:
        sent = self.cleaned_data["file"]
        if sent is None:
            return ""
        if sent.size > MAX_BYTES:
            raise ValidationError(_("This file is too large. The limit is 256 KB."))
        try:
            text: str = sent.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ValidationError(_("This file isn't UTF-8 text.")) from None
        return clean(text)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if self.errors:
            return data
        rows = _without_repeats(_rows(data["people"]) + _rows(data["file"]))
        if not rows:
            raise ValidationError(_("Enter at least one email address."))
        if len(rows) > MAX_INVITED:
            words = _("You entered {count} addresses. The limit is {most} at once.")
            raise ValidationError(words.format(count=len(rows), most=MAX_INVITED))
        return data | {"wanted": [self._wanted(row) for row in rows]}

    def _wanted(self, row: list[str]) -> "InvitationRow":
        email, name = row[0], row[1] if len(row) > 1 else ""
        line = ", ".join(row[:2])
        try:
            validate_email(email)
        except ValidationError:
            return InvitationRow(line, email, problem=_("This isn't a valid email address."))
        if not name:
            return InvitationRow(line, email, self.cleaned_data["group"])
        group = Group.objects.filter(name__iexact=name).first()
        problem = "" if group else _("There's no group named “{name}”.").format(name=name)
        return InvitationRow(line, email, group, problem)


class InvitationRow:
    """A person to invite, as it was written in `line`, and what prevents it, if anything."""

    def __init__(
        self, line: str, email: str, group: Group | None = None, problem: str = ""
    ) -> None:
        self.line, self.email, self.group, self.problem = line, email, group, problem


class NameForm(forms.Form):
    """Name of a group."""

    name = LineField(most=150, label=gettext_lazy("Name"))


class AddressForm(forms.Form):
    """The new email address that a user signs in with."""

    email = forms.EmailField(
        max_length=254,
        label=gettext_lazy("New email address"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )


class MemberForm(forms.Form):
    email = TextField(
        most=20_000,
        rows=2,
        label=gettext_lazy("Email addresses"),
        help_text=gettext_lazy("One or more, on lines of their own or separated by commas."),
    )


def addresses_in(text: str) -> list[str]:
    """Return the addresses in a list as mail programs write it: `Doe, Jane <jane@x.org>; b@x.org`.

    If there are none, return what is there.
    """
    words = text.translate(BETWEEN_ADDRESSES).split()
    return [each for each in words if "@" in each] or [text.strip()]


def _rows(text: str) -> list[list[str]]:
    """Return the rows of a CSV file, without its header (a first row that has no address)."""
    lines = text.splitlines()
    cells = [row for line in lines for row in _rows_of(line)]
    rows = [row for row in cells if row and row[0]]
    is_headed = rows and "@" not in rows[0][0] and len(rows) > 1
    return rows[1:] if is_headed else rows


def _rows_of(line: str) -> list[list[str]]:
    """Return the row of an address and a group, or a row for each of several addresses."""
    row = next(([each.strip() for each in cells] for cells in csv.reader([line])), [])
    is_list = "<" in line or ";" in line or any("@" in each for each in row[1:])
    return [[each] for each in addresses_in(line)] if is_list else [row]


def _without_repeats(rows: list[list[str]]) -> list[list[str]]:
    """Return the first row of each address: a second invitation would end the first one."""
    return list({row[0].casefold(): row for row in reversed(rows)}.values())[::-1]
