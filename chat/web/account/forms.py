"""Define the forms for a member's own settings."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from chat.accounts.custom_instructions import MAX_INSTRUCTIONS, MAX_NAME
from chat.accounts.memories import MAX_MEMORIES_CHARS
from chat.accounts.preferences import (
    ANNOUNCEMENTS,
    ANSWER_NOTICES,
    ENTER_KEYS,
    FOLLOW_UPS,
    LANGUAGES,
    SCROLLING,
    TEXT_SIZES,
    THEMES,
    Choices,
    Preferences,
)
from chat.generations import tool_permissions
from chat.lib.catalogue import Model
from chat.lib.text import one_line
from chat.site_settings import effective
from chat.web.http import tool_fields
from chat.web.http.form_fields import LineField, TextField, offer_choices
from chat.web.http.model_choices import form_choices
from chat.web.http.tool_fields import ToolsField

MAX_PINS_LENGTH = 4000
MAX_RECENT_MODELS = 3


def _radios(label: Any, choices: Choices, help_text: Any = "") -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, choices=choices, widget=forms.RadioSelect, help_text=help_text
    )


class SettingsForm(forms.Form):
    """Validate all of the general settings or some: those that are not sent keep their value."""

    theme = _radios(_("Theme"), THEMES)
    text_size = _radios(_("Text size"), TEXT_SIZES)
    language = forms.ChoiceField(label=_("Language"), choices=LANGUAGES, required=False)
    default_model = forms.ChoiceField(label=_("Default model"), required=False)
    default_persona = forms.ChoiceField(label=_("Default persona"), required=False)
    pinned_models = forms.CharField(
        required=False, max_length=MAX_PINS_LENGTH, widget=forms.HiddenInput
    )
    recent_models = forms.CharField(
        required=False, max_length=MAX_PINS_LENGTH, widget=forms.HiddenInput
    )
    enter_key = _radios(_("Enter key"), ENTER_KEYS)
    scrolling = _radios(_("While an answer is written"), SCROLLING)
    follow_ups = _radios(
        _("Suggested questions"),
        FOLLOW_UPS,
        _(
            "What you could ask next, shown below the last answer. Each time, a model writes them, "
            "which counts towards your limits."
        ),
    )
    answer_notices = _radios(
        _("Notify me of answers in the background"),
        ANSWER_NOTICES,
        _(
            "You are notified while the chat is open in a tab or window. On an iPhone or iPad, "
            "add this site to the home screen first."
        ),
    )
    announcements = _radios(_("Screen reader announcements"), ANNOUNCEMENTS)

    def __init__(
        self,
        sent: QueryDict | None,
        preferences: Preferences,
        personas: list[dict[str, str]],
        models: Mapping[str, Model],
    ) -> None:
        before = asdict(preferences)
        names = {each["id"]: each["name"] for each in personas}
        if before["default_persona"] not in names:
            before["default_persona"] = ""
        if before["default_model"] not in models:
            before["default_model"] = ""
        values = None if sent is None else before | sent.dict()
        self._before = preferences
        super().__init__(values, initial=before)
        self._models = models
        offered = list(models.values())
        name = offered[0].name if offered else "–"
        blank = str(_("Site default (%(name)s)") % {"name": name})
        offer_choices(self, "default_model", form_choices(blank, offered, preferences))
        offer_choices(self, "default_persona", [("", str(_("None"))), *names.items()])
        if not names:
            del self.fields["default_persona"]
        if not effective.suggests_questions():
            del self.fields["follow_ups"]

    def clean_pinned_models(self) -> str:
        return " ".join(self._offered("pinned_models"))

    def clean_recent_models(self) -> str:
        return " ".join(self._offered("recent_models")[:MAX_RECENT_MODELS])

    def _offered(self, name: str) -> list[str]:
        """Forget models that are not offered any more."""
        return [model for model in self.cleaned_data[name].split() if model in self._models]

    def preferences(self) -> Preferences:
        return replace(self._before, **self.cleaned_data)


class PersonalizationForm(forms.Form):
    """What models read about the member before each chat."""

    uses_instructions = forms.BooleanField(
        required=False,
        label=_("Use in my chats"),
        help_text=_("Turn this off to keep the text below without sending it."),
    )
    preferred_name = LineField(
        most=MAX_NAME, required=False, label=_("What should the model call you?")
    )
    instructions = TextField(
        most=MAX_INSTRUCTIONS,
        rows=10,
        required=False,
        label=_("Custom instructions"),
        help_text=_(
            "For example, what you do, how long answers should be, or their tone. Models read "
            "this first, before a persona's instructions, in every chat, including temporary "
            "ones. It counts as part of each message, so it is included in the cost."
        ),
    )

    uses_memories = forms.BooleanField(
        required=False,
        label=_("Use memory in my chats"),
        help_text=_("Turn this off to keep the text below without sending it."),
    )
    memories = TextField(
        most=MAX_MEMORIES_CHARS,
        rows=6,
        required=False,
        label=_("What models remember about you"),
        help_text=_(
            "One thing per line. A model adds to it with the tool “Remember things for later "
            "chats”, if you allow it. You can change or remove anything here."
        ),
    )
    default_tools = ToolsField(
        _("Tools in new chats"), _("You can switch them on and off in each chat, too.")
    )
    allowed_tools = ToolsField(
        _("Tools that needn't ask you"), _("Uncheck a tool to be asked again before it is used.")
    )

    # As the page showed them: chats may have added to them since.
    shown_memories = forms.CharField(required=False, widget=forms.HiddenInput, strip=False)
    shown_allowed_tools = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, sent: QueryDict | None, user_id: int, preferences: Preferences) -> None:
        names = self.base_fields
        current = {name: getattr(preferences, name.removeprefix("shown_")) for name in names}
        super().__init__(sent, initial=current)
        self._before = preferences
        tool_fields.offer(self, "default_tools", tool_permissions.offered_to(user_id))
        # Where each chat asks, it would say what isn't so.
        always = preferences.allowed_tools.split() if settings.TOOLS_ALWAYS_ALLOWED else ()
        tool_fields.offer(self, "allowed_tools", always)

    def clean_memories(self) -> str:
        lines = map(one_line, self.cleaned_data["memories"].splitlines())
        return "\n".join(filter(None, lines))

    def preferences(self) -> Preferences:
        """Return the preferences as they were saved, with what chats have added meanwhile."""
        values, before = dict(self.cleaned_data), self._before
        for name, separator in (("memories", "\n"), ("allowed_tools", " ")):
            shown = values.pop(f"shown_{name}").replace("\r\n", "\n").split(separator)
            if f"shown_{name}" in self.data:
                saved = [each for each in values.get(name, "").split(separator) if each]
                now = getattr(before, name).split(separator)
                added = [each for each in now if each and each not in {*shown, *saved}]
                values[name] = separator.join([*saved, *added])
        return replace(before, **values)
