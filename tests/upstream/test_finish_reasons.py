"""Every provider's finish reason becomes one that clients know, or an error."""

import json

import pytest

from chat.lib.sse import Event
from chat.upstream.decoding.normalizer import Normalizer
from chat.upstream.errors import error_for
from chat.upstream.events import Finished, Piece, Text

OUTCOMES = {
    "stop": "stop eos eos_token stop_sequence end_turn STOP COMPLETE",
    "length": "length model_length max_tokens MAX_TOKENS model_context_window_exceeded repetition",
    "content_filter": "content_filter content-filter sensitive SAFETY RECITATION refusal",
    "tool_calls": "tool_calls tool_use function_call",
}
FAILED = (
    "abort error network_error insufficient_system_resource MALFORMED_FUNCTION_CALL cancelled "
    "something_new load"
)
NAMES = [(name, outcome) for outcome, names in OUTCOMES.items() for name in names.split()]


def read(reason: object, **choice: object) -> tuple[Normalizer, list[Piece], Finished]:
    """Return the state after text and an end with this finish reason, and what was read."""
    normaliser = Normalizer()
    last = {"index": 0, "delta": {"content": "So"}, "finish_reason": reason, **choice}
    steps = list(normaliser.feed(Event(json.dumps({"choices": [last]}))))
    held, finished = normaliser.finished()
    return normaliser, [*(piece for step in steps for piece in step), *held], finished


@pytest.mark.parametrize(("name", "outcome"), NAMES)
def test_a_documented_reason_has_one_name(name: str, outcome: str) -> None:
    normaliser, pieces, finished = read(name)
    assert (finished.finish_reason, finished.complete) == (outcome, True)
    assert normaliser.refusal is None
    assert pieces == [Text("So")]


def test_a_reason_may_have_details() -> None:
    assert read("content_filter: RECITATION")[2].finish_reason == "content_filter"
    assert read({"type": "length", "length": 9})[2].finish_reason == "length"


@pytest.mark.parametrize("reason", [*FAILED.split(), {"type": "abort", "message": "gone"}])
def test_any_other_reason_is_an_error_whose_text_is_kept(reason: object) -> None:
    normaliser, pieces, finished = read(reason)
    assert pieces == [Text("So")]
    assert normaliser.refusal
    assert not finished.complete
    assert error_for(normaliser.refusal).retryable


def test_a_routers_stop_does_not_hide_what_the_provider_said() -> None:
    assert read("stop", native_finish_reason="network_error")[0].refusal
    assert not read("stop", native_finish_reason="STOP")[0].refusal
    assert not read("stop", native_finish_reason="whatever")[0].refusal


@pytest.mark.parametrize("reason", [None, "", "null", 7, {}, []])
def test_a_value_that_is_no_reason_ends_nothing(reason: object) -> None:
    normaliser, _pieces, finished = read(reason)
    assert (finished.complete, normaliser.refusal) == (False, None)
