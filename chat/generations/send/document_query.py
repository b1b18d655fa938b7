"""What to look for in documents for a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from chat.conversations.attached_files import split_files
from chat.conversations.prompt import PromptMessage, estimate_prompt_tokens
from chat.conversations.sources.sources import sources_of
from chat.errors import BadRequest
from chat.generations.send.history import History
from chat.generations.send.turn import Turn
from chat.knowledge.given import GivenPassage
from chat.lib.catalogue import Model
from chat.widget_sites.models import AnswerMode

#: Of a question that was written, without files. What is longer says nothing more to a search.
QUERY_CHARACTERS = 2000
#: A question shorter than this may refer to the one before, as "And in winter?" does.
SHORT_QUESTION_CHARACTERS = 60
#: Of a model's context window, at most so much is passages.
WINDOW_SHARE = 4
RULES_TOKENS = 150  # what the model is told about passages


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """What to look for in which collections. The caller has checked access to them.

    `room_tokens` are left in the model's window besides the question.
    """

    collections: list[UUID]
    question: str
    question_before: str = ""
    window_tokens: int = 0
    room_tokens: int = 0
    #: What answers of a website may be based on; None if it isn't one.
    mode: AnswerMode | None = None
    #: The document of the page that the visitor is on, which comes first.
    page: UUID | None = None
    #: Those of an answer that is continued, whose numbers have to stay.
    given_before: Sequence[GivenPassage] | None = None

    @property
    def text(self) -> str:
        """Return what is searched."""
        question = self.question.strip()[:QUERY_CHARACTERS]
        if self.question_before and len(question) < SHORT_QUESTION_CHARACTERS:
            return f"{self.question_before.strip()[:QUERY_CHARACTERS]}\n{question}"
        return question

    def budget(self, most_tokens: int) -> int:
        room = min(self.window_tokens // WINDOW_SHARE, self.room_tokens) - RULES_TOKENS
        return max(0, min(most_tokens, room))


def document_query(
    collections: list[UUID], turn: Turn, history: History, window_tokens: int, room_tokens: int
) -> DocumentQuery | None:
    """Return what to search for a turn; None to continue an answer that has no passages."""
    if turn.answer:
        given = sources_of([turn.answer.pk]).get(turn.answer.pk)
        if given is None or (given and all(each.is_from_tool for each in given)):
            return None
        given = [each for each in given if not each.is_from_tool]
        return DocumentQuery(collections, "", "", window_tokens, room_tokens, given_before=given)
    questions = [
        each.content for each in history.messages if each.role == "user" and not each.covers
    ]
    question = split_files(turn.asking.text).text
    before = split_files(questions[-1]).text if questions else ""
    return DocumentQuery(collections, question, before, window_tokens, room_tokens)


def without_sources() -> BadRequest:
    """Return why an answer that may only be based on documents can't be continued."""
    return BadRequest(_("The pages that this answer is from have changed. Ask again instead."))


def query_of_messages(
    collections: list[UUID], messages: Sequence[PromptMessage], max_tokens: int, model: Model
) -> DocumentQuery:
    """Return what to search for the last question of a chat that its client keeps."""
    questions = [each for each in messages if each.role == "user"]
    system = [each for each in messages if each.role == "system"]
    needed = max_tokens + estimate_prompt_tokens([*system, questions[-1]])
    asked = [split_files(each.content).text for each in questions[-2:]]
    window = model.context_window
    before = asked[0] if len(asked) > 1 else ""
    return DocumentQuery(collections, asked[-1], before, window, window - needed)
