"""Suggest what a member or visitor could ask next, with a cheap model after each answer.

Administrators turn this on, because each answer then costs a second request; it counts towards the
same limits. Members who hide the questions cause none, nor do visitors of a website whose owner
hasn't turned them on for it.
"""

from functools import partial

from django.conf import settings

from chat.accounts.principals import Principal
from chat.conversations import follow_ups
from chat.conversations.handoff import takeover
from chat.database import threads
from chat.generations.delivery import notifications
from chat.generations.follow_ups.follow_up_prompt import (
    MAX_FOLLOW_UP_TOKENS,
    follow_up_request,
    follow_ups_in,
)
from chat.generations.pairs.pairs import pair_with
from chat.generations.result import Result
from chat.generations.send.sent import Sent
from chat.generations.send.side_requests import SideRequests, ask
from chat.site_settings import effective
from chat.widget_sites import visits

#: Finish reasons of answers to go on from. Some providers send none.
WHOLE = ("stop", None)
#: How a block of buttons begins (chat/widget_sites/visitor_generation_settings.py).
BUTTONS = "```buttons"

_requests = SideRequests("follow-ups", at_once=4)
until_written = _requests.until_done


def write_in_background(principal: Principal, sent: Sent, result: Result, answer: str) -> None:
    """Write questions that lead on from an answer that has just been stored whole.

    Nothing leads on from the sentence that nothing was found in a website's pages, and an answer
    with buttons has its own.
    """
    if not (settings.TITLE_MODEL and effective.suggests_questions()):
        return
    is_whole = result.state == "complete" and result.finish_reason in WHOLE
    if not (is_whole and answer.strip()) or result.is_purged:
        return
    if principal.shows_follow_ups and not (sent.given and sent.given.no_answer):
        write = partial(_write, principal, sent, answer)
        _requests.start_optional(write, "an answer has no suggested questions")


async def _write(principal: Principal, sent: Sent, answer: str) -> None:
    answer_id = sent.generation.message_id
    question = await threads.readers.run(_question_for, principal, sent, answer)
    if question is None:
        return
    questions = follow_ups_in(await _ask(principal, question, answer), question)
    if not questions:
        return
    is_stored = await threads.writer.run(
        follow_ups.store, sent.conversation_id, answer_id, questions
    )
    if is_stored and not principal.site:  # a website's frame asks for them
        notifications.notify_in_background(principal.user_id, "follow_ups", sent.conversation_id)


async def _ask(principal: Principal, question: str, answer: str) -> str:
    request = follow_up_request(question, answer)
    return await ask(principal, settings.TITLE_MODEL, request, MAX_FOLLOW_UP_TOKENS)


def _question_for(principal: Principal, sent: Sent, answer: str) -> str | None:
    """Return the question; None if a visitor is to see no others after its answer."""
    if principal.site:
        is_wanted = visits.suggests_questions(principal.user_id)
        if not is_wanted or BUTTONS in answer or takeover.current(sent.conversation_id):
            return None
    return _question_before(sent.generation.message_id)


def _question_before(answer_id: int) -> str | None:
    """Return the question, unless its answer is compared with another one."""
    return None if pair_with(answer_id) else follow_ups.question_before(answer_id)
