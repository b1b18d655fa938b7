"""Define the forms of the site's settings. What the environment sets is shown, and read-only."""

from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.conversations.retention import periods
from chat.personas.parameters import Range
from chat.site_settings import effective, setting_names
from chat.site_settings.announcement import Announcement
from chat.web.http.form_fields import (
    LineField,
    LinesField,
    MomentField,
    NumberField,
    TextField,
    require_url,
)
from chat.web.widget_sites.look_form import COLOR, PictureField
from chat.widget_sites.look import pictures

MAX_NAME = 60
MAX_STARTERS, MAX_STARTER = 6, 200
MAX_DOMAINS, MAX_DOMAIN = 50, 100
MAX_ANNOUNCEMENT = 500
LOCAL_TIME = "%Y-%m-%dT%H:%M"
POLICIES = (
    ("open", gettext_lazy("Everyone")),
    ("approval", gettext_lazy("Everyone, after approval by an administrator")),
    ("invitation", gettext_lazy("Only people with an invitation")),
    ("closed", gettext_lazy("No one. Administrators create accounts.")),
)
LEVELS = (
    ("info", gettext_lazy("Information")),
    ("warning", gettext_lazy("Warning")),
    ("urgent", gettext_lazy("Urgent")),
)


class SectionForm(forms.Form):
    """Settings of the site, saved together. `NAMES` has the setting of each field."""

    NAMES: ClassVar[dict[str, str]] = {}

    def __init__(self, sent: Any = None, files: Any = None) -> None:
        super().__init__(sent, files, initial=self.stored_values())
        for field, name in self.NAMES.items():
            if effective.is_from_environment(name):
                self.fields[field].disabled = True
                words = _("Set by the environment variable {name}, so it can't be changed here.")
                self.fields[field].help_text = words.format(name=name)

    def stored_values(self) -> dict[str, Any]:
        return {}

    def values(self) -> dict[str, Any]:
        """Return what to store for each setting; None for its usual value."""
        data = self.cleaned_data
        return {name: data[field] or None for field, name in self.NAMES.items()}


class BrandForm(SectionForm):
    """The site's name, logo and colour."""

    NAMES: ClassVar = {
        "site_name": setting_names.SITE_NAME,
        "accent_color": setting_names.ACCENT_COLOR,
    }

    site_name = LineField(
        most=MAX_NAME,
        label=gettext_lazy("Name"),
        required=False,
        help_text=gettext_lazy("Shown on every page and in emails."),
    )
    accent_color = LineField(
        most=7,
        label=gettext_lazy("Accent color"),
        required=False,
        help_text=gettext_lazy(
            "For example: #0b6e4f. A color that would be hard to read is made darker or lighter."
            " Leave blank for the default."
        ),
    )
    logo = PictureField(label=gettext_lazy("Logo"))
    remove_logo = forms.BooleanField(required=False, label=gettext_lazy("Remove the logo"))

    def __init__(self, sent: Any = None, files: Any = None) -> None:
        super().__init__(sent, files)
        limits = _("PNG, JPEG or WebP, up to {kilobytes} KB and {pixels} × {pixels} pixels.")
        self.fields["logo"].help_text = limits.format(
            kilobytes=pictures.MAX_KILOBYTES, pixels=pictures.MAX_PIXELS
        )
        if not effective.logo():
            del self.fields["remove_logo"]

    def stored_values(self) -> dict[str, Any]:
        return {"site_name": effective.site_name(), "accent_color": effective.accent_color()}

    def clean_accent_color(self) -> str:
        color: str = self.cleaned_data["accent_color"].lower()
        if color and not COLOR.fullmatch(color):
            raise ValidationError(_("Enter # and six digits or letters from a to f."))
        return color

    @property
    def logo_change(self) -> bytes | None:
        """The new logo; empty to remove it, None to keep it as it is."""
        content: bytes = self.cleaned_data["logo"]
        return content or (b"" if self.cleaned_data.get("remove_logo") else None)


class MemberRetentionForm(SectionForm):
    NAMES: ClassVar = {"days": setting_names.RETENTION_DAYS}

    days = NumberField(
        allowed=Range(1, periods.MAX_DAYS, is_whole=True),
        label=gettext_lazy("Delete chats that nobody used for (days)"),
    )

    def stored_values(self) -> dict[str, Any]:
        return {"days": effective.retention_days()}


