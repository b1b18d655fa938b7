"""The passages of documents in the results of tools: stored without their texts, and read again.

So a member who may no longer read a document doesn't find its text in a call that was made before.
"""

import re
from collections.abc import Sequence
from uuid import UUID

from msgspec.structs import replace

from chat.conversations.sources.sources import sources_of
from chat.conversations.tool_calls.models import StoredToolCall
from chat.generations.send.tool_rounds import MAX_RESULT_CHARS, result_text
from chat.knowledge import excerpts
from chat.knowledge.given import GivenPassage, without_tags

_EMPTY = re.compile(r'(<passage number="(\d{1,4})"[^>\n]{0,2000}>)\n\n</passage>')


def stored_result(result: str, passages: Sequence[GivenPassage]) -> str:
    """Return what is stored of a result, which may have passages of documents."""
    if not any(each.document.int for each in passages):  # web pages are no documents
        return result
    return result_text("", [replace(each, text="") for each in passages])


def read_again(
    calls: Sequence[StoredToolCall], collections: Sequence[UUID]
) -> Sequence[StoredToolCall]:
    """Put the texts of passages into results, as far as they still are in these collections."""
    wanted = [each for each in calls if _EMPTY.search(each.result)]
    given = sources_of({each.message_id for each in wanted}) if wanted else {}
    for call in wanted:
        passages = [each for each in given.get(call.message_id, ()) if each.is_from_tool]
        texts = {each.number: each.text for each in excerpts.with_texts(passages, collections)}
        result = _EMPTY.sub(lambda head: _with_text(head, texts), call.result)  # noqa: B023
        call.result = result.encode()[:MAX_RESULT_CHARS].decode(errors="ignore")
    return calls


def _with_text(head: re.Match[str], texts: dict[int, str]) -> str:
    text = texts.get(int(head[2]))
    return f"{head[1]}\n{without_tags(text)}\n</passage>" if text else head[0]
