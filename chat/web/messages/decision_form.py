"""Decide about a tool's call with a form, in browsers without scripts.

static/js/controllers/transcript/tool_decision.js makes the same form of a call.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from django.http import QueryDict
from django.utils.translation import gettext as _

from chat.conversations.tool_calls.models import REFUSAL_LENGTH
from chat.errors import BadRequest
from chat.generations.send.tool_decisions import Decision, Scope
from chat.lib.indented_json import indented
from chat.lib.text import clean
from chat.web.messages.tool_presenter import read_arguments

PREFIX = "argument-"
MAX_EDITED_CHARS = 20_000
CHARS_PER_LINE = 36
MAX_LINES = 12


class ArgumentField(NamedTuple):
    """What a person reads and changes of one argument."""

    name: str
    label: str
    text: str

    @property
    def lines(self) -> int:
        """Return how high its field is: nothing that is allowed may be out of sight."""
        rows = self.text.split("\n")
        return min(MAX_LINES, sum(-(-len(each) // CHARS_PER_LINE) or 1 for each in rows))


def fields_of(tool: str, arguments: str) -> list[ArgumentField]:
    return [
        ArgumentField(PREFIX + name, _label(tool, name), text)
        for name, text in _texts(read_arguments(arguments)).items()
    ]


def _label(tool: str, name: str) -> str:
    is_fact = tool == "remember" and name == "text"
    return _("What to remember") if is_fact else name


def read_decision(form: QueryDict, arguments: str) -> Decision:
    """Return what a person says about a call with these arguments. Raise `BadRequest`."""
    is_allowed = form.get("decision") == "allow"
    if not is_allowed and form.get("decision") != "refuse":
        raise BadRequest
    edited = _edited(form, read_arguments(arguments)) if is_allowed else ""
    words = clean(form.get("words", ""))
    if len(edited) > MAX_EDITED_CHARS or len(words) > REFUSAL_LENGTH:
        raise BadRequest
    return Decision(is_allowed, edited, words, _scope(form.get("scope", "once")))


def _scope(name: str) -> Scope:
    match name:
        case "once" | "chat" | "always":
            return name
        case _:
            raise BadRequest


def _edited(form: QueryDict, before: Mapping[str, Any]) -> str:
    """Return the arguments as a form has them; empty if nothing was changed."""
    shown = _texts(before)
    sent = {name: _plain(form.get(PREFIX + name, text)) for name, text in shown.items()}
    if all(sent[name] == _plain(text) for name, text in shown.items()):
        return ""
    now = {
        name: value
        if sent[name] == _plain(shown[name])
        else sent[name]
        if isinstance(value, str)
        else _parsed(sent[name])
        for name, value in before.items()
    }
    return msgspec.json.encode(now).decode()


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: value if isinstance(value, str) else indented(value) for name, value in values.items()
    }


def _plain(text: str) -> str:
    """Return a text of a form, without what browsers change in it."""
    return clean(text.replace("\r\n", "\n").replace("\r", "\n"))


def _parsed(text: str) -> Any:
    """Return the value of JSON, or the text itself, which the tool then refuses in words."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return text