class SignUpPolicyForm(SectionForm):
    """Who can create an account, and what they agree to."""

    NAMES: ClassVar = {
        "sign_up": setting_names.SIGN_UP,
        "domains": setting_names.SIGN_UP_DOMAINS,
        "terms_url": setting_names.TERMS_URL,
        "privacy_url": setting_names.PRIVACY_URL,
    }

    sign_up = forms.ChoiceField(
        label=gettext_lazy("Who can create an account?"),
        choices=POLICIES,
        widget=forms.RadioSelect,
    )
    domains = LinesField(
        most_lines=MAX_DOMAINS,
        most=MAX_DOMAIN,
        rows=3,
        required=False,
        label=gettext_lazy("Email domains"),
        help_text=gettext_lazy(
            "Only people with an email address at these domains can sign up. One domain per line, "
            "such as example.org. Leave blank to allow all. Invitations work for any address."
        ),
    )
    terms_url = LineField(most=300, required=False, label=gettext_lazy("Address of your terms"))
    privacy_url = LineField(
        most=300,
        required=False,
        label=gettext_lazy("Address of your privacy policy"),
        help_text=gettext_lazy("Linked on the pages where people sign up and sign in."),
    )

    def stored_values(self) -> dict[str, Any]:
        return {
            "sign_up": effective.chosen_sign_up(),
            "domains": effective.sign_up_domains(),
            "terms_url": effective.terms_url(),
            "privacy_url": effective.privacy_url(),
        }

    def __init__(self, sent: Any = None, files: Any = None) -> None:
        super().__init__(sent, files)
        domains = self.fields["domains"]
        if not domains.disabled and settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory":
            needs = _("Requires the environment variable EMAIL_CONFIRMATION=mandatory.")
            domains.help_text = f"{domains.help_text} {needs}"

    def clean_domains(self) -> list[str]:
        domains = [each.lower().removeprefix("@") for each in self.cleaned_data["domains"]]
        if any(set(each) & set("@* ,/") or "." not in each for each in domains):
            raise ValidationError(_("Enter domains like example.org, one per line."))
        if domains and settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory":
            words = _(
                "This requires the environment variable EMAIL_CONFIRMATION=mandatory. Otherwise, "
                "anyone could enter an address at these domains."
            )
            raise ValidationError(words)
        return domains

    def clean_terms_url(self) -> str:
        return require_url(self.cleaned_data["terms_url"], "https", "http")

    def clean_privacy_url(self) -> str:
        return require_url(self.cleaned_data["privacy_url"], "https", "http")


class WelcomeForm(SectionForm):
    """What people see in an empty chat, and an announcement."""

    starters = LinesField(
        most_lines=MAX_STARTERS,
        most=MAX_STARTER,
        rows=5,
        required=False,
        label=gettext_lazy("Example questions"),
        help_text=gettext_lazy(
            "Shown in an empty chat, one per line. Leave blank for the defaults."
        ),
    )
    announcement = TextField(
        most=MAX_ANNOUNCEMENT,
        rows=3,
        required=False,
        label=gettext_lazy("Announcement"),
        help_text=gettext_lazy(
            "Shown to each person above the message box until they dismiss it. Leave blank for "
            "none."
        ),
    )
    level = forms.ChoiceField(label=gettext_lazy("Type"), choices=LEVELS, required=False)
    starts_at = MomentField(
        label=gettext_lazy("From"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=LOCAL_TIME),
        help_text=gettext_lazy("In your time zone. Leave blank to show it immediately."),
    )
    ends_at = MomentField(
        label=gettext_lazy("Until"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=LOCAL_TIME),
        help_text=gettext_lazy("Leave blank to show it until you remove it."),
    )

    def stored_values(self) -> dict[str, Any]:
        announcement = effective.announcement()
        stored: dict[str, Any] = {"starters": effective.starters()}
        if announcement:
            stored |= {"announcement": announcement.text, "level": announcement.level}
            stored |= {"starts_at": announcement.starts_at, "ends_at": announcement.ends_at}
        return stored

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        starts_at, ends_at = values.get("starts_at"), values.get("ends_at")
        if starts_at and ends_at and ends_at <= starts_at:
            self.add_error("ends_at", _("Choose a time after the start."))
        return values

    def values(self) -> dict[str, Any]:
        data = self.cleaned_data
        announcement = Announcement(
            data["announcement"], data["level"] or "info", data["starts_at"], data["ends_at"]
        )
        return {
            setting_names.STARTERS: data["starters"] or None,
            setting_names.ANNOUNCEMENT: announcement.stored() if announcement.text else None,
        }
