"""Errors have the status, type and code by which clients decide what to do."""

import json
from decimal import Decimal
from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.quotas.models import Charge, Limit, Meter
from tests.support.api.api_client import MODEL, ApiClient, events_of, new_api_client, text_of
from tests.support.upstream.raw_upstream import EVENT_STREAM, always, chunk, plain
from tests.support.upstream.upstream_failures import envelope, writes
from tests.support.upstream.upstream_override import IMPATIENT, site_with

WELL = chunk(b'data: {"response":"Well"}\n\n')


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("upstream_error", "status", "kind", "code", "is_retried"),
    [
        ("5021", 400, "invalid_request_error", "context_length_exceeded", None),
        ("5007", 404, "invalid_request_error", "model_not_found", None),
        ("4006", 429, "insufficient_quota", "insufficient_quota", False),
        ("3040", 503, "server_error", "out_of_capacity", True),
        ("10000", 502, "server_error", "upstream_not_configured", False),
        ("502", 502, "server_error", "upstream_error", True),
        ("3007", 504, "server_error", "upstream_timeout", True),
        ("5006", 502, "server_error", "upstream_rejected", False),
    ],
)
async def test_an_error_of_the_provider_has_its_status(
    program: ApiClient,
    upstream_error: str,
    status: int,
    kind: str,
    code: str,
    is_retried: bool | None,
    stream: bool,
) -> None:
    response = await program.complete(f"/error {upstream_error}", stream=stream)
    error = response.json()["error"]
    assert (response.status_code, error["type"], error["code"]) == (status, kind, code)
    assert (response.get("X-Should-Retry") == "false") == (is_retried is False)
    if status == 503:
        assert response["Retry-After"]
    assert "draft" not in error["message"]


async def test_a_prompt_that_is_too_long_says_how_long_it_may_be(program: ApiClient) -> None:
    error = (await program.complete("word " * 30_000)).json()["error"]
    assert error["code"] == "context_length_exceeded"
    assert "maximum context length is 24000 tokens" in error["message"]


async def test_a_long_prompt_is_sent_whole_and_never_cut(program: ApiClient) -> None:
    messages = [{"role": "user", "content": "word " * 2000} for _ in range(40)]
    response = await program.complete(messages=messages)
    assert response.json()["error"]["code"] == "context_length_exceeded"


async def test_no_other_model_answers_instead(program: ApiClient, settings: Settings) -> None:
    settings.FALLBACK_MODEL = "@cf/openai/gpt-oss-20b"
    assert (await program.complete("/busy 9")).status_code == 503


async def test_a_failed_call_costs_nothing(program: ApiClient) -> None:
    await program.complete("/error 502")
    charge = await Charge.objects.aget()
    assert (charge.tokens, charge.settled_at is None) == (0, False)


@pytest.mark.parametrize("command", ["/error-after 3", "/cut 3", "/reset 3"])
async def test_an_error_in_mid_stream_is_an_event_without_finish_reason(
    program: ApiClient, command: str
) -> None:
    events = await events_of(await program.complete(command, stream=True))
    chunks = [each for each in events if each != "[DONE]"]
    *given, last = chunks
    assert text_of(given)
    assert set(last) == {"error"}
    assert set(last["error"]) == {"message", "type", "param", "code"}
    assert all(each["choices"][0]["finish_reason"] is None for each in given)


@pytest.mark.parametrize("command", ["/error-after 3", "/cut 3", "/reset 3"])
async def test_a_whole_answer_that_breaks_off_is_an_error_and_not_retried(
    program: ApiClient, command: str
) -> None:
    response = await program.complete(command)
    assert response.status_code == 502
    assert response["X-Should-Retry"] == "false"


async def test_a_silent_provider_is_a_timeout(program: ApiClient) -> None:
    async with site_with(writes(), **IMPATIENT):
        response = await program.complete()
    assert (response.status_code, response.json()["error"]["type"]) == (504, "server_error")


async def test_an_error_page_of_a_proxy_is_not_relayed(program: ApiClient) -> None:
    page = plain(502, b"<html>Bad gateway</html>", "text/html")
    async with site_with(always(page)):
        response = await program.complete()
    assert response.status_code == 502
    assert "html" not in response.content.decode()


