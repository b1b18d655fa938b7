"""Whatever a provider sends, programs get streams that strict clients read.

Each deviation in `TEXTS` and `CALLS` makes an SDK fail or lose text if it is relayed as it is; the
facts are measured, for openai (Python and Node), the AI SDK, litellm and LangChain.
"""

import json
from typing import Any

import pytest

from tests.support.api.api_client import GEMMA, LOOK_UP, ApiClient, events_of, text_of
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with

HEAD = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
DONE = b"data: [DONE]\n\n"


def data(value: Any) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


def chunk(delta: Any, finish: str | None = None, **more: Any) -> bytes:
    """Return a chunk as OpenAI sends it; None as an additional key leaves a key out."""
    head = {name: value for name, value in {**HEAD, **more}.items() if value is not None}
    return data({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})


def calling(*calls: Any) -> bytes:
    return chunk({"tool_calls": list(calls)})


def part(index: int, arguments: str, name: str = "", call_id: str = "") -> dict[str, Any]:
    function = {"arguments": arguments} | ({"name": name} if name else {})
    found: dict[str, Any] = {"index": index, "function": function}
    return found | ({"id": call_id, "type": "function"} if call_id else {})


ROLE = chunk({"role": "assistant", "content": ""})
HI, THERE, STOP = chunk({"content": "Hi "}), chunk({"content": "there"}), chunk({}, "stop")
BARE = {"id": None, "object": None, "created": None, "model": None}
USAGE = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}

#: Streams whose text is “Hi there”.
TEXTS: dict[str, list[bytes]] = {
    "as OpenAI writes it": [ROLE, HI, THERE, STOP, DONE],
    "comments to keep it open": [b": x\n\n", ROLE, HI, b": x\n\n", THERE, STOP, DONE],
    "ids beside the data": [ROLE, b"id: 7\n" + HI, THERE, STOP, DONE],
    "a time to retry beside the data": [b"retry: 1000\n" + ROLE, HI, THERE, STOP, DONE],
    "a time to retry by itself": [b"retry: 1000\n\n", ROLE, HI, THERE, STOP, DONE],
    "unknown keys": [chunk({"role": "assistant", "p": "ab"}, p="ab"), HI, THERE, STOP, DONE],
    "usage on every chunk": [
        chunk({"content": "Hi "}, usage={"prompt_tokens": 0, "completion_tokens": 0}),
        chunk({"content": "there"}, "stop", usage=USAGE),
        DONE,
    ],
    "no role": [HI, THERE, STOP, DONE],
    "no id, time or model": [
        chunk({"content": "Hi "}, **BARE), chunk({"content": "there"}, "stop", **BARE), DONE,
    ],
    "no finish reason": [ROLE, HI, THERE, DONE],
    "no end mark": [ROLE, HI, THERE, STOP],
    "usage without choices": [
        ROLE, HI, THERE, STOP, data({"response": "", "usage": USAGE}), DONE,
    ],
    "usage with empty choices": [
        ROLE, HI, THERE, STOP, data({**HEAD, "choices": [], "usage": USAGE}), DONE,
    ],
    "an empty and a missing content": [
        ROLE, HI, chunk({"content": None}), chunk({}), THERE, STOP, DONE,
    ],
}  # fmt: skip
#: Streams that call look_up with {"query": "a"}, and those that call it twice.
CALLS: dict[str, list[bytes]] = {
    "a whole call at once": [calling(part(0, '{"query": "a"}', "look_up", "c"))],
    "arguments in pieces": [
        calling(part(0, "", "look_up", "c")),
        calling(part(0, '{"que')),
        calling(part(0, 'ry": "a"}')),
    ],
    "arguments before the name": [
        calling(part(0, '{"query": ')),
        calling(part(0, '"a"}', "look_up", "c")),
    ],
    "no id": [calling(part(0, '{"query": "a"}', "look_up"))],
}
TWO_CALLS = [
    calling(part(0, "", "look_up", "c"), part(1, "", "look_up", "c")),
    calling(part(1, '{"query": "b"}')),
    calling(part(0, '{"query": "a"}')),
]
CALLED = chunk({}, "tool_calls")
#: Streams that break off after “Hi ”.
BROKEN: dict[str, list[bytes]] = {
    "it is cut": [ROLE, HI],
    "an error": [ROLE, HI, data({"error": {"message": "x", "code": 3043}})],
    "an error, then an end": [ROLE, HI, data({"error": {"message": "x"}}), DONE],
}


