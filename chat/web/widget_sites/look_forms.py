"""Combine the forms of the page on which owners choose the look of their chat."""

from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from chat.web.widget_sites.look_form import LookForm
from chat.web.widget_sites.look_texts_form import MessageForm, TextsForm
from chat.widget_sites.look import proactive_messages
from chat.widget_sites.look.widget_look import WidgetLook
from chat.widget_sites.models import WidgetSite


class LookForms:
    """The look, its texts in each language, and the messages that appear by themselves."""

    def __init__(self, request: HttpRequest, site: WidgetSite) -> None:
        self.site = site
        look = WidgetLook.of(site)
        sent = request.POST if request.method == "POST" else None
        self.look = LookForm(
            sent,
            request.FILES if sent is not None else None,
            site=site,
            initial=asdict(look) | {"welcome": site.welcome, "starters": site.starters},
        )
        self.texts = [
            TextsForm(sent, language=each, initial=look.texts.get(each))
            for each, _name in settings.LANGUAGES
        ]
        self.messages = [
            MessageForm(sent, number=number, initial=_initial(look.messages, number))
            for number in range(proactive_messages.MOST)
        ]

    def is_valid(self) -> bool:
        valid = [each.is_valid() for each in (self.look, *self.texts, *self.messages)]
        return all(valid)

    @property
    def errors(self) -> list[str]:
        """All problems, each with the name of its field."""
        return [
            f"{form[name].label}: {problem}" if name in form.fields else str(problem)
            for form in (self.look, *self.texts, *self.messages)
            for name, problems in form.errors.items()
            for problem in problems
        ]

    def message_to_show(self, number: str) -> list[dict[str, Any]]:
        """Return the message with this number, without its conditions, for a preview.

        The list is empty if there is no such message.
        """
        matching = [each.values for each in self.messages if str(each.number) == number]
        kept = ("text", "texts")
        return [{name: each[name] for name in kept if name in each} for each in matching if each]

    def apply(self) -> WidgetLook:
        """Give the site the texts, without saving them, store pictures, and return the look."""
        self.site.welcome = self.look.cleaned_data.get("welcome", "")
        self.site.starters = self.look.cleaned_data.get("starters", [])
        texts = {each.language: each.values for each in self.texts if each.values}
        messages = [each.values for each in self.messages if each.values]
        values = self.look.plain_values | self.look.store_pictures()
        return WidgetLook(**values, texts=texts, messages=messages)


def _initial(messages: list[dict[str, Any]], number: int) -> dict[str, Any]:
    message = messages[number] if number < len(messages) else {}
    texts = {f"text_{language}": text for language, text in message.get("texts", {}).items()}
    return message | texts
