"""Name the kinds of personal data that are found."""

from enum import StrEnum
from typing import NamedTuple


class PersonalDataKind(StrEnum):
    """What kind of value it is. Stored in the database, so the values stay."""

    EMAIL = "email"
    PHONE = "phone"
    IBAN = "iban"
    CARD = "card"
    NATIONAL_ID = "id"


class FoundValue(NamedTuple):
    """Where in a text a value is."""

    kind: PersonalDataKind
    start: int
    end: int
