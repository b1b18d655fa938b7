"""Name to a model what tools have found and drawn for earlier answers: see decision 40."""

from collections.abc import Collection, Sequence

from chat.conversations.prompt import PromptMessage
from chat.generations.send.drawn_images import with_earlier_images
from chat.generations.send.earlier_pages import READING, pages_before, with_earlier_pages
from chat.tools.generate_image import GENERATE_IMAGE


def with_earlier_results(
    prompt: list[PromptMessage], tools: Collection[str], ids: Sequence[int]
) -> tuple[list[PromptMessage], tuple[str, ...]]:
    """Return the prompt with names of earlier results, and the addresses of pages among them.

    They are those of the branch of messages with these `ids`, for the tools that use them.
    """
    if not ids:
        return prompt, ()
    pages = pages_before(ids) if READING in tools else {}
    prompt = with_earlier_pages(prompt, pages)
    if GENERATE_IMAGE.name in tools:
        prompt = with_earlier_images(prompt, ids)
    return prompt, tuple(pages)
