"""Images count in the estimate of a prompt, by their size."""

import pytest

from chat.conversations.prompt import (
    PromptImage,
    PromptMessage,
    estimate_prompt_tokens,
    merge_consecutive,
)
from chat.conversations.sizes.image_tokens import image_tokens


@pytest.mark.parametrize(
    ("width", "height", "tokens"),
    [
        (1, 1, 256),
        (448, 448, 256),
        (560, 560, 400),
        (1568, 1568, 3136),
        (4000, 4000, 3136),
        (1568, 29, 256),
        (4096, 2048, 1568),
    ],
)
def test_an_image_has_a_token_for_each_square_up_to_the_longest_side(
    width: int, height: int, tokens: int
) -> None:
    assert image_tokens(width, height) == tokens


def test_images_of_merged_questions_are_all_kept_and_counted() -> None:
    one, two = (PromptImage(name, name, tokens=300) for name in ("one", "two"))
    messages = [
        PromptMessage("user", "", images=(one,)),
        PromptMessage("user", "And?", images=(two,)),
    ]
    (merged,) = merge_consecutive(messages)
    assert (merged.content, merged.images) == ("And?", (one, two))
    assert estimate_prompt_tokens([merged]) > 600
    assert merged.without_images().content == "And?\n[image: one]\n[image: two]"
