"""Cut a conversation to a context window: what is kept, left out or too long."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.conversations.prompt import (
    NO_ANSWER,
    PromptMessage,
    estimate_tokens,
    fit_to_window,
    merge_consecutive,
    without_empty_answers,
)
from chat.errors import PromptTooLong

SYSTEM = PromptMessage("system", "Be brief.")


def turns(count: int, size: int = 300) -> list[PromptMessage]:
    return [
        PromptMessage("user" if n % 2 == 0 else "assistant", f"{n} " + "x" * size)
        for n in range(count)
    ]


def test_a_prompt_that_fits_is_sent_whole() -> None:
    messages = [SYSTEM, *turns(5)]
    prompt = fit_to_window(messages, 10_000, 256)
    assert prompt.messages == messages
    assert prompt.omitted_messages == 0


def test_the_oldest_turns_are_dropped_and_the_prompt_starts_with_a_question() -> None:
    prompt = fit_to_window([SYSTEM, *turns(41)], 2_000, 256)
    assert prompt.messages[0] == SYSTEM
    assert prompt.messages[1].role == "user"
    assert prompt.messages[-1].content.startswith("40 ")
    assert len(prompt.messages) - 1 + prompt.omitted_messages == 41


def test_system_messages_are_merged_at_the_start() -> None:
    prompt = fit_to_window(
        [
            PromptMessage("user", "a"),
            SYSTEM,
            PromptMessage("user", "b"),
            PromptMessage("system", "Rhyme."),
        ],
        999,
        9,
    )
    told = PromptMessage("system", "Be brief.\n\nRhyme.")
    assert prompt.messages == [told, PromptMessage("user", "a\n\nb")]


def test_roles_alternate_after_empty_or_consecutive_messages() -> None:
    said = [("user", "a"), ("assistant", " \n"), ("user", "b"), ("user", "c"), ("assistant", "d")]
    said += [("assistant", "e"), ("assistant", ""), ("user", "f")]
    prompt = fit_to_window([PromptMessage(*each) for each in said], 9_999, 9)
    assert [(message.role, message.content) for message in prompt.messages] == [
        ("user", "a"),
        ("assistant", NO_ANSWER),
        ("user", "b\n\nc"),
        ("assistant", "d\n\ne"),
        ("user", "f"),
    ]


@pytest.mark.parametrize(
    "messages", [turns(1, 9_000), [PromptMessage("system", "x" * 9_000), *turns(1)]]
)
def test_the_last_message_is_never_cut(messages: list[PromptMessage]) -> None:
    with pytest.raises(PromptTooLong):
        fit_to_window(messages, 2_000, 256)


@pytest.mark.parametrize(
    ("text", "at_least"), [("hello world", 3), ("日本語の文章です", 8), ("🌊🌊🌊", 4), ("", 0)]
)
def test_token_estimates_err_on_the_high_side(text: str, at_least: int) -> None:
    assert estimate_tokens(text) >= at_least


@given(
    st.lists(
        st.tuples(st.sampled_from(["system", "user", "assistant"]), st.text(max_size=400)),
        min_size=1,
        max_size=30,
    ),
    st.integers(min_value=100, max_value=3_000),
)
def test_a_prompt_always_fits_and_keeps_the_newest_message(
    pairs: list[tuple[str, str]], window: int
) -> None:
    messages = [PromptMessage(role, content) for role, content in pairs]
    said = without_empty_answers(message for message in messages if message.role != "system")
    try:
        prompt = fit_to_window(messages, window, 40)
    except PromptTooLong:
        return
    kept = [message for message in prompt.messages if message.role != "system"]
    assert kept == merge_consecutive(said[prompt.omitted_messages :])
    assert (
        sum(estimate_tokens(m.content) for m in prompt.messages) <= max(window - 40, 0) or not said
    )


def test_consecutive_questions_are_cut_like_others() -> None:
    asked = [PromptMessage("user", f"{n} " + "x" * 300) for n in range(100)]
    prompt = fit_to_window(asked, 2_000, 256)
    assert len(prompt.messages) == 1
    assert prompt.messages[0].content.endswith(asked[-1].content)
    assert 80 < prompt.omitted_messages < 100


@given(
    st.lists(
        st.tuples(st.sampled_from(["system", "user", "assistant"]), st.text(max_size=9)),
        max_size=30,
    )
)
def test_roles_always_alternate(pairs: list[tuple[str, str]]) -> None:
    roles = [
        each.role
        for each in fit_to_window([PromptMessage(*each) for each in pairs], 99_999, 9).messages
    ]
    assert all(one != next_ for one, next_ in pairwise(roles))
