"""The unmodified `openai` package for Node works with the API."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.interop.programs import runs, shows
from tests.support.api.api_client import MODEL
from tests.support.api.api_site import ApiSite, heard_by

pytestmark = [
    pytest.mark.interop,
    pytest.mark.long,
    pytest.mark.xdist_group("foreign clients"),
    runs("openai for Node"),
]


@pytest.fixture(scope="module")
def heard(site: ApiSite) -> dict[str, Any]:
    return heard_by(site, Path(__file__).with_name("openai_node.mjs"))


@pytest.mark.parametrize("kind", ["native", "openai"])
@shows("streamed")
def test_a_streamed_answer_is_read(heard: dict[str, Any], kind: str) -> None:
    assert "“Hello”" in heard[kind]["text"]
    assert heard[kind]["finish"] == "stop"
    assert heard[kind]["usage"]["completion_tokens"] > 50


def test_the_streaming_helper_works(heard: dict[str, Any]) -> None:
    assert "“Hello”" in heard["helped"]["message"]["content"]
    assert heard["helped"]["finish_reason"] == "stop"
    (call,) = heard["helpedTool"]["message"]["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == {"query": "the level"}


@shows("text", "tools")
def test_tools_are_run(heard: dict[str, Any]) -> None:
    assert heard["ranTools"]["asked"] == ["the level"]
    assert "4.2 m" in heard["ranTools"]["text"]


def test_a_response_is_streamed(heard: dict[str, Any]) -> None:
    assert "“Hello”" in heard["responded"]["text"] == heard["responded"]["final"]
    assert heard["responded"]["status"] == "completed"


def test_models_and_embeddings_are_read(heard: dict[str, Any]) -> None:
    assert MODEL in heard["models"]
    assert heard["model"] == MODEL
    assert heard["vector"] == 1024


def test_sounds_and_pictures_are_read(heard: dict[str, Any]) -> None:
    media = heard["media"]
    assert (media["type"], media["picture"]) == ("audio/wav", "PNG")
    assert f"{media['bytes']} bytes" in media["text"]


@pytest.mark.parametrize(
    ("kind", "name", "status", "code"),
    [
        pytest.param(
            "context", "BadRequestError", 400, "context_length_exceeded", marks=shows("too long")
        ),
        pytest.param("quota", "RateLimitError", 429, "insufficient_quota", marks=shows("limits")),
        pytest.param("rate", "RateLimitError", 429, "rate_limit_exceeded", marks=shows("limits")),
        pytest.param(
            "wrongKey", "AuthenticationError", 401, "invalid_api_key", marks=shows("wrong key")
        ),
        pytest.param("broken", "APIError", None, "upstream_error", marks=shows("broken")),
        pytest.param("cut", "APIError", None, "interrupted", marks=shows("cut")),
    ],
)
def test_an_error_has_its_type(
    heard: dict[str, Any], kind: str, name: str, status: int | None, code: str
) -> None:
    assert heard[kind] == {"name": name, "status": status, "code": code}
