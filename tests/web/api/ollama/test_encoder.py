"""An answer that doesn't reach its end says so once, and an idle stream stays open."""

import json
from typing import Any

import pytest

from chat.generations.delivery.encoders.ollama import OllamaEncoder, OllamaForm
from chat.upstream.events import Reasoning, Text
from tests.support.generations.encoders import BUSY, ID, SAID, complete, encoded, log_of

CUT = log_of("interrupted", Text("Well"))
FAILED = log_of("interrupted", Text("Well"), problem=BUSY)
BROKEN_OFF = log_of("complete", Text("Well"))[:-2]  # whoever read it was sent away


def lines(frames: list[bytes], **form: Any) -> list[dict[str, Any]]:
    encoder = OllamaEncoder(ID, OllamaForm("m", is_chat=True, **form))
    return [json.loads(line) for line in encoded(encoder, frames).decode().splitlines()]


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (CUT, "The answer was interrupted."),
        (FAILED, "The model provider is <busy>."),
        (BROKEN_OFF, "The answer was interrupted."),
    ],
)
def test_an_answer_without_an_end_has_one_error(log: list[bytes], message: str) -> None:
    found = lines(log)
    assert [each["error"] for each in found if "error" in each] == [message]
    assert not any(each.get("done") for each in found)


@pytest.mark.parametrize("shows_thinking", [True, False])
def test_what_keeps_a_stream_open_is_an_empty_piece(shows_thinking: bool) -> None:
    *pieces, end = lines(complete(), shows_thinking=shows_thinking)
    messages = [each["message"] for each in pieces]
    assert "".join(each["content"] for each in messages) == SAID
    thought = "".join(each.get("thinking", "") for each in messages)
    assert thought == ("I think." if shows_thinking else "")
    assert {"role": "assistant", "content": ""} in messages
    assert end["done"]


def test_a_single_prompt_is_told_the_same() -> None:
    log = log_of("complete", Reasoning("I think."), Text("Well"))
    encoder = OllamaEncoder(ID, OllamaForm("m", is_chat=False))
    *pieces, end = map(json.loads, encoded(encoder, log).decode().splitlines())
    assert [each["response"] for each in pieces if each["response"]] == ["Well"]
    assert [each["thinking"] for each in pieces if "thinking" in each] == ["I think."]
    assert (end["prompt_eval_count"], end["eval_count"]) == (3, 4)
