"""What finds personal data in texts of anybody, by module."""

from collections.abc import Callable

from chat.lib.personal_data import accounts, digits, emails, finder, national_ids
from chat.lib.personal_data.placeholders import Placeholders, Restorer
from chat.lib.worker_thread import finished


def _number(text: str) -> None:
    finder._find(f"+49 {text}", "DE")
    finder._find(f"BSN 1{text}", "US")


def _in_pieces(text: str) -> None:
    placeholders = Placeholders()
    placeholders.mask("a@example.org")
    restorer = Restorer(placeholders)
    for piece in (text, *text[:500]):
        restorer.feed(piece)


READERS: dict[str, list[Callable[[str], object]]] = {
    "chat.lib.personal_data.accounts": [lambda text: list(accounts.find_ibans(text))],
    "chat.lib.personal_data.digits": [lambda text: list(digits.runs(text))],
    "chat.lib.personal_data.emails": [lambda text: list(emails.find(text))],
    "chat.lib.personal_data.national_ids": [lambda text: list(national_ids.find(text))],
    "chat.lib.personal_data.phones": [_number],
    "chat.lib.personal_data.placeholders": [
        _in_pieces,
        lambda text: Placeholders().avoid(text),
        lambda text: finished(Placeholders().mask_json(text)),
    ],
}
