"""Which pages may be fetched: only those that the person, or a search, has named.

Otherwise a text that the model has read could make it send what it knows to any server, as a part
of the address.
"""

import re
from collections.abc import Iterable
from itertools import chain, islice

MAX_ADDRESSES = 200
#: Characters at the end of an address that may be punctuation or a part of it, such as `A_(b))`.
MAX_ENDING = 4
_ADDRESS = re.compile(r"https?://[^\s<>\"'`\\|{}]{1,2000}")
_AROUND = ".,;:!?)]}*_’”»"


def known_form(address: str) -> str:
    """Return the address as known ones are compared: without a fragment."""
    return address.strip().partition("#")[0]


def addresses_in(texts: Iterable[str]) -> set[str]:
    """Return the addresses that texts contain, with and without what may be punctuation."""
    found: set[str] = set()
    matches = chain.from_iterable(map(_ADDRESS.finditer, texts))
    for match in islice(matches, MAX_ADDRESSES):
        address = match[0]
        bare = address.rstrip(_AROUND)
        ends = {*range(len(bare), len(bare) + MAX_ENDING), len(address)}
        found |= {known_form(address[:end]) for end in ends}
    return found
