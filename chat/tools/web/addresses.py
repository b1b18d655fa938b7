"""Which pages may be fetched: only those that the person, or a search, has named.

Otherwise a text that the model has read could make it send what it knows to any server, as a part
of the address.
"""

import re
from collections.abc import Iterable

MAX_ADDRESSES = 200
_ADDRESS = re.compile(r"https?://[^\s<>\"'`\\|{}]{1,2000}")
_AROUND = ".,;:!?)]}*_’”»"


def known_form(address: str) -> str:
    """Return the address as known ones are compared: without a fragment."""
    return address.strip().partition("#")[0]


def addresses_in(texts: Iterable[str]) -> set[str]:
    """Return the addresses that texts contain, with and without what may be punctuation."""
    found: set[str] = set()
    for text in texts:
        for match in _ADDRESS.finditer(text):
            if len(found) >= MAX_ADDRESSES:
                return found
            address = match[0]
            ending = len(address) - len(address.rstrip(_AROUND))
            found |= {known_form(address[: len(address) - cut]) for cut in range(ending + 1)}
    return found
