"""Mask personal data in texts with placeholders, and put the values back into what is answered.

The same value has the same placeholder in all texts of one object. A text may come back in pieces
that split a placeholder, so what may be the beginning of one is held back.
"""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from chat.lib.personal_data import finder
from chat.lib.personal_data.kinds import FoundValue, PersonalDataKind
from chat.lib.worker_thread import Steps, finished

#: What models read. Letters, blanks and a number only, so that JSON and Markdown keep it.
NAMES = {
    PersonalDataKind.EMAIL: "email",
    PersonalDataKind.PHONE: "phone",
    PersonalDataKind.IBAN: "bank account",
    PersonalDataKind.CARD: "card",
    PersonalDataKind.NATIONAL_ID: "id number",
}
MAX_NUMBER_DIGITS = 6
MAX_LENGTH = len(r"\[ \]") + max(map(len, NAMES.values())) + MAX_NUMBER_DIGITS
_EITHER = "|".join(NAMES.values())
#: Models that write Markdown put backslashes before brackets.
_PLACEHOLDER = re.compile(
    rf"(?<!\\)\\?\[({_EITHER}) (\d{{1,{MAX_NUMBER_DIGITS}}})\\?\]", re.IGNORECASE | re.ASCII
)
_BEGIN = re.compile(
    rf"\\?\[([a-z ]{{0,{MAX_LENGTH}}})(\d{{0,{MAX_NUMBER_DIGITS}}})\\?", re.IGNORECASE | re.ASCII
)
_FORMATTING = re.compile(r"[^\w+]|_")


class Placeholders:
    """The values of one request to a model, and what stands for each."""

    def __init__(self, region: str = "") -> None:
        self._region = region
        self._by_value: dict[tuple[PersonalDataKind, str], str] = {}
        self._values: dict[str, str] = {}
        self._written: set[str] = set()  # by people, so that nothing is put in their place
        self._counts: dict[PersonalDataKind, int] = {}

    def __bool__(self) -> bool:
        return bool(self._values)

    def avoid(self, text: str) -> None:
        """Use no placeholder that the text already has."""
        self._written.update(map(_name_of, _PLACEHOLDER.finditer(text)))

    def mask(self, text: str) -> str:
        """Return the text with placeholders for values."""
        return finished(self.mask_in_steps(text))

    def mask_in_steps(self, text: str) -> Steps[str]:
        """Do what `mask` does, with pauses."""
        pieces, end = [], 0
        for each in (yield from finder.find_in_steps(text, self._region)):
            pieces += [text[end : each.start], self._placeholder(each, text)]
            end = each.end
        return "".join([*pieces, text[end:]]) if pieces else text

    def mask_json(self, text: str) -> Steps[str]:
        """Return JSON text with placeholders in its strings, and as strings for its numbers.

        What is no JSON, or too deep to be read, is masked like any other text.
        """
        try:
            value = json.loads(text)
            masked = yield from self._mask_value(value)
            return text if masked == value else json.dumps(masked, ensure_ascii=False)
        except (ValueError, RecursionError):
            return (yield from self.mask_in_steps(text))

    def restore(self, text: str) -> str:
        """Return the text with the values in place of their placeholders."""
        return _PLACEHOLDER.sub(lambda match: self._values.get(_name_of(match), match[0]), text)

    def _placeholder(self, found: FoundValue, text: str) -> str:
        value = text[found.start : found.end]
        key = (found.kind, _normalized(found.kind, value))
        if key not in self._by_value:
            placeholder = self._next(found.kind)
            self._by_value[key] = placeholder
            self._values[placeholder] = value
        return self._by_value[key]

    def _next(self, kind: PersonalDataKind) -> str:
        while True:
            number = self._counts.get(kind, 0) + 1
            self._counts[kind] = number
            placeholder = f"[{NAMES[kind]} {number}]"
            if placeholder not in self._written:
                return placeholder

    def _mask_value(self, value: Any) -> Steps[Any]:
        yield
        if isinstance(value, str):
            return (yield from self.mask_in_steps(value))
        if isinstance(value, list):
            masked_list = []
            for each in value:
                masked_list.append((yield from self._mask_value(each)))
            return masked_list
        if isinstance(value, dict):
            masked_dict = {}
            for name, each in value.items():
                masked_name = yield from self.mask_in_steps(name)
                masked_dict[masked_name] = yield from self._mask_value(each)
            return masked_dict
        if isinstance(value, int) and not isinstance(value, bool):
            shown = str(value)
            masked = yield from self.mask_in_steps(shown)
            return value if masked == shown else masked
        return value


class Restorer:
    """Put values back into one text that comes in pieces."""

    def __init__(self, placeholders: Placeholders) -> None:
        self._placeholders = placeholders
        self._held = ""

    def feed(self, text: str) -> str:
        """Return what can be shown; the possible beginning of a placeholder is held back."""
        text, self._held = self._held + text, ""
        begin = _possible_begin(text)
        text, self._held = text[:begin], text[begin:]
        return self._placeholders.restore(text) if "[" in text else text

    def rest(self) -> str:
        """Return what is held back, which turned out to be no placeholder."""
        held, self._held = self._held, ""
        return held


def _normalized(kind: PersonalDataKind, value: str) -> str:
    """Return the value without differences in how it is written; other values differ from it."""
    if kind == PersonalDataKind.EMAIL:
        return value.lower()
    return _FORMATTING.sub("", value).lower()


def _name_of(placeholder: re.Match[str]) -> str:
    return f"[{placeholder[1].lower()} {int(placeholder[2])}]"


def _possible_begin(text: str) -> int:
    """Return where the text may begin a placeholder that isn't complete, or else its length."""
    begin = text.rfind("[", max(0, len(text) - MAX_LENGTH))
    if begin > 0 and text[begin - 1] == "\\":
        begin -= 1
    if begin >= 0 and _may_begin(text[begin:]):
        return begin
    return len(text) - text.endswith("\\")


def _may_begin(text: str) -> bool:
    begin = _BEGIN.fullmatch(text)
    if begin is None:
        return False
    name, number = begin[1].lower(), begin[2]
    if number:  # and perhaps a backslash
        return name in {f"{each} " for each in NAMES.values()}
    return any(f"{each} ".startswith(name) for each in NAMES.values())


def mask_all(texts: Iterable[str], region: str) -> Steps[list[str]]:
    """Return texts with placeholders that stand for the same values in all of them."""
    texts, placeholders = list(texts), Placeholders(region)
    for each in texts:
        placeholders.avoid(each)
    return (yield from _masked(texts, lambda: placeholders))


def mask_each(texts: Iterable[str], region: str) -> Steps[list[str]]:
    """Return texts with placeholders that are numbered in each text anew."""
    return (yield from _masked(texts, lambda: Placeholders(region)))


def _masked(texts: Iterable[str], placeholders: Callable[[], Placeholders]) -> Steps[list[str]]:
    masked = []
    for each in texts:
        masked.append((yield from placeholders().mask_in_steps(each)))
        yield
    return masked
