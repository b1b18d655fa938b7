"""`POST /chat/stream`: the request has the whole conversation, the response our format."""

import asyncio
import base64
import json
from typing import Any

import pytest
from django.test import AsyncClient

from tests.support.generations.stream_reader import frames_end_whole, read_stream
from tests.support.servers.server import ROOT
from tests.support.upstream.raw_upstream import EVENT_STREAM, always, chunk, stream_of
from tests.support.upstream.upstream_override import ask, site_with
from tests.support.wait_for import until

CORPUS = ROOT / "tests" / "fixtures" / "workers_ai_streams.jsonl"
HELLO = {"messages": [{"role": "user", "content": "Hello"}]}


async def test_the_emulator_answers_without_any_setting(alice_client: AsyncClient) -> None:
    response = await ask(alice_client, HELLO)
    assert response.status_code == 200
    assert response["Content-Type"] == "text/event-stream"
    assert response["Cache-Control"] == "no-store, no-transform"
    assert response["X-Accel-Buffering"] == "no"
    assert response["X-Generation-Id"]
    sends: list[bytes] = []
    stream = await read_stream(response, sends)
    assert "emulator" in stream.text
    assert stream.done
    assert stream.key("state") == "complete"
    assert stream.key("length") == len(stream.text)
    assert stream.key("usage")["completion_tokens"] > 0
    assert stream.ids == list(range(1, len(stream.ids) + 1))
    assert frames_end_whole(sends)
    assert sends[0].startswith(b"retry: 1000\nid: 1\ndata: {")


async def test_a_prompt_is_accepted_instead_of_messages(alice_client: AsyncClient) -> None:
    stream = await read_stream(await ask(alice_client, {"prompt": "Where is New York?"}))
    assert "New York" in stream.text


async def test_the_content_type_of_an_event_stream_is_accepted(alice_client: AsyncClient) -> None:
    response = await alice_client.post(
        "/chat/stream",
        data=json.dumps(HELLO),
        content_type="text/event-stream",
        headers={"Sec-Fetch-Site": "same-origin"},
    )
    assert (await read_stream(response)).done


def corpus() -> list[Any]:
    rows = [json.loads(line) for line in CORPUS.read_text().splitlines()]
    return [
        pytest.param(base64.b64decode(row["raw_b64"]), row["expect"], id=row["name"])
        for row in rows
        if row["content_type"] == "text/event-stream"
        and row["name"] != "frame-event-without-blank-line"
    ]


async def expect_relayed(client: AsyncClient, parts: list[bytes], expect: dict[str, Any]) -> None:
    """Check that the relay sends the text, usage and result of the stream in `parts`."""
    async with site_with(always(stream_of(*parts)), UPSTREAM_RETRIES=0):
        response = await ask(client, HELLO)
        is_silent = not (expect["text"] or expect["reasoning"])
        if expect["outcome"] in {"error", "truncated"} and is_silent:
            assert response.status_code in {502, 504}
            assert "kept" not in response.json()["error"]["message"]
            return
        stream = await read_stream(response)
    wanted = {"complete": "complete", "truncated": "interrupted", "error": "interrupted"}
    assert stream.text == expect["text"]
    assert stream.reasoning == "".join(expect["reasoning"])
    assert stream.key("state") == wanted[expect["outcome"]]
    assert stream.done
    if expect["outcome"] != "error":
        usage = stream.key("usage")
        more = {"cached_tokens", "neurons", "cost_usd"}
        counted = usage and {k: v for k, v in usage.items() if k not in more}
        assert counted == expect["usage"]
        assert stream.key("finish_reason") == expect["finish_reason"]


@pytest.mark.parametrize(("raw", "expect"), corpus())
async def test_a_captured_stream_gives_its_text_usage_and_result(
    raw: bytes, expect: dict[str, Any], alice_client: AsyncClient
) -> None:
    size = 1 if len(raw) < 500 else 97
    await expect_relayed(
        alice_client, [raw[at : at + size] for at in range(0, len(raw), size)], expect
    )


@pytest.mark.long
@pytest.mark.parametrize(("raw", "expect"), corpus())
async def test_a_small_captured_stream_gives_the_same_at_every_split(
    raw: bytes, expect: dict[str, Any], alice_client: AsyncClient
) -> None:
    for at in range(1, len(raw) + 1 if len(raw) <= 300 else 0):  # at its end: whole at once
        await expect_relayed(alice_client, [raw[:at], raw[at:]], expect)


async def test_a_long_history_is_cut_and_the_first_event_says_so(alice_client: AsyncClient) -> None:
    turns = [
        {"role": "user" if n % 2 == 0 else "assistant", "content": f"turn {n} " + "x" * 2500}
        for n in range(400)
    ]
    turns.append({"role": "user", "content": "And now?"})
    system = {"role": "system", "content": "You are a lighthouse."}
    done = stream_of(b'data: {"response":"Yes"}\n\n', b"data: [DONE]\n\n")
    async with site_with(always(done)) as raw:
        stream = await read_stream(await ask(alice_client, {"messages": [system, *turns]}))
    omitted = stream.payloads[0]["omitted_messages"]
    assert 350 < omitted < 400
    assert stream.text == "Yes"
    sent = json.loads(raw.requests[0].partition(b"\r\n\r\n")[2])["messages"]
    assert sent[0] == system
    assert sent[1]["role"] == "user"
    assert sent[-1]["content"] == "And now?"
    assert len(sent) - 1 + omitted == 401


async def test_a_huge_piece_is_sent_in_whole_frames(alice_client: AsyncClient) -> None:
    piece = 'é\u0001"' * 40_000
    event = b"data: " + json.dumps({"response": piece}).encode() + b"\n\n"
    sends: list[bytes] = []
    async with site_with(always(stream_of(event, b"data: [DONE]\n\n"))):
        stream = await read_stream(await ask(alice_client, HELLO), sends)
    assert stream.text == piece
    assert frames_end_whole(sends)


async def test_comments_are_sent_during_silence(alice_client: AsyncClient) -> None:
    sends: list[bytes] = []

    async def slow(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(EVENT_STREAM + chunk(b'data: {"response":"a"}\n\n'))
        await until(lambda: b":\n\n" in sends)
        writer.write(chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n")

    async with site_with(slow, HEARTBEAT_SECONDS=0.1):
        stream = await read_stream(await ask(alice_client, HELLO), sends)
    assert stream.key("state") == "complete"


async def test_parameters_reach_the_model(alice_client: AsyncClient) -> None:
    done = always(stream_of(b'data: {"response":"x"}\n\n', b"data: [DONE]\n\n"))
    async with site_with(done) as raw:
        body = {**HELLO, "temperature": 0.1, "seed": 7, "max_tokens": 99}
        await read_stream(await ask(alice_client, body))
    sent = json.loads(raw.requests[0].partition(b"\r\n\r\n")[2])
    assert sent["temperature"] == 0.1
    assert sent["seed"] == 7
    assert sent["max_tokens"] == 99
