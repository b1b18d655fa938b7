"""Define forms for the catalogue: switches and order of all models, and values of one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.lib.catalogue import Model
from chat.lib.number_format import format_number
from chat.personas.parameters import Range
from chat.review.model_catalogue.actions import is_named
from chat.web.http.form_fields import LineField, NumberField

MAX_PLACE = 9999
MAX_TOKENS = 100_000_000
MAX_USD = 100_000
SWITCH = "is_on"
PRICES = ("input_usd_per_million", "output_usd_per_million")
NUMBERS = {
    "context_window": (gettext_lazy("Context window, in tokens"), Range(1, MAX_TOKENS, True)),
    "max_output_tokens": (gettext_lazy("Longest answer, in tokens"), Range(1, MAX_TOKENS, True)),
    PRICES[0]: (gettext_lazy("Input, US dollars per million tokens"), Range(0, MAX_USD)),
    PRICES[1]: (gettext_lazy("Output, US dollars per million tokens"), Range(0, MAX_USD)),
    "cached_input_usd_per_million": (
        gettext_lazy("Cached input, US dollars per million tokens"),
        Range(0, MAX_USD),
    ),
}
YES_OR_NO = {True: gettext_lazy("Yes"), False: gettext_lazy("No")}
#: What a provider's list may leave open: values with their words.
CHOICES: dict[str, tuple[Any, Mapping[Any, Any]]] = {
    "vision": (gettext_lazy("Reads images"), YES_OR_NO),
    "tools": (gettext_lazy("Calls tools"), YES_OR_NO),
    "reasoning_style": (
        gettext_lazy("Where its reasoning is"),
        {
            "reasoning_content": gettext_lazy("In a field of its own"),
            "inline_think": gettext_lazy("In the text, without an opening tag"),
        },
    ),
}


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model in the table, with its fields."""

    model: Model
    place: forms.BoundField
    is_on: bool

    @property
    def input_price(self) -> str:
        return _price(self.model.input_usd_per_million)

    @property
    def output_price(self) -> str:
        return _price(self.model.output_usd_per_million)


class CatalogueForm(forms.Form):
    """The switch and the place of each model that the providers still have."""

    def __init__(self, sent: Any, models: Mapping[str, Model], wanted: str = "") -> None:
        self.wanted = wanted
        self.models = {name: model for name, model in models.items() if not model.is_gone}
        self.is_on = {name: model.listed for name, model in self.models.items()}
        if sent is not None:
            chosen = set(sent.getlist("offered"))
            shown = {name for name in self.models if f"place-{name}" in sent}
            self.is_on |= {name: name in chosen for name in shown}
        super().__init__(sent)
        for number, (name, model) in enumerate(self.models.items(), start=1):
            label = _("Position of {model}").format(model=model.name)
            field = NumberField(allowed=Range(1, MAX_PLACE, True), label=label, initial=number)
            field.help_text = ""
            self.fields[f"place-{name}"] = field

    def rows(self) -> Iterator[ModelRow]:
        for name, model in self.models.items():
            if is_named(model, self.wanted):
                yield ModelRow(model, self[f"place-{name}"], self.is_on[name])

    def offered(self) -> set[str]:
        return {name for name, is_on in self.is_on.items() if is_on}

    def order(self) -> list[str]:
        """Return the ids in the wanted order: a model takes the place that was typed for it."""

        def place(name: str) -> float:
            here = places[name]
            wanted = self.cleaned_data[f"place-{name}"] or here
            return float(wanted + (0.5 if wanted > here else -0.5 if wanted < here else 0))

        places = {name: number for number, name in enumerate(self.models, start=1)}
        return sorted(self.models, key=place)


class ModelForm(forms.Form):
    """The switch of one model, and values that count instead of the catalogue's.

    The page also sends how the switch was when it was shown: `switched` is what the reader made of
    it, or None if they left it alone. A model that its provider has retired has no switch.
    """

    def __init__(self, sent: Any, model: Model, own: Mapping[str, Any], without_own: Model) -> None:
        initial = {key: _shown(value) for key, value in own.items()}
        super().__init__(sent, initial=initial | {SWITCH: model.listed})
        self.fields["name"] = LineField(most=100, required=False, label=_("Name"))
        for key, (label, allowed) in NUMBERS.items():
            self.fields[key] = NumberField(allowed=allowed, label=label)
        for key, (label, choices) in CHOICES.items():
            self.fields[key] = _choice(label, choices)
        for key, field in self.fields.items():
            value = getattr(without_own, key)
            field.help_text = _("In the catalog: {value}").format(value=_words(key, value))
        if not model.is_gone:
            self.fields[SWITCH] = forms.BooleanField(
                required=False,
                label=_("On"),
                help_text=_("A model that is turned off answers no requests."),
                show_hidden_initial=True,
            )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if (values.get(PRICES[0]) is None) != (values.get(PRICES[1]) is None):
            missing = next(key for key in PRICES if values.get(key) is None)
            if missing not in self.errors:
                words = _("Enter both prices, or leave both blank.")
                self.add_error(missing, ValidationError(words))
        if values.get("cached_input_usd_per_million") is not None and not self.has_prices(values):
            words = _("Enter the other two prices as well.")
            self.add_error("cached_input_usd_per_million", ValidationError(words))
        return values

    @staticmethod
    def has_prices(values: Mapping[str, Any]) -> bool:
        return all(values.get(key) is not None for key in PRICES)

    @property
    def switch(self) -> forms.BoundField | None:
        return self[SWITCH] if SWITCH in self.fields else None

    @property
    def value_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name != SWITCH]

    @property
    def switched(self) -> bool | None:
        return self.cleaned_data[SWITCH] if SWITCH in self.changed_data else None

    def values(self) -> dict[str, Any]:
        """Return what was entered; blank fields are left out."""
        fields = self.cleaned_data.items()
        return {key: value for key, value in fields if value not in (None, "") and key != SWITCH}


def _shown(value: Any) -> Any:
    """Return a value as it can be typed, without grouped digits."""
    return number_format(value, use_l10n=False) if isinstance(value, float) else value


def _price(value: float | None) -> str:
    """Return the price with two to four decimals."""
    if value is None:
        return "–"
    decimals = max(2, len(f"{value:.4f}".rstrip("0").partition(".")[2]))
    return f"${number_format(value, decimal_pos=decimals, force_grouping=True)}"


def _choice(label: Any, choices: Mapping[Any, Any]) -> forms.TypedChoiceField:
    by_text = {str(value): value for value in choices}
    return forms.TypedChoiceField(
        label=label,
        choices=[("", _("As in the catalog")), *((str(v), words) for v, words in choices.items())],
        coerce=lambda value: by_text[str(value)],
        empty_value=None,
        required=False,
    )


def _words(key: str, value: Any) -> str:
    if key in CHOICES:
        return str(CHOICES[key][1].get(value, _("none")))
    if isinstance(value, str):
        return value
    return _("none") if value is None else format_number(value)
