"""Note the language of messages, and match it in rules."""

import logging
from collections.abc import Callable, Collection, Mapping, Set

from chat.conversations.models import Message
from chat.lib.languages import NONE, language_of
from chat.review import chat_facts
from chat.review.cases.patterns import MatchedPiece
from chat.review.language_models import MessageLanguage

log = logging.getLogger(__name__)


class LanguagePattern:
    """Match texts that are written in some languages, like a `Pattern` of words."""

    def __init__(self, languages: Collection[str]) -> None:
        self._languages = frozenset(languages)

    def search(self, text: str, _known: dict[Callable[[str], str], str] | None = None) -> bool:
        return language_of(text) in self._languages

    def pieces(self, text: str) -> list[MatchedPiece]:
        """Return the whole text, which matches or doesn't."""
        return [MatchedPiece(text, self.search(text))] if text else []


def language_in(message_id: int, text: str) -> str:
    """Return the language of a message; a failure is logged, and is none."""
    try:
        return language_of(text)
    except Exception as error:  # of a library that reads a text of anybody
        log.warning("the language of message %d wasn't told: %s", message_id, type(error).__name__)
        return NONE


def store(told: Mapping[int, str], still: Set[int]) -> None:
    """Store the languages of messages that are `still` there, in place of what was known."""
    MessageLanguage.objects.filter(message__in=list(told)).delete()
    MessageLanguage.objects.bulk_create(
        MessageLanguage(message_id=message_id, language=language)
        for message_id, language in told.items()
        if language and message_id in still
    )


def add_to_chats(ids: Collection[int]) -> None:
    """Add the languages of these questions to the facts of their chats, for filters."""
    of_chat = "message__conversation"
    asked = MessageLanguage.objects.filter(message__in=ids, message__role=Message.Role.USER)
    known = asked.values_list(of_chat, f"{of_chat}__stats__languages", "language")
    for chat_id, languages, language in known.distinct():
        if languages is not None and f" {language} " not in languages:
            chat_facts.add(chat_id, "languages", language, " ")
