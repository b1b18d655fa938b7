"""Find the staff members whom a note names with `@`, and say who can be told."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from chat.accounts.models import User
from chat.review.staff import roles

MAX_MENTIONS = 20
MAX_NAME_CHARS = 254
_BEGIN = re.compile(r"(?<!\w)@(?=\w)")
_WORD = re.compile(r"\w(?:[\w.+@-]*\w)?")
#: A name ends here: neither a longer word nor an address goes on.
_END = re.compile(r"(?![\w@]|[.+-]\w)")


@dataclass(slots=True)
class Mentions:
    """Who was named: those who are told, who may not read the chat, and unknown names."""

    told: list[User] = field(default_factory=list)
    without_access: list[User] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def find(text: str, author_id: int) -> tuple[list[User], list[str]]:
    """Return the staff members whom `text` names, without its author, and names of nobody.

    A person is named by address, by name with or without spaces, or by a first name that only one
    of them has.
    """
    places = [match.end() for match in islice(_BEGIN.finditer(text), MAX_MENTIONS)]
    if not places:
        return [], []
    by_name = _by_name()
    people: dict[int, User] = {}
    unknown: dict[str, None] = {}
    for place in places:
        named = _named(text[place : place + MAX_NAME_CHARS], by_name)
        people |= {each.pk: each for each in named}
        if not named:
            word = _WORD.match(text, place)
            unknown[word[0] if word else ""] = None
    people.pop(author_id, None)
    return list(people.values()), list(unknown)


def _by_name() -> dict[str, list[User]]:
    """Return staff by everything that they can be called, as `_key` writes it."""
    by_name: dict[str, list[User]] = defaultdict(list)
    by_first_name: dict[str, list[User]] = defaultdict(list)
    for person in roles.staff_users():
        for name in {_key(person.name), _key(person.email), _key(person.name).replace(" ", "")}:
            by_name[name].append(person)
        by_first_name[_key(person.name).partition(" ")[0]].append(person)
    for name, people in by_first_name.items():
        if len(people) == 1:
            by_name.setdefault(name, people)
    by_name.pop("", None)
    return by_name


def _named(text: str, by_name: dict[str, list[User]]) -> list[User]:
    """Return the people with the longest name that `text` begins with."""
    return next((by_name[each] for each in _beginnings(_key(text)) if each in by_name), [])


def _beginnings(text: str) -> Iterator[str]:
    """Yield the beginnings of `text` that end where a name may end, longest first."""
    yield from (text[: match.start()] for match in reversed(list(_END.finditer(text, 1))))


def _key(name: str) -> str:
    return " ".join(name.casefold().split())
