"""Errors have the shape, the status and the type by which Anthropic's clients decide what to do."""

import json
from typing import TYPE_CHECKING, Any

import pytest
from asgiref.typing import HTTPScope
from django.test import AsyncClient

from chat.errors import Overloaded
from chat.generations.process import load_shedding
from chat.lib.api_formats import program_errors
from chat.quotas.models import Limit
from project.asgi.guards import long_bodies, refusals
from tests.support.api.api_client import ApiClient, new_api_client
from tests.support.api.messages_client import (
    ASK,
    VERSION,
    create,
    events_of,
)
from tests.support.api.sdk_types import require_conforming
from tests.support.imported_later import imported_later

if TYPE_CHECKING:
    from anthropic.types import beta_error_response
else:
    beta_error_response = imported_later("anthropic.types.beta_error_response")


def error_in(response: Any) -> dict[str, Any]:
    body = response.json()
    assert set(body) == {"type", "error", "request_id"}
    assert set(body["error"]) == {"type", "message"}
    assert body["type"] == "error"
    assert body["request_id"] == response["Request-Id"] == response["X-Request-ID"]
    if response.status_code != 413:  # of which the SDK has no type
        require_conforming(beta_error_response.BetaErrorResponse, body)
    return dict(body["error"])


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("upstream_error", "status", "kind", "is_retried"),
    [
        ("5021", 400, "invalid_request_error", True),
        ("5007", 404, "not_found_error", True),
        ("4006", 429, "rate_limit_error", False),
        ("3040", 529, "overloaded_error", True),
        ("10000", 500, "api_error", False),
        ("502", 500, "api_error", True),
        ("3007", 504, "timeout_error", True),
    ],
)
async def test_an_error_of_the_provider_has_its_status(
    program: ApiClient,
    upstream_error: str,
    status: int,
    kind: str,
    is_retried: bool,
    stream: bool,
) -> None:
    response = await create(program, f"/error {upstream_error}", stream=stream)
    assert (response.status_code, error_in(response)["type"]) == (status, kind)
    assert (response.get("X-Should-Retry") != "false") == is_retried
    if status == 529:
        assert response["Retry-After"]


async def test_a_long_prompt_is_refused_in_the_words_that_agents_look_for(
    program: ApiClient,
) -> None:
    response = await create(program, "word " * 30_000)
    assert response.status_code == 400
    assert error_in(response)["message"].startswith("prompt is too long: ")


async def test_an_unknown_model_is_named(program: ApiClient) -> None:
    for response in (
        await create(program, model="claude-haiku-9"),
        await program.post("/v1/messages/count_tokens", {**ASK, "model": "claude-haiku-9"}),
        await program.get("/v1/models/claude-haiku-9", **VERSION),
    ):
        error = error_in(response)
        assert (response.status_code, error["type"]) == (404, "not_found_error")
        assert "claude-haiku-9" in error["message"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"messages": []}, "messages"),
        ({"max_tokens": -1}, "max_tokens"),
        ({"tools": [{"name": "f"}], "model": "@cf/openai/gpt-oss-20b", "temperature": "x"}, "temp"),
    ],
)
async def test_a_wrong_request_names_its_field(
    program: ApiClient, options: dict[str, Any], words: str
) -> None:
    response = await create(program, **options)
    error = error_in(response)
    assert (response.status_code, error["type"]) == (400, "invalid_request_error")
    assert words in error["message"]


async def test_the_sdk_is_told_to_send_whole_conversations(program: ApiClient) -> None:
    response = await create(program, thread={"type": "create"})
    assert response.status_code == 400
    details = {"error_code": "thread_unsupported_request"}
    assert response.json()["error"]["details"] == details


@pytest.mark.parametrize("headers", [{}, {"x-api-key": "DUMMY"}, {"authorization": "Bearer x"}])
async def test_a_wrong_key_is_an_authentication_error(
    headers: dict[str, str], program: ApiClient
) -> None:
    for response in (
        await ApiClient().post("/v1/messages", ASK, **headers),
        await ApiClient().get("/v1/models", **VERSION, **headers),
    ):
        assert response.status_code == 401
        assert error_in(response)["type"] == "authentication_error"


