"""Forms look as Django's templates draw them, which takes longer."""

import re
from datetime import date
from typing import Any

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates, get_default_renderer
from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from chat.web.http.form_renderer import FormRenderer

HOSTILE = "\"><script>alert('x')</script>&amp;"


class AllWidgets(forms.Form):
    line = forms.CharField(widget=forms.TextInput(attrs={"dir": "auto", "data-x": HOSTILE}))
    email = forms.EmailField(disabled=True, help_text="Yours")
    password = forms.CharField(widget=forms.PasswordInput)
    number = forms.FloatField(min_value=0, localize=True)
    day = forms.DateField()
    hidden = forms.CharField(widget=forms.HiddenInput)
    text = forms.CharField(widget=forms.Textarea(attrs={"rows": 3, "placeholder": False}))
    agreed = forms.BooleanField(required=False)
    chosen = forms.ChoiceField(
        choices=[("", gettext_lazy("Any")), (HOSTILE, HOSTILE), ("safe", mark_safe("<b>Safe</b>"))]
    )
    grouped = forms.MultipleChoiceField(choices=[(HOSTILE, [(1, "One"), (2, "Two")]), (3, "Three")])
    sure = forms.NullBooleanField()
    radio = forms.ChoiceField(widget=forms.RadioSelect, choices=[("a", "A"), ("b", HOSTILE)])
    file = forms.FileField(required=False)


GIVEN: list[dict[str, Any] | None] = [
    None,
    {},
    dict.fromkeys(AllWidgets.base_fields, HOSTILE) | {"grouped": ["1", "3"]},
    {"line": " x ", "number": "1.5", "day": "2026-11-24", "agreed": "on", "text": "\nLine\n"},
]


def tight(field: forms.BoundField) -> str:
    return re.sub(r"\s*\n\s*", "\n", str(field))


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_each_widget_looks_as_by_djangos_template(
    given: dict[str, Any] | None, language: str
) -> None:
    with translation.override(language):
        initial = {"number": 1234.5, "day": date(2026, 11, 24), "text": HOSTILE, "agreed": True}
        ours, djangos = (
            AllWidgets(given, initial=initial, renderer=renderer)
            for renderer in (FormRenderer(), DjangoTemplates())
        )
        for name in AllWidgets.base_fields:
            assert tight(ours[name]) == tight(djangos[name])
            assert HOSTILE not in str(ours[name])


def test_it_is_the_renderer_of_all_forms() -> None:
    assert type(get_default_renderer()) is FormRenderer
