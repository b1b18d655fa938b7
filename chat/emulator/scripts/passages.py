"""Answer from passages of documents in the prompt, with their numbers as citations."""

import re
from collections.abc import Iterable
from html import unescape
from typing import NamedTuple

from chat.emulator.requests.inputs import ChatRequest
from chat.lib.words import words_of

PASSAGE = re.compile(r'<passage number="(\d{1,3})"([^>\n]*)>\n(.*?)\n</passage>', re.DOTALL)
DOCUMENT = re.compile(r'document="([^"]*)"')
SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]?")
QUESTION_MARKS = ("?", "\uff1f")
#: Passages that are quoted in one answer.
MOST_QUOTED = 2
#: Shorter words of a question, such as "and" and "your", don't say what it is about. Of longer ones
#: so many letters are compared, because their endings vary.
LEAST_LETTERS = 5


class Quote(NamedTuple):
    """A sentence of a passage."""

    number: int
    document: str
    sentence: str


def quotes_for(request: ChatRequest, question: str) -> list[Quote] | None:
    """Return the sentences that share most words with the question, of different passages.

    Of those that share as many, the first ones are taken, which a search found nearest. Return None
    if there are no passages.
    """
    given = [each for message in request.messages for each in PASSAGE.findall(message.text)]
    if not given:
        return None
    wanted = set(words_of(PASSAGE.sub("", question)))
    subject = _beginnings(each for each in wanted if _may_be_subject(each)) or _beginnings(wanted)
    about = [each for each in given if subject & _beginnings(words_of(each[2]))]
    quotes = list(_quotes(about, wanted))
    quotes.sort(key=lambda each: -len(subject & _beginnings(words_of(each.sentence))))
    return quotes[:MOST_QUOTED]


def _may_be_subject(word: str) -> bool:
    return len(word) >= LEAST_LETTERS or not (word.isascii() and word.isalpha())


def _beginnings(words: Iterable[str]) -> set[str]:
    return {each[:LEAST_LETTERS] for each in words}


def _quotes(given: Iterable[tuple[str, str, str]], wanted: set[str]) -> Iterable[Quote]:
    for number, values, text in given:
        document = DOCUMENT.search(values)
        sentences = [each for match in SENTENCE.finditer(text) if (each := match[0].strip())]
        if sentences:
            best = max(sentences, key=lambda each: len(wanted & set(words_of(each))))
            at = sentences.index(best)
            # What follows a question is its answer.
            quoted = sentences[at : at + 2] if best.endswith(QUESTION_MARKS) else [best]
            yield Quote(int(number), unescape(document[1]) if document else "", " ".join(quoted))