async def test_a_key_may_be_in_the_header_of_anthropics_clients(program: ApiClient) -> None:
    for headers in ({"x-api-key": program.text}, {"authorization": f"Bearer {program.text}"}):
        response = await ApiClient().post("/v1/messages?beta=true", ASK, **headers, **VERSION)
        assert response.status_code == 200, response.content


async def test_a_model_that_the_key_may_not_use_is_a_permission_error(alice: Any) -> None:
    program = await new_api_client(alice, allowed_models=["@cf/openai/gpt-oss-20b"])
    response = await create(program)
    assert (response.status_code, error_in(response)["type"]) == (403, "permission_error")


async def test_a_limit_per_minute_can_be_waited_for(program: ApiClient) -> None:
    await Limit.objects.acreate(scope="member", measure="requests", amount=0)
    response = await create(program)
    assert (response.status_code, error_in(response)["type"]) == (429, "rate_limit_error")
    assert 0 < int(response["Retry-After"]) <= 60


async def test_overload_is_refused_before_the_view(
    program: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load_shedding, "overload_reason", lambda _here: "running_answers")
    response = await create(program)
    assert (response.status_code, error_in(response)["type"]) == (529, "overloaded_error")
    assert response["Retry-After"]


@pytest.mark.parametrize("path", ["/v1/messages/batches", "/v1/messages/"])
async def test_an_unknown_address_is_not_found(path: str) -> None:
    response = await AsyncClient().post(path)
    assert (response.status_code, error_in(response)["type"]) == (404, "not_found_error")


async def test_another_method_is_refused(program: ApiClient) -> None:
    response = await program.get("/v1/messages", **VERSION)
    assert (response.status_code, error_in(response)["type"]) == (405, "invalid_request_error")


@pytest.mark.parametrize("command", ["/error-after 3", "/cut 3", "/reset 3"])
async def test_an_error_in_mid_stream_is_an_event_and_no_message_stop(
    program: ApiClient, command: str
) -> None:
    *events, last = await events_of(await create(program, command, stream=True))
    assert last["type"] == "error"
    assert last["error"]["type"] == "api_error"
    assert last["request_id"]
    kinds = {each["type"] for each in events}
    assert kinds == {"message_start", "content_block_start", "content_block_delta"}


async def test_a_whole_answer_that_breaks_off_is_an_error_and_not_retried(
    program: ApiClient,
) -> None:
    response = await create(program, "/cut 3")
    assert (response.status_code, error_in(response)["type"]) == (500, "api_error")
    assert response["X-Should-Retry"] == "false"


#: Paths and headers, and whether Anthropic's clients send them.
CALLERS = [
    ("/v1/messages", [], True),
    ("/v1/messages/count_tokens", [], True),
    ("/v1/models", [(b"anthropic-version", b"2023-06-01")], True),
    ("/v1/models", [], False),
    ("/v1/chat/completions", [], False),
]


@pytest.mark.parametrize(("path", "headers", "is_anthropics"), CALLERS)
async def test_what_answers_before_django_uses_the_same_shape(
    path: str, headers: list[tuple[bytes, bytes]], is_anthropics: bool
) -> None:
    scope: Any = {"type": "http", "path": path, "headers": headers}
    busy = await sent_by(refusals.refuse, scope, Overloaded(retry_after_seconds=3))
    long = await sent_by(long_bodies.refuse, scope, 1000)
    assert ("type" in busy[1], "type" in long[1]) == (is_anthropics, is_anthropics)
    assert (busy[0], long[0]) == ((529 if is_anthropics else 503), 413)
    if is_anthropics:
        kinds = [busy[1]["error"]["type"], long[1]["error"]["type"]]
        assert kinds == ["overloaded_error", "request_too_large"]


async def sent_by(refuse: Any, scope: HTTPScope, what: Any) -> tuple[int, Any]:
    """Return the status and the body that a guard sends."""
    sent: list[Any] = []

    async def send(event: Any) -> None:
        sent.append(event)

    arguments = (scope, what, send) if refuse is long_bodies.refuse else (scope, send, what)
    await refuse(*arguments)
    start, body = sent
    return start["status"], json.loads(body["body"])


def test_cloudflares_addresses_keep_their_shape() -> None:
    told = program_errors.error_for_program("/client/v4/user", Overloaded(), "2023-06-01")
    assert told
    assert "errors" in told.body
