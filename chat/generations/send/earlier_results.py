"""Name to a model what tools have found and drawn for earlier answers: see decision 40."""

from collections.abc import Collection

from chat.conversations.prompt import PromptMessage
from chat.generations.send.drawn_images import with_earlier_images
from chat.generations.send.earlier_pages import READING, pages_before, with_earlier_pages
from chat.tools.generate_image import GENERATE_IMAGE


def with_earlier_results(
    prompt: list[PromptMessage], tools: Collection[str], last_id: int | None
) -> tuple[list[PromptMessage], tuple[str, ...]]:
    """Return the prompt with names of earlier results, and the addresses of pages among them.

    They are those of the branch that ends with the message `last_id`, for the tools that use them.
    """
    if last_id is None:
        return prompt, ()
    pages = pages_before(last_id) if READING in tools else {}
    prompt = with_earlier_pages(prompt, pages)
    if GENERATE_IMAGE.name in tools:
        prompt = with_earlier_images(prompt, last_id)
    return prompt, tuple(pages)
