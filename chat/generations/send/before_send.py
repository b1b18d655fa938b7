"""Checks of other packages on a question, before it is stored, searched for, or sent to a model."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from chat.accounts.principals import Principal
from chat.conversations.models import Message
from chat.conversations.prompt import PromptMessage
from chat.generations.send.turn import Turn

#: Stores what a check has found, with the question's id, in the transaction that stores it.
StoringStep = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class CheckedQuestion:
    """A question that is about to be sent; `message_id` if it is stored and answered again."""

    text: str
    message_id: int | None = None


Check = Callable[[Principal, CheckedQuestion], Awaitable[StoringStep | None]]
#: Each raises a `ChatError` to refuse the question.
question_checks: list[Check] = []


async def check_turn(principal: Principal, turn: Turn) -> list[StoringStep]:
    """Check the question of a turn. To continue an answer, it was checked before."""
    asking = turn.asking
    if asking.role != Message.Role.USER:
        return []
    return await _check(principal, CheckedQuestion(asking.text, asking.pk))


async def check_messages(principal: Principal, messages: Sequence[PromptMessage]) -> None:
    """Check what a person or program asks without a stored chat."""
    await check_text(principal, _last_question(messages))


async def check_text(principal: Principal, text: str) -> None:
    """Check what a program has drawn or read aloud."""
    if text:
        await _check(principal, CheckedQuestion(text))


async def _check(principal: Principal, question: CheckedQuestion) -> list[StoringStep]:
    steps = [await check(principal, question) for check in question_checks]
    return [each for each in steps if each]


def _last_question(messages: Sequence[PromptMessage]) -> str:
    """Return the user's last messages in a row, which the model reads as one question."""
    end = len(messages)
    while end and messages[end - 1].role != "user":
        end -= 1
    first = end
    while first and messages[first - 1].role == "user":
        first -= 1
    return "\n\n".join(each.content for each in messages[first:end])
