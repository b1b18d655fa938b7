"""Answers are rendered like GitHub's own renderer does it."""

import random

import cmarkgfm
import pytest

from tests.browser.chat_page import ChatPage
from tests.browser.markdown_page import blocks, from_html, render
from tests.browser.replies import big_code, big_list, big_table, reply

SEED = random.randrange(10**6)


def test_short_answers_match_cmark(chat: ChatPage) -> None:
    compare(chat, [reply(1_000, SEED), reply(1_000, SEED + 1), reply(4_000, SEED + 2)])


@pytest.mark.long
def test_long_answers_match_cmark(chat: ChatPage) -> None:
    compare(chat, [reply(1_000, seed) for seed in range(SEED, SEED + 20)])
    compare(chat, [reply(16_000, SEED), big_list(16_000), big_table(16_000), big_code(16_000)])


def compare(chat: ChatPage, texts: list[str]) -> None:
    print("SEED", SEED)
    for length in (7, 0):
        for text, trees in zip(texts, render(chat.page, texts, length), strict=True):
            expected = blocks(from_html(cmarkgfm.github_flavored_markdown_to_html(text)))
            different = [
                pair for pair in zip(blocks(trees), expected, strict=True) if pair[0] != pair[1]
            ]
            assert different == []
