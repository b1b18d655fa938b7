"""Summarise the oldest messages of a chat that fills its model's window, with a cheap model.

This happens after an answer, so that no question waits for it. If it fails, prompts leave out the
oldest messages, as they do without it. The cost counts towards the limits of who pays for the
answer.
"""

from functools import partial

from django.conf import settings

from chat.accounts.principals import Principal
from chat.conversations.prompt import PromptMessage, is_full
from chat.conversations.summaries import summaries
from chat.conversations.summaries.summaries import Claim
from chat.database import threads
from chat.generations.delivery import notifications
from chat.generations.result import Result
from chat.generations.send.sent import Sent
from chat.generations.send.side_requests import SideRequests, ask
from chat.generations.summaries import coverage
from chat.generations.summaries.coverage import Sizes
from chat.generations.summaries.summary_prompt import (
    bytes_of_tokens,
    summary_of,
    summary_request,
)
from chat.lib.catalogue import Model
from chat.upstream import available_models, learned

#: After one answer. A chat of many turns, such as an imported one, needs several.
MAX_STEPS = 8

_requests = SideRequests("summaries", at_once=2)
until_written = _requests.until_done


def write_in_background(principal: Principal, sent: Sent, result: Result, answer: str) -> None:
    """Write a summary of a chat if it fills the window of the model that has just answered."""
    if not settings.COMPACTION_MODEL or result.is_purged or not (sent.history and answer):
        return
    model = available_models.known(sent.generation.model)
    if model is None:
        return
    known = learned.about(model.id).window
    answer_tokens = model.max_answer_tokens(sent.max_tokens, known)
    window = model.prompt_window(answer_tokens, known)
    said = [*sent.history, PromptMessage("assistant", answer)]
    if is_full(said, window, answer_tokens):
        write = partial(_write, principal, sent, window - answer_tokens)
        _requests.start_optional(write, "a long chat was not summarised")


async def _write(principal: Principal, sent: Sent, room_tokens: int) -> None:
    """Write summaries until the last one covers all but the newest messages."""
    writing = available_models.find(settings.COMPACTION_MODEL)
    sizes = coverage.sizes_for(room_tokens, writing)
    leaf_id = sent.generation.message_id
    for _ in range(MAX_STEPS):
        wanted = await threads.readers.run(
            coverage.next_claim, sent.conversation_id, leaf_id, sizes
        )
        if not wanted or not await _write_one(principal, writing, wanted, sizes):
            return


async def _write_one(principal: Principal, writing: Model, wanted: Claim, sizes: Sizes) -> bool:
    """Return whether a summary was stored."""
    claimed = await threads.writer.run(summaries.claim, wanted)
    if claimed is None:
        return False
    is_stored = False
    try:
        text = await _ask(principal, writing, claimed, sizes)
        is_stored = bool(text) and await threads.writer.run(summaries.store, claimed, text)
    finally:
        if not is_stored:
            await threads.writer.run(summaries.release, claimed)
    if is_stored and not principal.site:  # visitors' pages don't show it
        notifications.notify_in_background(principal.user_id, "turn", claimed.conversation_id)
    return is_stored


async def _ask(principal: Principal, writing: Model, claimed: Claim, sizes: Sizes) -> str:
    said = await threads.readers.run(coverage.read, claimed)
    if said is None:
        return ""
    former, messages = said
    request = summary_request(former, messages, bytes_of_tokens(sizes.message))
    return summary_of(await ask(principal, writing.id, request, sizes.written), sizes.written)
