"""Find texts in any case. By itself, SQLite ignores the case of A to Z only."""

from django.db import connection
from django.db.models import Q


def contains(field: str, text: str) -> Q:
    """Match rows whose `field` contains `text` in any case; SQLite tries the usual spellings.

    Both databases tell ß from ss, as which it is often written, so both are tried.
    """
    spellings = {text, text.replace("ß", "ss"), "ß".join(_split_at_ss(text))}
    if connection.vendor == "sqlite" and not text.isascii():
        spellings |= {text.lower(), text.upper(), text.capitalize(), text.title()}
    return Q(*((f"{field}__icontains", each) for each in sorted(spellings)), _connector=Q.OR)


def _split_at_ss(text: str) -> list[str]:
    folded = text.lower()
    return folded.split("ss") if "ss" in folded else [text]
