"""Say that a website's documents don't answer a question, without asking a model."""

from collections.abc import AsyncGenerator

from django.utils.translation import gettext as _
from django.utils.translation import override

from chat.upstream.events import AnswerOpened, Event, Finished, Text, Usage


def text_without_answer(language: str) -> str:
    """Return the answer. The page lists what may help, and offers a person if the website does."""
    with override(language):
        return _("I couldn't find an answer to this on this website.")


async def no_answer(model_id: str, language: str) -> AsyncGenerator[Event]:
    """Yield the events of the answer, in the visitor's language. It costs nothing."""
    yield AnswerOpened(model_id)
    yield Text(text_without_answer(language))
    yield Finished(True, "stop", usage=Usage())
