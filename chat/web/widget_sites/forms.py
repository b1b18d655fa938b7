"""Define the form for a widget site."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import BoundField
from django.http import QueryDict
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.accounts.models import User
from chat.errors import BadRequest
from chat.generations import tool_permissions
from chat.personas.access import usable
from chat.personas.models import Persona
from chat.personas.parameters import Range
from chat.site_settings import effective
from chat.web.http import collection_fields, tool_fields
from chat.web.http.collection_fields import CollectionsField
from chat.web.http.form_fields import (
    LineField,
    LinesField,
    NumberField,
    TextField,
    require_url,
)
from chat.web.http.tool_fields import ToolsField
from chat.web.widget_sites.greeting_fields import GreetingForm
from chat.widget_sites.limits import PLACES, Place, limits_of, limits_of_staff, set_limits
from chat.widget_sites.models import AnswerMode, WidgetSite
from chat.widget_sites.origins import read_origin

REQUESTS = Range(0, 10_000, is_whole=True)
TOKENS = Range(0, 1_000_000_000, is_whole=True)
DOLLARS = Range(0, 1_000_000)
DAYS = Range(1, 3650, is_whole=True)
TEXTS = (
    "name",
    "origins",
    "welcome",
    "starters",
    "consent",
    "privacy_url",
    "default_prompt",
    "answer_mode",
)

MAX_ORIGINS = 50
ORIGIN_LENGTH = 300


class OriginsField(LinesField):
    """The websites that may embed a chat, one per line."""

    def __init__(self, **options: Any) -> None:
        super().__init__(most_lines=MAX_ORIGINS, most=ORIGIN_LENGTH, rows=3, **options)
        self.widget.attrs |= {"dir": "ltr", "spellcheck": "false", "autocapitalize": "none"}

    def clean(self, value: Any) -> list[str]:
        origins, wrong = [], []
        for line in super().clean(value):
            try:
                origins.append(read_origin(line))
            except BadRequest as error:
                wrong.append(_("“{line}”: {words}").format(line=line, words=error.public))
        if wrong:
            raise ValidationError(wrong)
        return list(dict.fromkeys(origins))


def name_of(place: Place) -> str:
    """Return the form field of a limit."""
    return "_".join(place)


class WidgetSiteForm(GreetingForm):
    """Create or edit a site."""

    name = LineField(
        most=80,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("Shown to visitors as a heading."),
    )
    origins = OriginsField(
        label=gettext_lazy("Allowed websites"),
        required=False,
        help_text=gettext_lazy(
            "One per line, such as https://www.example.org. https://*.example.org "
            "includes all subdomains. Leave blank to allow none."
        ),
    )
    persona = forms.ModelChoiceField(
        label=gettext_lazy("Persona"),
        queryset=Persona.objects.none(),
        required=False,
        empty_label=gettext_lazy("None"),
        help_text=gettext_lazy("Code on the website's pages can't change it."),
    )
    collections = CollectionsField(
        gettext_lazy(
            "Visitors get answers from these documents, and see their names and the passages that "
            "are quoted. Choose only what everybody may read."
        )
    )
    team_collections = CollectionsField(
        gettext_lazy(
            "Visitors never get answers from these documents, even if you chose them above, too. "
            "They help the team to write answers."
        ),
        gettext_lazy("Collections only for the team"),
    )
    tool_names = ToolsField(
        gettext_lazy("Tools"),
        gettext_lazy(
            "Answers to visitors may use these, unless they are based on your pages only."
        ),
    )
    accepts_files = forms.BooleanField(
        label=gettext_lazy("Visitors can add images and files"),
        required=False,
        help_text=gettext_lazy(
            "Images need a model that reads them. Your team sees what visitors add in the inbox."
        ),
    )
    suggests_questions = forms.BooleanField(
        label=gettext_lazy("Suggest questions after each answer"),
        required=False,
        help_text=gettext_lazy(
            "Up to three appear below the newest answer. Each answer then costs a second, small "
            "request, which counts towards this website's limits."
        ),
    )
    has_cards = forms.BooleanField(
        label=gettext_lazy("Answers can have buttons and cards"),
        required=False,
        help_text=gettext_lazy(
            "Visitors choose between buttons instead of writing, and cards lead to pages of the "
            "allowed websites. The model decides when."
        ),
    )
    answer_mode = forms.ChoiceField(
        label=gettext_lazy("Answers are based"),
        choices=AnswerMode.choices,
        required=False,
        widget=forms.RadioSelect,
        initial=AnswerMode.FREELY,
    )
    default_prompt = TextField(
        most=20_000,
        rows=2,
        label=gettext_lazy("Default question"),
        required=False,
        help_text=gettext_lazy("Used when an API request contains no text."),
    )
    consent = TextField(
        most=5000,
        rows=3,
        label=gettext_lazy("Consent text"),
        required=False,
        help_text=gettext_lazy("Leave blank to skip consent."),
    )
    privacy_url = LineField(
        most=200,
        label=gettext_lazy("Privacy notice address"),
        required=False,
    )
    retention_days = NumberField(
        allowed=DAYS,
        label=gettext_lazy("Delete chats after this many days (leave blank to keep them)"),
    )
    visitor_requests = NumberField(
        allowed=REQUESTS, label=gettext_lazy("Messages per minute per visitor")
    )
    visitor_tokens = NumberField(allowed=TOKENS, label=gettext_lazy("Tokens per day per visitor"))
    site_requests = NumberField(
        allowed=REQUESTS, label=gettext_lazy("Messages per minute in total")
    )
    site_tokens = NumberField(allowed=TOKENS, label=gettext_lazy("Tokens per day in total"))
    site_dollars = NumberField(allowed=DOLLARS, label=gettext_lazy("US dollars per month in total"))

    def __init__(
        self, sent: QueryDict | None, user: User, changed: WidgetSite | None = None
    ) -> None:
        self.user, self.changed = user, changed
        super().__init__(sent, initial=_values_of(changed) if changed else None)
        for place, most in limits_of_staff(changed.key if changed else "").items():
            self.fields[name_of(place)].help_text = _("The limit set by staff is {most}.").format(
                most=formats.number_format(most.normalize(), force_grouping=True)
            )
        personas = self.fields["persona"]
        assert isinstance(personas, forms.ModelChoiceField)  # noqa: S101
        payer = self._payer_id
        collection_fields.offer(self, payer, user.pk)
        offered = tool_permissions.for_owner_of_site(payer)
        tool_fields.offer(self, "tool_names", offered)
        personas.queryset = usable(Persona, payer).only("id", "name")
        if not effective.suggests_questions():
            del self.fields["suggests_questions"]

    @property
    def _payer_id(self) -> int:
        return self.changed.owner_id if self.changed else self.user.pk

    @property
    def where(self) -> list[BoundField]:
        return [self["name"], self["origins"]]

    @property
    def answers(self) -> list[BoundField]:
        return [self["persona"], self["default_prompt"]]

    @property
    def words(self) -> list[BoundField]:
        return [self[name] for name in ("welcome", "starters", "consent", "privacy_url")]

    @property
    def limits(self) -> list[BoundField]:
        return [self[name_of(place)] for place in PLACES]

    def clean_answer_mode(self) -> str:
        stored = self.changed.answer_mode if self.changed else AnswerMode.FREELY
        return self.cleaned_data["answer_mode"] or stored

    def clean_privacy_url(self) -> str:
        return require_url(self.cleaned_data["privacy_url"], "https", "http")

    def clean(self) -> dict[str, Any]:
        most = settings.WIDGET_SITES_LIMIT
        if not self.changed and self.user.sites.filter(deleted_at=None).count() >= most:
            words = _("You've reached the limit of {most}. Delete one first.")
            raise ValidationError(words.format(most=most))
        return super().clean() or {}

    @transaction.atomic
    def save(self) -> WidgetSite:
        values = self.cleaned_data
        site = self.changed or WidgetSite(owner=self.user)
        for name in (*TEXTS, "persona", "retention_days", "accepts_files", "has_cards"):
            setattr(site, name, values[name])
        for name in ("tool_names", "suggests_questions"):  # may not be offered
            setattr(site, name, values.get(name, getattr(site, name)))
        site.updated_at = timezone.now()
        site.save()
        set_limits(site, {place: values[name_of(place)] for place in PLACES})
        for name in ("collections", "team_collections"):
            chosen = getattr(site, name)
            collection_fields.store(values.get(name), chosen, self._payer_id, self.user.pk)
        return site


def _values_of(site: WidgetSite) -> dict[str, Any]:
    limits = {name_of(place): f"{amount:f}" for place, amount in limits_of(site).items()}
    shown = {name: text.removesuffix(".00") for name, text in limits.items()}
    texts = {name: getattr(site, name) for name in TEXTS}
    return (
        texts
        | shown
        | {
            "persona": site.persona_id,
            "collections": site.collections.all(),
            "team_collections": site.team_collections.all(),
            "retention_days": site.retention_days,
            "tool_names": site.tool_names,
            "accepts_files": site.accepts_files,
            "suggests_questions": site.suggests_questions,
            "has_cards": site.has_cards,
        }
    )
