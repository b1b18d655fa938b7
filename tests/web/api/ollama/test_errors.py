"""Errors are a status and a text, before a stream, inside it, and where Django isn't asked."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.errors import Overloaded
from chat.lib.api_formats import program_errors
from chat.quotas.models import Limit
from tests.support.api.api_client import GEMMA, ApiClient, new_api_client
from tests.support.api.ollama_client import chat, generate, lines_of


def error_in(response: Any) -> str:
    assert response["Content-Type"] == "application/json"
    body = response.json()
    assert set(body) == {"error"}
    return str(body["error"])


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("upstream_error", "status"),
    [("5021", 400), ("5007", 404), ("4006", 429), ("3040", 503), ("502", 502), ("3007", 504)],
)
async def test_an_error_of_the_provider_has_its_status(
    program: ApiClient, upstream_error: str, status: int, stream: bool
) -> None:
    response = await chat(program, f"/error {upstream_error}", stream=stream)
    assert response.status_code == status
    assert error_in(response)


@pytest.mark.parametrize("command", ["/error-after 3", "/cut 3", "/reset 3"])
@pytest.mark.parametrize("ask", [chat, generate])
async def test_an_error_in_mid_stream_is_the_last_line(
    program: ApiClient, ask: Any, command: str
) -> None:
    *pieces, last = await lines_of(await ask(program, command))
    assert set(last) == {"error"}
    assert pieces
    assert not any(each["done"] for each in pieces)
    assert (await ask(program, command, stream=False)).status_code == 502


async def test_a_filtered_answer_ends(program: ApiClient) -> None:
    assert (await chat(program, "/filtered", model=GEMMA, stream=False)).json()["done"]


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer DUMMY"}])
async def test_a_wrong_key_is_refused(program: ApiClient, headers: dict[str, str]) -> None:
    response = await ApiClient().get("/api/tags", **headers)
    assert response.status_code == 401
    assert "Incorrect API key provided" in error_in(response)
    assert response["Access-Control-Allow-Origin"] == "*"


async def test_limits_refuse(program: ApiClient, alice: User) -> None:
    spent = await chat(await new_api_client(alice, monthly_usd=Decimal("0")))
    assert spent.status_code == 429
    assert "monthly limit" in error_in(spent)
    await Limit.objects.acreate(scope="member", measure="requests", amount=0)
    busy = await chat(program)
    assert (busy.status_code, bool(error_in(busy))) == (429, True)
    assert 0 < int(busy["Retry-After"]) <= 60


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/api/pull", 403),
        ("POST", "/api/push", 403),
        ("POST", "/api/create", 403),
        ("POST", "/api/copy", 403),
        ("DELETE", "/api/delete", 403),
        ("POST", "/api/blobs/sha256:29fd", 403),
        ("GET", "/api/chat", 405),
        ("POST", "/api/tags", 405),
        ("GET", "/api", 404),
        ("POST", "/api/", 404),
        ("POST", "/api/web_search", 404),
    ],
)
async def test_what_this_site_does_not_do_is_refused_in_the_same_shape(
    program: ApiClient, method: str, path: str, status: int
) -> None:
    headers = {"Authorization": f"Bearer {program.text}", "Accept": "text/html"}
    response = await AsyncClient().generic(method, path, "{}", headers=headers)
    assert response.status_code == status
    assert error_in(response)


@pytest.mark.parametrize("content_type", ["application/x-www-form-urlencoded", "text/plain", ""])
async def test_the_content_type_does_not_matter(program: ApiClient, content_type: str) -> None:
    """curl sends that of a form unless it is told otherwise, as in Ollama's own examples."""
    body = '{"model": "llama9", "prompt": "Hello"}'
    response = await AsyncClient().generic(
        "POST",
        "/api/generate",
        body,
        content_type,
        headers={"Authorization": f"Bearer {program.text}"},
    )
    assert error_in(response) == "model 'llama9' not found"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"model":"m","messages":[[]]}'])
async def test_a_body_that_is_no_request_is_refused(program: ApiClient, body: bytes) -> None:
    response = await program.post("/api/chat", body)
    assert (response.status_code, bool(error_in(response))) == (400, True)


@pytest.mark.parametrize("version", ["", "2023-06-01"])
def test_what_answers_before_django_uses_the_same_shape(version: str) -> None:
    told = program_errors.error_for_program("/api/chat", Overloaded(), version)
    assert told
    assert (told.status, set(told.body)) == (503, {"error"})


async def test_chats_and_prompts_are_kept_if_the_key_says_so(
    alice: User, stop_server_process: None
) -> None:
    keeping = await new_api_client(alice, keeps_chats=True)
    answer = (await chat(keeping, stream=False)).json()["message"]
    asked = {"role": "user", "content": "Hello"}
    messages = [asked, answer, {"role": "user", "content": "More"}]
    await chat(keeping, messages=messages, stream=False)
    await generate(keeping, "A prompt", stream=False)
    lengths = [await each.messages.acount() async for each in Conversation.objects.all()]
    assert sorted(lengths) == [2, 4]
