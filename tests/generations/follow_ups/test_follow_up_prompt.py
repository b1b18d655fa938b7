"""What becomes of a model's words for suggestions, and how the emulator recognises the request."""

import pytest

from chat.conversations.follow_ups import MAX_FOLLOW_UP_CHARS
from chat.emulator.scripts.follow_ups import ASKS_FOR_FOLLOW_UPS
from chat.generations.follow_ups import follow_up_prompt
from chat.generations.follow_ups.follow_up_prompt import follow_up_request, follow_ups_in

ONE, TWO = "How long does a bend live?", "Which river bends most?"
QUESTION = "Why do rivers bend?"


@pytest.mark.parametrize(
    "written",
    [
        f"{ONE}\n{TWO}",
        f"1. {ONE}\n2) **{TWO}**\n",
        f"- “{ONE}”\n\n• {TWO}",
        f"Here are three questions:\n\n{ONE}\n{TWO}\n\nLet me know if you need more.",
        f"<think>Rivers?\nBends?</think>{ONE}\n{TWO}",
        f'["{ONE}", "{TWO}"]',
        f'```json\n{{"questions": ["{ONE}", "{TWO}", 3]}}\n```',
        f"{ONE}\n{ONE.upper()}\n{TWO}\n{QUESTION}\n",
        f"{ONE}\n{'long ' * 30}?\n{TWO}\n",
    ],
)
def test_only_the_questions_are_kept(written: str) -> None:
    assert follow_ups_in(written, QUESTION) == [ONE, TWO]


@pytest.mark.parametrize(
    "written",
    ["", "I can't help with that.", "<think>What?", '{"other": "What?"}', "Questions:", "[", "{"],
)
def test_what_is_no_question_gives_none(written: str) -> None:
    assert follow_ups_in(written, QUESTION) == []


@pytest.mark.parametrize("question", ["كم يعيش المنعطف؟", "河の曲がりはなぜですか？", "¿Por qué?"])
def test_questions_of_other_scripts_are_known(question: str) -> None:
    assert follow_ups_in(question, QUESTION) == [question]


def test_there_are_at_most_three_in_one_line_each_without_what_cannot_be_seen() -> None:
    written = "".join(f"{number}\u202e\x00 of them?\n" for number in "abcdef")
    found = follow_ups_in(written, QUESTION)
    assert found == ["a\ufffd of them?", "b\ufffd of them?", "c\ufffd of them?"]
    assert follow_ups_in("x" * (MAX_FOLLOW_UP_CHARS - 1) + "?", "") != []
    assert follow_ups_in("x" * MAX_FOLLOW_UP_CHARS + "?", "") == []


def test_markup_of_pages_stays_text() -> None:
    hostile = "<img src=x onerror=alert(1)> is what?"
    assert follow_ups_in(hostile, "") == [hostile]


def test_a_long_turn_is_cut_and_names_of_files_are_not_read() -> None:
    asked = follow_up_request("q" * 10_000, "a" * 10_000)
    assert sum(len(each.content) for each in asked[1:]) < 6000
    notes = "What is this?\n\nnotes.txt:\n```txt\nBuy milk.\n```\n"
    read = follow_up_request(notes, "A list.")[1].content
    assert read == "What is this?\n\nA list.\n\n```txt\nBuy milk.\n```"


def test_the_emulator_recognises_the_request() -> None:
    assert follow_up_prompt.INSTRUCTIONS.startswith(ASKS_FOR_FOLLOW_UPS)
