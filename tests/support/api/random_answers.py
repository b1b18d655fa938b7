"""Check that an answer at random is whole in every format of the API."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from chat.generations.delivery.encoders.anthropic_messages import MessagesEncoder
from chat.generations.delivery.encoders.openai import OpenAICompletion
from chat.generations.delivery.encoders.openai_api import OpenAIApiEncoder
from chat.generations.delivery.encoders.responses_api import ResponsesEncoder
from chat.generations.log.frames import frames_of, terminal
from chat.generations.result import Result
from chat.upstream.events import AnswerOpened
from tests.support.api.messages_client import collected
from tests.support.generations.encoders import ID, events
from tests.support.upstream.random_streams import answer_in_pieces, answer_of, read

ECHOED: dict[str, Any] = {"model": "m"}
#: Text, reasoning, and the calls with their arguments as values.
Said = tuple[str, str, list[tuple[str, Any]]]


def of_chunks(chunks: list[Any]) -> Said:
    text, reasoning, calls = "", "", dict[int, list[str]]()
    for delta in (each["choices"][0]["delta"] for each in chunks if each and each["choices"]):
        text += delta.get("content", "")
        reasoning += delta.get("reasoning_content", "")
        for call in delta.get("tool_calls", ()):
            parts = calls.setdefault(call["index"], [call["function"].get("name", ""), ""])
            parts[1] += call["function"]["arguments"]
    assert list(calls) == list(range(len(calls)))
    return text, reasoning, [(name, json.loads(arguments)) for name, arguments in calls.values()]


def of_message(message: Any) -> Said:
    calls = [each["function"] for each in message.get("tool_calls", ())]
    found = [(call["name"], json.loads(call["arguments"])) for call in calls]
    return message["content"] or "", message.get("reasoning_content", ""), found


def of_items(items: list[Any]) -> Said:
    texts = {
        kind: "".join(each["content"][0]["text"] for each in items if each["type"] == kind)
        for kind in ("message", "reasoning")
    }
    calls = [each for each in items if each["type"] == "function_call"]
    found = [(call["name"], json.loads(call["arguments"])) for call in calls]
    return texts["message"], texts["reasoning"], found


def of_item_events(sent: list[Any]) -> Said:
    """Put the deltas together, each in its place."""
    items: dict[int, Any] = {}
    for each in sent:
        if each["type"] == "response.output_item.added":
            assert each["output_index"] == len(items)
            items[each["output_index"]] = {**each["item"], "content": [{"text": ""}]}
        elif each["type"].endswith("arguments.delta"):
            items[each["output_index"]]["arguments"] += each["delta"]
        elif each["type"].endswith(".delta"):
            items[each["output_index"]]["content"][0]["text"] += each["delta"]
    return of_items(list(items.values()))


def of_blocks(blocks: list[Any]) -> Said:
    text = "".join(each["text"] for each in blocks if each["type"] == "text")
    thinking = "".join(each["thinking"] for each in blocks if each["type"] == "thinking")
    calls = [(each["name"], each["input"]) for each in blocks if each["type"] == "tool_use"]
    return text, thinking, calls


def formats(log: list[bytes]) -> Iterator[tuple[str, Said]]:
    yield "chunks", of_chunks(events(OpenAIApiEncoder(ID, "m"), log))
    whole = OpenAICompletion(ID, "m")
    whole.take(b"".join(log))
    yield "completion", of_message(whole.body()["choices"][0]["message"])
    sent = events(ResponsesEncoder(ID, ECHOED), log)
    yield "response", of_items(sent[-1]["response"]["output"])
    yield "events of a response", of_item_events(sent)
    messages = MessagesEncoder(ID, "m", 1, shows_thinking=True)
    blocks = [each for each in events(messages, log) if each["type"] != "ping"]
    yield "events of a message", of_blocks(collected(blocks))
    yield (
        "message",
        of_blocks(json.loads(json.dumps(messages.message(), default=_value))["content"]),
    )


def _value(raw: Any) -> Any:
    return json.loads(bytes(raw))


def check_formats(random: Random) -> None:
    chunks, _calls = answer_in_pieces(random)
    pieces, finished, _normaliser = read(chunks, 100_000)
    answer = answer_of(pieces, finished)
    log = frames_of(AnswerOpened("m"), 1)
    for each in pieces:
        log += frames_of(each, len(log) + 1)
    result = Result("complete", len(answer.text), len(log), tool_calls=tuple(finished.tool_calls))
    calls = [(name, json.loads(arguments or "{}")) for name, arguments in answer.calls]
    log += terminal(result)
    for name, (text, reasoning, found) in formats(log):
        assert (text, reasoning) == (answer.text, answer.reasoning), name
        assert sorted(found, key=str) == sorted(calls, key=str), name
