"""A tool call longer than one send arrives whole."""

import json

from chat.generations.delivery.readers import split_into_sends
from chat.generations.log.frames import MAX_SEND_BYTES, frames_of, terminal
from chat.generations.result import Result
from chat.lib.sse import SseDecoder
from chat.upstream.events import Text, ToolCall


def test_a_long_tool_call_is_one_send() -> None:
    call = ToolCall(0, "call_1", "look_up", "x" * 3 * MAX_SEND_BYTES)
    chunks = [frame for n in range(1, 9) for frame in frames_of(Text("y" * 2_000), n)]
    log = b"".join([*chunks, *terminal(Result("complete", 16_000, 8, tool_calls=(call,)))])
    decoder = SseDecoder()
    got = [event.data for piece in split_into_sends(log) for event in decoder.feed(piece)]
    assert all(piece.endswith(b"\n\n") for piece in split_into_sends(log))
    assert json.loads(got[-2])["tool_calls"][0]["arguments"] == call.arguments
    assert len(got) == 10
