"""Name to a model what tools have found and drawn for earlier answers: see decision 40.

Only names and addresses of pages are part of later prompts, not what was read.
"""

from collections.abc import Collection, Iterator, Sequence

from chat.conversations.prompt import PromptMessage, after_question
from chat.conversations.sources import sources
from chat.generations.send.drawn_images import with_earlier_images
from chat.knowledge.given import earlier_block
from chat.tools.generate_image import GENERATE_IMAGE
from chat.tools.web.addresses import known_form

#: Answers that are looked at, and pages that are named: the newest.
MAX_ANSWERS, MAX_PAGES = 40, 12
#: Longer addresses are left out: they would take room and name little.
MAX_ADDRESS_CHARS = 300
#: What reads pages.
READING = "web_search"


def with_earlier_results(
    prompt: list[PromptMessage], tools: Collection[str], ids: Sequence[int]
) -> tuple[list[PromptMessage], tuple[str, ...]]:
    """Return the prompt with names of earlier results, and the addresses of pages among them.

    They are those of the branch of messages with these `ids`, for the tools that use them.
    """
    if not ids:
        return prompt, ()
    pages = pages_before(ids) if READING in tools else {}
    if pages:
        prompt = after_question(prompt, earlier_block(pages))
    if GENERATE_IMAGE.name in tools:
        prompt = with_earlier_images(prompt, ids)
    return prompt, tuple(pages)


def pages_before(ids: Sequence[int]) -> dict[str, str]:
    """Return the names of pages by their addresses, the newest first, of a branch of messages."""
    newest = ids[::-1][: 2 * MAX_ANSWERS]
    pages: dict[str, str] = {}
    for address, name in _found(newest):
        if len(pages) == MAX_PAGES:
            break
        pages.setdefault(address, name)
    return pages


def _found(message_ids: Sequence[int]) -> Iterator[tuple[str, str]]:
    found = sources.shown_of(message_ids)
    for message_id in message_ids:
        for each in found.get(message_id, ()):
            if each.is_from_tool and 0 < len(each.address) <= MAX_ADDRESS_CHARS:
                yield known_form(each.address), each.name
