"""Find passages that contradict each other, when a site asks for them."""

import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from chat.emulator.requests import formats
from chat.emulator.requests.inputs import ChatRequest
from chat.emulator.scripts.passages import PASSAGE, SENTENCE
from chat.emulator.scripts.script import Script
from chat.lib.words import words_of

#: How the site's request begins (chat/website_answers/contradictions.py).
ASKS_FOR_CONTRADICTIONS = "Find passages that contradict each other."
#: Which share of the words that either of two sentences has, both must have.
SHARED_WORDS = 0.6
LEAST_WORDS = 2
MOST_PASSAGES = 8
MOST_SENTENCES = 40  # of a passage
_NUMBER = re.compile(r"\d{1,12}(?:[.,]\d{1,6})?")


class _Statement(NamedTuple):
    words: frozenset[str]
    numbers: frozenset[str]


def contradictions_for(request: ChatRequest) -> Script | None:
    """Name passages with sentences of the same words around other numbers.

    Return None for other requests.
    """
    first = request.messages[0]
    if first.role != "system" or not first.text.startswith(ASKS_FOR_CONTRADICTIONS):
        return None
    passages = PASSAGE.findall(request.messages[-1].text)[:MOST_PASSAGES]
    read = [(int(number), list(_statements(text))) for number, _values, text in passages]
    pairs = [
        [number, other]
        for (number, own), (other, others) in itertools.combinations(read, 2)
        if any(_differ(one, two) for one, two in itertools.product(own, others))
    ]
    return Script(text=[formats.as_json({"pairs": pairs})])


def _statements(text: str) -> Iterator[_Statement]:
    for match in itertools.islice(SENTENCE.finditer(text), MOST_SENTENCES):
        numbers = frozenset(_NUMBER.findall(match[0]))
        words = frozenset(words_of(_NUMBER.sub(" ", match[0])))
        if numbers and len(words) >= LEAST_WORDS:
            yield _Statement(words, numbers)


def _differ(one: _Statement, other: _Statement) -> bool:
    shared = len(one.words & other.words) / len(one.words | other.words)
    are_alike = shared >= SHARED_WORDS and one.numbers != other.numbers
    # "9 days to region 5" is about something else than "7 days to region 4".
    is_one = min(len(one.numbers), len(other.numbers)) == 1
    return are_alike and (is_one or bool(one.numbers & other.numbers))
