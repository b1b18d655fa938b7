"""Form fields that never alter or truncate what was typed; the server validates and explains."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.fetching.addresses import may_be_requested
from chat.lib.generic_django import AnyMultipleChoiceField
from chat.lib.moments import storable
from chat.lib.text import clean, one_line
from chat.lib.whole_number import MAX_ID_DIGITS
from chat.personas.parameters import Range

_figure = lazy(number_format, str)  # digits in the reader's language


def offer_choices(form: forms.BaseForm, name: str, choices: Iterable[Any]) -> None:
    """Set the choices that a form knows only when it is shown."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)  # noqa: S101  (as it is declared)
    field.choices = list(choices)


class TextField(forms.CharField):
    """Multi-line text. Browsers truncate pasted text at `maxlength`, so it is not set."""

    widget = forms.Textarea

    def __init__(self, *, most: int, rows: int, **options: Any) -> None:
        widget = forms.Textarea(attrs={"rows": rows, "dir": "auto"})
        super().__init__(widget=widget, validators=[_NotLonger(most)], **options)

    def to_python(self, value: Any) -> str:
        return clean((super().to_python(value) or "").replace("\r\n", "\n"))


class LinesField(TextField):
    """Several short texts, one per line; empty lines are ignored."""

    def __init__(self, *, most_lines: int, most: int, **options: Any) -> None:
        self.most_lines, self.line_length = most_lines, most
        super().__init__(most=most_lines * (most + 1), **options)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        lines = [one_line(line) for line in (super().clean(value) or "").split("\n")]
        filled = [line for line in lines if line]
        if len(filled) > self.most_lines:
            raise ValidationError(_("Enter at most {most} lines.").format(most=self.most_lines))
        if any(len(line) > self.line_length for line in filled):
            words = _("Each line can have up to {most} characters.")
            raise ValidationError(words.format(most=self.line_length))
        return filled


class LineField(forms.CharField):
    def __init__(self, *, most: int, **options: Any) -> None:
        widget = forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"})
        super().__init__(widget=widget, validators=[_NotLonger(most)], **options)

    def to_python(self, value: Any) -> str:
        return one_line(super().to_python(value) or "")


class SeveralField(AnyMultipleChoiceField):
    """Rows chosen by primary key; a number too large for the database is an invalid choice."""

    def clean(self, value: Any) -> Any:
        for each in value or ():
            if len(str(each)) > MAX_ID_DIGITS:
                words = self.error_messages["invalid_pk_value"]
                raise ValidationError(words, code="invalid_pk_value", params={"pk": each})
        return super().clean(value)


class FilesInput(forms.FileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """A field that takes several files; its value is their list."""

    def clean(self, data: Any, initial: Any = None) -> Any:
        return [super(FilesField, self).clean(each, initial) for each in data or [None]]


class NumberField(forms.CharField):
    """An optional number in a range. A text input, because number inputs drop invalid text."""

    def __init__(self, *, allowed: Range, **options: Any) -> None:
        self.allowed = allowed
        mode = "numeric" if allowed.is_whole else "decimal"
        attrs = {"inputmode": mode, "autocomplete": "off", "class": "number"}
        widget = forms.TextInput(attrs=attrs)
        words = gettext_lazy("{least} to {most}")
        least, most = (_figure(each) for each in allowed[:2])
        hint = format_lazy(words, least=least, most=most)
        super().__init__(required=False, widget=widget, help_text=hint, **options)

    def clean(self, value: Any) -> float | int | None:
        text = (super().clean(value) or "").replace(",", ".")
        if not text:
            return None
        try:
            number: float | int = int(text) if self.allowed.is_whole else float(text)
        except ValueError:
            number = float("nan")
        if not self.allowed.least <= number <= self.allowed.most:
            raise ValidationError(self._words)
        return number

    @property
    def _words(self) -> str:
        words = (
            _("Enter a whole number from {least} to {most}, or leave this blank.")
            if self.allowed.is_whole
            else _("Enter a number from {least} to {most}, or leave this blank.")
        )
        least, most = (number_format(each) for each in self.allowed[:2])
        return words.format(least=least, most=most)


class MomentField(forms.DateTimeField):
    """A time, in the reader's zone if it names none; the value is in UTC."""

    def to_python(self, value: Any) -> datetime | None:
        moment = super().to_python(value)
        try:
            return storable(moment) if moment else None
        except ValueError:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None


def require_url(text: str, *schemes: str) -> str:
    """Return a URL of these schemes, or empty text. Raise `ValidationError`."""
    try:
        if text:
            URLValidator(schemes=schemes)(text)
    except ValidationError:
        words = _("Enter the full address, such as https://www.example.org/privacy.")
        raise ValidationError(words) from None
    return text


def require_public_url(text: str, *schemes: str) -> str:
    """Return a URL that this server may send requests to, or empty text.

    Raise `ValidationError` for those that are refused whatever a name leads to: with a user and
    password, or of a private network.
    """
    if require_url(text, *schemes) and not may_be_requested(text):
        raise ValidationError(
            _("Enter an address on the public internet, without a user name or password.")
        )
    return text


def require_webhook_url(text: str) -> str:
    """Return a webhook's address, or empty text. Raise `ValidationError`."""
    schemes = ("https", "http") if settings.CHECK_LOCAL_SITES else ("https",)
    return require_public_url(text, *schemes)


class _NotLonger:
    def __init__(self, most: int) -> None:
        self.most = most

    def __call__(self, text: str) -> None:
        if len(text) > self.most:
            words = _("This has {length} characters. The limit is {most}. Shorten it.")
            length = number_format(len(text), force_grouping=True)
            most = number_format(self.most, force_grouping=True)
            raise ValidationError(words.format(length=length, most=most))
