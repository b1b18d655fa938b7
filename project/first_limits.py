"""Reads `FIRST_LIMITS`, as in `member:requests=30 everyone:dollars=20`; `none` is no limit."""

import re

PATTERN = re.compile(
    r"(everyone|member|site|visitor|address):(running|requests|tokens|neurons|dollars)=(\d+)"
)


def read(text: str) -> list[tuple[str, str, int]]:
    """Scope, measure and amount of each; ValueError says what is wrong with a word."""
    if text == "none":
        return []
    found = []
    for word in text.split():
        match = PATTERN.fullmatch(word)
        if match is None:
            raise ValueError(f"has {word!r}; write for example member:requests=30, or none")
        found.append((match[1], match[2], int(match[3])))
    return found
