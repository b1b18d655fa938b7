"""Reads `INITIAL_LIMITS`, as in `member:requests=30 everyone:dollars=20`; `none` is no limit."""

import re

#: Nobody can use up the site by themselves, nor the chat of a website from one network; visitors
#: cannot use up what is there for members, nor a website's month in a day.
DEFAULT = (
    "member:running=5 member:requests=30 member:dollars=5 "
    "visitor:running=2 visitor:requests=10 visitor:dollars=1 "
    "site_address:running=6 site_address:requests=30 site_address:dollars=2 "
    "address:dollars=10 site:dollars=5 site:neurons=50000 visitors:dollars=10 everyone:dollars=20"
)
PATTERN = re.compile(
    r"(everyone|member|visitors|site|visitor|site_address|address):(running|requests|tokens|neurons|dollars)=(\d+)"
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