async def test_the_providers_words_are_not_relayed(program: ApiClient) -> None:
    refusal = plain(400, envelope(5006, "my secret prompt"))
    async with site_with(always(refusal)):
        assert b"secret" not in (await program.complete()).content


async def test_usage_on_a_last_chunk_without_choices_is_not_relayed_raw(program: ApiClient) -> None:
    tail = b'data: {"response":"","usage":{"prompt_tokens":1,"completion_tokens":1}}\n\n'
    parts = [EVENT_STREAM, WELL, chunk(tail), chunk(b"data: [DONE]\n\n"), b"0\r\n\r\n"]
    async with site_with(writes(*parts)):
        *chunks, _done = await events_of(await program.complete(stream=True))
    assert all(each["choices"] for each in chunks)
    assert text_of(chunks) == "Well"


async def test_a_limit_per_minute_can_be_waited_for(program: ApiClient) -> None:
    await Limit.objects.acreate(scope="member", measure="requests", amount=1)
    assert (await program.complete()).status_code == 200
    response = await program.complete()
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (429, "rate_limit_exceeded")
    assert error["type"] == "rate_limit_error"
    assert 0 < int(response["Retry-After"]) <= 60
    assert "X-Should-Retry" not in response


async def test_a_limit_of_simultaneous_answers_can_be_waited_for(program: ApiClient) -> None:
    await Limit.objects.acreate(scope="member", measure="running", amount=0)
    response = await program.complete()
    assert (response.status_code, response["Retry-After"]) == (429, "2")
    assert response.json()["error"]["code"] == "rate_limit_exceeded"


async def test_a_limit_per_day_is_not_retried(program: ApiClient) -> None:
    await Limit.objects.acreate(scope="member", measure="tokens", amount=10)
    response = await program.complete()
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (429, "insufficient_quota")
    assert response["X-Should-Retry"] == "false"


async def test_a_call_counts_on_the_account_and_on_the_key(program: ApiClient, alice: User) -> None:
    await program.complete()
    charge = await Charge.objects.aget()
    assert (charge.user_id, charge.api_key_id) == (alice.pk, program.key.pk)
    assert charge.is_temporary
    for key in (f"user:{alice.pk}", f"api_key:{program.key.pk}"):
        assert (await Meter.objects.aget(key=key)).tokens == charge.tokens > 0


async def test_a_call_is_on_the_members_usage_page(
    program: ApiClient, alice_client: AsyncClient
) -> None:
    await Limit.objects.acreate(scope="member", measure="tokens", amount=100_000)
    await program.complete()
    tokens = (await Charge.objects.aget()).tokens
    shown = (await alice_client.get("/settings/usage/")).content.decode()
    assert f"{tokens:,}" in shown
    assert "100,000" in shown


async def test_a_key_has_a_budget_of_its_own(alice: User, stop_server_process: None) -> None:
    frugal = await new_api_client(alice, monthly_usd=Decimal("0"))
    response = await frugal.complete()
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (429, "insufficient_quota")
    assert "this API key's monthly limit" in error["message"]
    assert (await (await new_api_client(alice)).complete()).status_code == 200


async def test_an_invalid_body_is_named(program: ApiClient) -> None:
    headers = {"Authorization": f"Bearer {program.text}"}
    for body in (b"", b"{", b"[]", b"\xff"):
        response = await AsyncClient().generic(
            "POST", "/v1/chat/completions", body, "application/json", headers=headers
        )
        assert response.status_code == 400
        assert json.loads(response.content)["error"]["type"] == "invalid_request_error"


async def test_an_error_inside_the_site_is_in_the_same_form(
    program: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_given: Any, **_named: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr("chat.web.api.chat_request.prompt_messages", fails)
    client = AsyncClient(raise_request_exception=False)
    body = json.dumps({"model": MODEL, "messages": [{"role": "user", "content": "x"}]})
    response = await client.generic(
        "POST", "/v1/chat/completions", body, "application/json",
        headers={"Authorization": f"Bearer {program.text}"},
    )  # fmt: skip
    assert (response.status_code, response.json()["error"]["type"]) == (500, "server_error")
