"""Name the tools for people, and let them choose some."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.tools.mcp import servers
from chat.web.http.form_fields import offer_choices

NAMES: Mapping[str, str | Promise] = {
    "web_search": _("Search the web and read pages"),
    "search_my_chats": _("Search my chats"),
    "search_documents": _("Search this chat's documents again"),
    "generate_image": _("Draw images"),
    "calculator": _("Calculate"),
    "current_time": _("Know the date and time"),
    "remember": _("Remember things for later chats"),
}


def name_of(tool: str) -> str:
    if title := NAMES.get(tool, "") or servers.title_of(tool):
        return str(title)
    if tool.startswith(servers.PREFIX):
        return gettext("A tool that has changed or is gone")
    return tool


class ToolsField(forms.MultipleChoiceField):
    """Several tools; the value is their names with spaces between them."""

    def __init__(self, label: Any, help_text: Any = "") -> None:
        super().__init__(
            label=label, help_text=help_text, required=False, widget=forms.CheckboxSelectMultiple
        )

    def prepare_value(self, value: Any) -> list[str]:
        return value.split() if isinstance(value, str) else list(value or ())

    def clean(self, value: Any) -> str:
        return " ".join(super().clean(value))


def offer(form: forms.Form, name: str, tools: Iterable[str]) -> None:
    """Offer these tools; without any, remove the field."""
    offered = list(tools)
    offer_choices(form, name, [(each, name_of(each)) for each in offered])
    if not offered:
        del form.fields[name]
