"""Render the widgets of forms without a template for each input, attribute list and option.

A form of filters has some fifty of these, which took a fifth of a page's time. The HTML is that of
Django's templates (django/forms/templates/django/forms/widgets/); other widgets still use them.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.forms.renderers import TemplatesSetting
from django.http import HttpRequest
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

FOLDER = "django/forms/widgets/"
INPUTS = ("text", "email", "password", "number", "date", "hidden", "checkbox", "search", "url")


class FormRenderer(TemplatesSetting):
    """Render a widget; it is the setting FORM_RENDERER.

    Its templates come from the engine of pages, which reads no files once the process is ready.
    """

    def render(
        self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None
    ) -> SafeString:
        draw = WIDGETS.get(template_name)
        if draw is None:
            html = super().render(template_name, context, request)
            return mark_safe(html)  # noqa: S308  (a template has escaped the values)
        return mark_safe(draw(context["widget"]))  # noqa: S308  (the values are escaped)


def _input(widget: Mapping[str, Any]) -> str:
    value = "" if widget["value"] is None else f' value="{_escaped(widget["value"])}"'
    name = conditional_escape(widget["name"])
    return f'<input type="{widget["type"]}" name="{name}"{value}{_attributes(widget)}>'


def _textarea(widget: Mapping[str, Any]) -> str:
    text = conditional_escape(widget["value"] or "")
    name = conditional_escape(widget["name"])
    # The line break keeps one that the text begins with.
    return f'<textarea name="{name}"{_attributes(widget)}>\n{text}</textarea>'


def _select(widget: Mapping[str, Any]) -> str:
    name = conditional_escape(widget["name"])
    groups = "".join(_group(name, options) for name, options, _index in widget["optgroups"])
    return f'<select name="{name}"{_attributes(widget)}>{groups}\n</select>'


def _group(name: Any, options: list[dict[str, Any]]) -> str:
    html = "".join(map(_option, options))
    if not name:
        return html
    return f'\n  <optgroup label="{conditional_escape(name)}">{html}\n  </optgroup>'


def _option(option: Mapping[str, Any]) -> str:
    label = conditional_escape(option["label"])
    return f'\n  <option value="{_escaped(option["value"])}"{_attributes(option)}>{label}</option>'


def _attributes(widget: Mapping[str, Any]) -> str:
    attributes = widget["attrs"].items()
    return "".join(
        f" {name}" if value is True else f' {name}="{_escaped(value)}"'
        for name, value in attributes
        if value is not False
    )


def _escaped(value: Any) -> str:
    """Return the value as text for HTML, in no language's format."""
    return conditional_escape(value if isinstance(value, SafeString) else str(value))


WIDGETS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    f"{FOLDER}select.html": _select,
    f"{FOLDER}textarea.html": _textarea,
    **{f"{FOLDER}{name}.html": _input for name in ("input", *INPUTS)},
}
