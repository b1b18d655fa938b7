"""Make text that can be stored and sent of what providers send as text.

JSON escapes a character beyond U+FFFF as two surrogates, and some providers cut between them.
"""


class CharacterJoiner:
    """Join the halves of characters in a text that comes in pieces."""

    __slots__ = ("_high_surrogate",)

    def __init__(self) -> None:
        self._high_surrogate = ""

    @property
    def is_waiting(self) -> bool:
        return bool(self._high_surrogate)

    def feed(self, text: str) -> str:
        """Return `text`, holding back a half at its end for the next piece."""
        if not text or (text.isascii() and not self._high_surrogate):
            return repaired(text)
        text, self._high_surrogate = self._high_surrogate + text, ""
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._high_surrogate = text[:-1], text[-1]
        return repaired(text)

    def rest(self) -> str:
        """Return what stands for a half whose other half never came."""
        held, self._high_surrogate = self._high_surrogate, ""
        return repaired(held)


def repaired(text: str) -> str:
    """Return `text` without NUL (PostgreSQL rejects it) and with lone surrogates replaced."""
    if "\0" in text:
        text = text.replace("\0", "")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
