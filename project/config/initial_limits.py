"""Parse `INITIAL_LIMITS`, such as `member:requests=30 everyone:dollars=20`, or `none`."""

import re

#: No member can use up the site, and no network a website's chat. Visitors cannot use up what
#: members share, nor a website's monthly budget in a day.
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
    """Return scope, measure and amount of each limit. Raise ValueError for an invalid one."""
    if text == "none":
        return []
    limits = []
    for word in text.split():
        match = PATTERN.fullmatch(word)
        if match is None:
            raise ValueError(f"has {word!r}; write for example member:requests=30, or none")
        limits.append((match[1], match[2], int(match[3])))
    return limits
