"""Find email addresses: what stands around each “@”, within the lengths that addresses may have."""

import re
from collections.abc import Iterator

from chat.lib.personal_data.kinds import FoundValue, PersonalDataKind

MAX_LOCAL, MAX_DOMAIN = 64, 253
_LOCAL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]*")
_DOMAIN = re.compile(r"(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,63}(?![\w-])")
#: Marks that begin no address, such as quotes and the end of a Markdown link or a path.
_MARKS = "!#$%&'*+/=?^`{|}~.-"
#: Endings of files whose name has an “@”, as pictures for dense screens have.
_FILES = frozenset({"css", "gif", "jpeg", "jpg", "js", "md", "png", "py", "svg", "ts", "webp"})


def find(text: str) -> Iterator[FoundValue]:
    at = text.find("@")
    while at >= 0:
        if found := _around(text, at):
            yield found
        at = text.find("@", at + 1)


def _around(text: str, at: int) -> FoundValue | None:
    domain = _DOMAIN.match(text, at + 1, at + 1 + MAX_DOMAIN)
    if domain is None or _is_path(text, domain):
        return None
    backwards = _LOCAL.match(text[max(0, at - MAX_LOCAL) : at][::-1])
    local = backwards[0][::-1].rpartition("/")[2].lstrip(_MARKS) if backwards else ""
    start = at - len(local)
    if (
        not local
        or local.endswith(".")
        or ".." in local
        or text[max(0, start - 3) : start] == "://"
    ):
        return None
    return FoundValue(PersonalDataKind.EMAIL, start, domain.end())


def _is_path(text: str, domain: re.Match[str]) -> bool:
    """Return whether it is a file's name, or a place such as git@example.org:project/site."""
    if domain[0].rpartition(".")[2].lower() in _FILES:
        return True
    after = text[domain.end() : domain.end() + 2]
    return after.startswith(":") and len(after) > 1 and not after[1].isspace()
