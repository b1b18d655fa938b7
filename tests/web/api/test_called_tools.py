"""Programs hear of tool calls in the form in which they declared the tools."""

from typing import TYPE_CHECKING, Any

import pytest

from chat.generations.delivery.encoders.called_tools import ToolForms, input_of
from chat.generations.delivery.encoders.openai import OpenAICompletion, OpenAIEncoder
from chat.generations.delivery.encoders.responses_api import ResponsesEncoder, WholeResponse
from chat.generations.log.frames import frames_of, terminal
from chat.generations.result import Result
from chat.upstream.events import AnswerOpened, ToolCall, ToolCallPiece, Usage
from tests.support.api.responses_client import event_type
from tests.support.api.sdk_types import require_conforming
from tests.support.generations.encoders import BUSY, ID, events
from tests.support.imported_later import imported_later

if TYPE_CHECKING:
    from openai.types import chat as completions
    from openai.types import responses
else:
    completions = imported_later("openai.types.chat")
    responses = imported_later("openai.types.responses")

FORMS = ToolForms(frozenset({"patch"}), {"spawn": ("agents", "spawn"), "x__f": ("x", "f")})
OLD = ToolForms(is_old=True)
ECHOED: dict[str, Any] = {
    "model": "m", "instructions": None, "metadata": {}, "parallel_tool_calls": True,
    "temperature": None, "tool_choice": "auto", "tools": [], "top_p": None,
}  # fmt: skip


def called(*calls: tuple[str, str], state: str = "complete", reason: str = "") -> list[bytes]:
    """Return the log of an answer that calls tools; its arguments come in two pieces."""
    made = frames_of(AnswerOpened("m"), 1)
    for index, (name, arguments) in enumerate(calls):
        for piece in ((name, arguments[:4]), ("", arguments[4:])):
            made += frames_of(ToolCallPiece(index, *piece), len(made) + 1)
    finished = tuple(ToolCall(index, "x", *each) for index, each in enumerate(calls))
    result = Result(
        state,  # type: ignore[arg-type]
        0,
        len(made),
        tool_calls=finished,
        usage=Usage(3, 4, 7),
        finish_reason=reason or None,
        problem=BUSY if state == "interrupted" else None,
    )
    return [*made, *terminal(result)]


def stream(log: list[bytes], forms: ToolForms = FORMS) -> list[Any]:
    """Return the events of a response, each valid to the SDK."""
    found = events(ResponsesEncoder(ID, ECHOED, forms), log)
    for each in found:
        require_conforming(event_type(), each)
    return found


@pytest.mark.parametrize(
    ("call", "item"),
    [
        (
            ("f", '{"a": 1}'),
            {"type": "function_call", "name": "f", "arguments": '{"a": 1}'},
        ),
        (
            ("spawn", '{"a": 1}'),
            {
                "type": "function_call",
                "name": "spawn",
                "namespace": "agents",
                "arguments": '{"a": 1}',
            },
        ),
        (
            ("x__f", "{}"),
            {"type": "function_call", "name": "f", "namespace": "x", "arguments": "{}"},
        ),
        (
            ("patch", '{"input": "a\\nb"}'),
            {"type": "custom_tool_call", "name": "patch", "input": "a\nb"},
        ),
    ],
)
def test_a_response_has_the_call_as_the_tool_was_declared(
    call: tuple[str, str], item: dict[str, Any]
) -> None:
    log = called(call)
    last = stream(log)[-1]["response"]
    whole = WholeResponse(ID, ECHOED, FORMS)
    whole.take(b"".join(log))
    responses.Response.model_validate(whole.body())
    for response in (last, whole.body()):
        (found,) = response["output"]
        assert found.items() >= item.items()
        assert found["call_id"] == f"call_{ID.hex[:24]}_0"
    assert last["usage"]["input_tokens_details"]["cache_write_tokens"] == 0


def test_the_input_of_a_custom_tool_has_events_of_its_own() -> None:
    found = stream(called(("patch", '{"input": "a\\nb"}'), ("f", "{}")))
    told = [each for each in found if "custom_tool_call_input" in each["type"]]
    kinds = ["response.custom_tool_call_input.delta", "response.custom_tool_call_input.done"]
    assert [each["type"] for each in told] == kinds
    assert (told[0]["delta"], told[1]["input"]) == ("a\nb", "a\nb")
    added = [each for each in found if each["type"] == "response.output_item.added"]
    assert [each["item"].get("input") for each in added] == ["", None]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [('{"input": "a"}', "a"), ("*** Begin", "*** Begin"), ('{"a": 1}', '{"a": 1}'), ("", "")],
)
def test_a_custom_tool_gets_what_the_model_wrote(arguments: str, text: str) -> None:
    assert input_of(arguments) == text


def chat(log: list[bytes], forms: ToolForms) -> tuple[dict[str, Any], list[Any]]:
    """Return a whole chat completion, valid to the SDK, and the deltas of a streamed one."""
    whole = OpenAICompletion(ID, "m", forms)
    whole.take(b"".join(log))
    body = whole.body()
    completions.ChatCompletion.model_validate(body)
    found = events(OpenAIEncoder(ID, "m", tools=forms), log)
    choices = [each["choices"][0] for each in found if each]
    assert choices[-1]["finish_reason"] == body["choices"][0]["finish_reason"]
    return body["choices"][0], [each["delta"] for each in choices[1:-1]]


def test_a_chat_completion_calls_a_custom_tool() -> None:
    choice, deltas = chat(called(("patch", '{"input": "a"}')), FORMS)
    (call,) = choice["message"]["tool_calls"]
    assert (call["type"], call["custom"]) == ("custom", {"name": "patch", "input": "a"})
    first, last = (each["tool_calls"][0] for each in deltas)
    assert first["custom"] == {"name": "patch", "input": ""}
    assert last["custom"] == {"input": "a"}


def test_a_chat_completion_calls_a_function_in_the_old_form() -> None:
    choice, deltas = chat(called(("f", '{"a": 1}')), OLD)
    assert choice["finish_reason"] == "function_call"
    assert choice["message"]["function_call"] == {"name": "f", "arguments": '{"a": 1}'}
    told = [each["function_call"] for each in deltas]
    assert told[0] == {"name": "f", "arguments": ""}
    assert "".join(each["arguments"] for each in told) == '{"a": 1}'


def test_a_response_that_fails_says_why_in_both_forms() -> None:
    error, failed = stream(called(("f", "{"), state="interrupted"))[-2:]
    assert (error["type"], error["message"]) == ("error", BUSY.message)
    response = failed["response"]
    assert (failed["type"], response["status"]) == ("response.failed", "failed")
    assert response["error"] == {"code": "server_error", "message": BUSY.message}
