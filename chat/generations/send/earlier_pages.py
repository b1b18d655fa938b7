"""Which web pages earlier answers of a chat have found, so that a model can read them again.

Only their names and addresses are part of later prompts, not what was read: see decision 40.
"""

from collections.abc import Iterator, Mapping, Sequence

from chat.conversations.prompt import PromptMessage, after_question
from chat.conversations.sources import sources
from chat.knowledge.given import earlier_block
from chat.tools.web.addresses import known_form

#: Answers that are looked at, and pages that are named: the newest.
MAX_ANSWERS, MAX_PAGES = 40, 12
#: Longer addresses are left out: they would take room and name little.
MAX_ADDRESS_CHARS = 300
#: What reads pages.
READING = "web_search"


def with_earlier_pages(
    prompt: list[PromptMessage], pages: Mapping[str, str]
) -> list[PromptMessage]:
    """Return the prompt with the names of these pages after the question."""
    return after_question(prompt, earlier_block(pages)) if pages else prompt


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
