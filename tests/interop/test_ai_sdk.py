"""The unmodified AI SDK works with the API, with each of its OpenAI providers."""

from pathlib import Path
from typing import Any

import pytest

from tests.interop.programs import runs, shows
from tests.support.api.api_site import ApiSite, heard_by

pytestmark = [
    pytest.mark.interop,
    pytest.mark.long,
    pytest.mark.xdist_group("foreign clients"),
    runs("AI SDK"),
]

#: `createOpenAI` uses the Responses API by default.
PROVIDERS = ["compatible", "responses", "chat"]


@pytest.fixture(scope="module")
def all_heard(site: ApiSite) -> dict[str, Any]:
    return heard_by(site, Path(__file__).with_name("ai_sdk.mjs"))


@pytest.fixture(params=PROVIDERS)
def heard(all_heard: dict[str, Any], request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return what one provider got."""
    return dict(all_heard[request.param])


@pytest.mark.parametrize("kind", ["native", "openai"])
@shows("streamed")
def test_a_streamed_answer_is_read(heard: dict[str, Any], kind: str) -> None:
    assert heard[kind]["text"].count("“Hello”") == 1
    assert heard[kind]["errors"] == []
    assert heard[kind]["finish"] == "stop"
    assert heard[kind]["usage"]["outputTokens"] > 50


def test_an_answer_cut_at_the_limit_says_so(heard: dict[str, Any]) -> None:
    assert heard["cutOff"]["finish"] == "length"


@shows("tools")
def test_a_tool_call_is_read(heard: dict[str, Any]) -> None:
    call = {"name": "read_gauge", "input": {"query": "the level"}}
    assert heard["tool"]["toolCalls"] == [call]
    assert heard["tool"]["finish"] == "tool-calls"


@shows("turns")
def test_three_turns_go_on_after_a_tool_that_failed(heard: dict[str, Any]) -> None:
    read, failed, last = heard["turns"]
    assert "4.2 m" in read
    assert "There is no such gauge." in failed
    assert "“Hello”" in last


@shows("structured", "text")
def test_structured_output_is_read(heard: dict[str, Any]) -> None:
    assert heard["object"] == "object"


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("broken", marks=shows("broken")),
        pytest.param("truncated", marks=shows("cut")),
    ],
)
def test_a_stream_that_breaks_off_is_not_a_success(heard: dict[str, Any], kind: str) -> None:
    assert heard[kind]["text"]
    assert heard[kind]["errors"]
    assert heard[kind]["finish"] in {"error", None}


@pytest.mark.parametrize(
    ("kind", "status", "is_retryable"),
    [
        pytest.param("context", 400, False, marks=shows("too long")),
        ("busy", 503, True),
        pytest.param("wrongKey", 401, False, marks=shows("wrong key")),
        pytest.param("rate", 429, True, marks=shows("limits")),
        pytest.param("quota", 429, True, marks=shows("limits")),
    ],
)
def test_an_error_has_its_status(
    heard: dict[str, Any], kind: str, status: int, is_retryable: bool
) -> None:
    expected = {"name": "AI_APICallError", "status": status, "isRetryable": is_retryable}
    assert heard[kind] == expected


def test_reasoning_is_read(all_heard: dict[str, Any]) -> None:
    assert all_heard["reasoning"]


def test_embeddings_are_read(all_heard: dict[str, Any]) -> None:
    assert all_heard["embeddings"] == [1024, 1024]