async def stream(program: ApiClient, sent: list[bytes], **options: Any) -> list[Any]:
    """Return what a program gets of this stream, after checking what holds for every stream."""
    async with site_with(always(stream_of(*sent))):
        events = await events_of(await program.complete(model=GEMMA, stream=True, **options))
    chunks = [each for each in events if each != "[DONE]" and "error" not in each]
    assert len({(c["id"], c["object"], c["created"], c["model"]) for c in chunks}) == 1
    assert all(set(each) == {*HEAD, "choices"} for each in chunks)
    assert chunks[0]["model"] == GEMMA
    assert chunks[0]["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    for each in chunks:
        (choice,) = each["choices"]
        assert set(choice) == {"index", "delta", "logprobs", "finish_reason"}
        assert isinstance(choice["delta"].get("content", ""), str)
    return events


@pytest.mark.parametrize("deviation", TEXTS)
async def test_text_is_written_anew(program: ApiClient, deviation: str) -> None:
    *chunks, last, done = await stream(program, TEXTS[deviation])
    assert text_of(chunks) == "Hi there"
    assert (last["choices"][0]["delta"], last["choices"][0]["finish_reason"]) == ({}, "stop")
    assert all(each["choices"][0]["finish_reason"] is None for each in chunks)
    assert done == "[DONE]"


def called(events: list[Any]) -> list[tuple[str, str]]:
    """Put the calls together as clients do: by index, with the id and the name in the first part."""
    found: dict[int, Any] = {}
    for each in events[:-1]:
        for given in each["choices"][0]["delta"].get("tool_calls", ()):
            if given["index"] not in found:
                assert given["type"] == "function"
                found[given["index"]] = {"id": given["id"], **given["function"]}
            else:
                assert set(given) == {"index", "function"}
                found[given["index"]]["arguments"] += given["function"]["arguments"]
    assert list(found) == list(range(len(found)))
    assert len({call["id"] for call in found.values()}) == len(found)
    return [(call["name"], call["arguments"]) for call in found.values()]


@pytest.mark.parametrize("deviation", CALLS)
async def test_a_tool_call_is_written_anew(program: ApiClient, deviation: str) -> None:
    events = await stream(program, [ROLE, *CALLS[deviation], CALLED, DONE], tools=[LOOK_UP])
    assert called(events) == [("look_up", '{"query": "a"}')]
    assert events[-2]["choices"][0]["finish_reason"] == "tool_calls"


async def test_calls_at_once_have_indexes_and_ids_of_their_own(program: ApiClient) -> None:
    events = await stream(program, [ROLE, *TWO_CALLS, CALLED, DONE], tools=[LOOK_UP])
    assert called(events) == [("look_up", '{"query": "a"}'), ("look_up", '{"query": "b"}')]


@pytest.mark.parametrize("deviation", BROKEN)
async def test_a_stream_that_breaks_off_is_an_error_without_finish_reason(
    program: ApiClient, deviation: str
) -> None:
    events = await stream(program, BROKEN[deviation])
    (error,) = [each["error"] for each in events if "error" in each]
    assert set(error) == {"message", "type", "code", "param"}
    assert error["message"]
    chunks = [each for each in events if each != "[DONE]" and "error" not in each]
    assert text_of(chunks) == "Hi "
    assert all(each["choices"][0]["finish_reason"] is None for each in chunks)
