"""Define the form for a persona."""

from typing import Any

from django import forms
from django.db import transaction
from django.forms import BoundField
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.generations import tool_permissions
from chat.generations.model_permissions import allowed_to
from chat.personas.models import MAX_PERSONAS, Persona
from chat.personas.parameters import CACHE_SECONDS, MAX_TOKENS, RANGES
from chat.web.http import collection_fields, tool_fields
from chat.web.http.audience_form import SharingForm
from chat.web.http.collection_fields import CollectionsField
from chat.web.http.form_fields import LineField, LinesField, NumberField, TextField, offer_choices
from chat.web.http.model_choices import form_choices
from chat.web.http.tool_fields import ToolsField

SYSTEM_PROMPT_LENGTH = 100_000
STARTERS, STARTER_LENGTH = 6, 500
CACHING = (
    ("", gettext_lazy("Site default")),
    ("skip", gettext_lazy("Don't use the cache")),
    ("keep", gettext_lazy("Use the cache")),
)
EFFORTS = (
    ("", gettext_lazy("Model default")),
    ("none", gettext_lazy("Off")),
    ("low", gettext_lazy("Low")),
    ("medium", gettext_lazy("Medium")),
    ("high", gettext_lazy("High")),
)
NUMBERS = (*RANGES, "max_tokens")
TAKEN_AS_GIVEN = (
    "description", "system_prompt", "starters", "model", "fallback_model", "max_tokens",
    "reasoning_effort",
)  # fmt: skip


class PersonaForm(SharingForm[Persona]):
    kind, most = Persona, MAX_PERSONAS

    description = LineField(
        most=200,
        label=gettext_lazy("Description"),
        required=False,
        help_text=gettext_lazy("A short description for people choosing a persona."),
    )
    system_prompt = TextField(
        most=SYSTEM_PROMPT_LENGTH,
        rows=8,
        label=gettext_lazy("Instructions"),
        required=False,
        help_text=gettext_lazy(
            "Sent to the model before each chat. People who use a shared persona don't "
            "see these instructions, but a model may repeat them, so don't include "
            "secrets."
        ),
    )
    starters = LinesField(
        most_lines=STARTERS,
        most=STARTER_LENGTH,
        rows=4,
        label=gettext_lazy("Example questions"),
        required=False,
        help_text=gettext_lazy("Shown in an empty chat, one per line, up to six."),
    )
    model = forms.ChoiceField(label=gettext_lazy("Model"), required=False)
    collections = CollectionsField(
        gettext_lazy(
            "Answers are based on these documents. People who use a shared persona get answers "
            "from those of the collections that are shared with them, too."
        )
    )
    tool_names = ToolsField(
        gettext_lazy("Tools"),
        gettext_lazy("Answers may use these in each chat with this persona."),
    )
    fallback_model = forms.ChoiceField(label=gettext_lazy("Fallback model"), required=False)
    temperature = NumberField(allowed=RANGES["temperature"], label="temperature")
    top_p = NumberField(allowed=RANGES["top_p"], label="top_p")
    top_k = NumberField(allowed=RANGES["top_k"], label="top_k")
    seed = NumberField(allowed=RANGES["seed"], label="seed")
    repetition_penalty = NumberField(
        allowed=RANGES["repetition_penalty"], label="repetition_penalty"
    )
    frequency_penalty = NumberField(allowed=RANGES["frequency_penalty"], label="frequency_penalty")
    presence_penalty = NumberField(allowed=RANGES["presence_penalty"], label="presence_penalty")
    max_tokens = NumberField(allowed=MAX_TOKENS, label="max_tokens")
    reasoning_effort = forms.ChoiceField(
        label=gettext_lazy("Reasoning"),
        choices=EFFORTS,
        required=False,
        help_text=gettext_lazy("Only for models that support it."),
    )
    caching = forms.ChoiceField(
        label=gettext_lazy("AI Gateway cache"), choices=CACHING, required=False
    )
    cache_seconds = NumberField(
        allowed=CACHE_SECONDS, label=gettext_lazy("Cache duration in seconds")
    )

    @property
    def first(self) -> list[BoundField]:
        return [
            self[name] for name in ("name", "description", "system_prompt", "starters", "model")
        ]

    def __init__(
        self, sent: QueryDict | None, user: User, changed: Persona | None = None, **initial: Any
    ) -> None:
        """Offer the models that the author may use."""
        self.models = allowed_to(user.pk)
        super().__init__(sent, user, changed, **initial)
        collection_fields.offer(self, user.pk)
        tool_fields.offer(self, "tool_names", tool_permissions.offered_to(user.pk))
        for name, blank in (
            ("model", _("Chosen in the chat")),
            ("fallback_model", _("Site default")),
        ):
            choices = form_choices(blank, self.models.values(), Preferences.of(user))
            offer_choices(self, name, choices)

    @property
    def numbers(self) -> list[BoundField]:
        return [self[name] for name in NUMBERS]

    @property
    def others(self) -> list[BoundField]:
        names = ("reasoning_effort", "fallback_model", "caching", "cache_seconds")
        return [self[name] for name in names]

    @property
    def says_more(self) -> bool:
        """Whether an advanced field is set or invalid."""
        return any(each.value() or each.errors for each in (*self.numbers, *self.others))

    def values_of(self, one: Persona) -> dict[str, Any]:
        seconds = one.cache_seconds
        return {
            **super().values_of(one),
            "description": one.description,
            "system_prompt": one.system_prompt,
            "starters": one.starters,
            "collections": one.collections.all(),
            "tool_names": one.tool_names,
            "model": one.model if one.model in self.models else "",
            "fallback_model": one.fallback_model if one.fallback_model in self.models else "",
            **one.parameters,
            "max_tokens": one.max_tokens,
            "reasoning_effort": one.reasoning_effort,
            "caching": "" if seconds is None else "keep" if seconds else "skip",
            "cache_seconds": seconds or None,
        }

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        if values.get("caching") == "keep" and values.get("cache_seconds", "wrong") is None:
            self.add_error("cache_seconds", _("Enter the cache duration."))
        model, effort = self.models.get(values.get("model", "")), values.get("reasoning_effort")
        if model and effort and effort not in model.effort_choices:
            text = _("{model} doesn't support this setting.").format(model=model.name)
            self.add_error("reasoning_effort", text)
        return values

    def apply(self, one: Persona) -> None:
        super().apply(one)
        values = self.cleaned_data
        for name in TAKEN_AS_GIVEN:
            setattr(one, name, values[name])
        one.tool_names = values.get("tool_names", one.tool_names)
        one.parameters = {name: values[name] for name in RANGES if values[name] is not None}
        kept = {"": None, "skip": 0, "keep": values["cache_seconds"]}
        one.cache_seconds = kept[values["caching"]]

    @transaction.atomic
    def save(self) -> Persona:
        one = super().save()
        chosen = self.cleaned_data.get("collections")
        collection_fields.store(chosen, one.collections, self.user.pk)
        return one
