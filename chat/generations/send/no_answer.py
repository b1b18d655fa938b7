"""Say that a website's documents don't answer a question, without asking a model."""

from collections.abc import AsyncGenerator

from django.utils.translation import gettext as _
from django.utils.translation import override

from chat.knowledge.given import GivenPassages
from chat.upstream.events import AnswerOpened, Event, Finished, Text, Usage


def text_without_answer(given: GivenPassages, language: str) -> str:
    """Return the answer. The page offers a person by itself, if the website does."""
    with override(language):
        text = _("I couldn't find an answer to this on this website.")
        pages = _("These pages may help:")
    return f"{text} {pages}" if given.related else text


async def no_answer(model_id: str, given: GivenPassages, language: str) -> AsyncGenerator[Event]:
    """Yield the events of the answer, in the visitor's language. It costs nothing."""
    yield AnswerOpened(model_id)
    yield Text(text_without_answer(given, language))
    yield Finished(True, "stop", usage=Usage())
