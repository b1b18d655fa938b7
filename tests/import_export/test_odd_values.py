"""A value that is missing, empty or of another type costs at most the message that has it."""

import io
import json
import random
from typing import Any

import pytest

from chat.import_export import import_reader
from chat.import_export.import_report import DAMAGED
from tests.import_export.sample_chats import SAMPLES, TEXTS, Path, changed, of_chatgpt, paths
from tests.support.variants import examples

ODD_VALUES: list[Any] = [None, 5, "", [], {}]
SEED = 20251125


def imported_text(chat: Any) -> str:
    data = io.BytesIO(json.dumps([chat]).encode())
    import_reader.check(data)
    return "\n".join(
        message.text for found in import_reader.conversations_in(data) for message in found.messages
    )


@pytest.mark.parametrize("program", SAMPLES)
def test_an_odd_value_loses_no_other_message(program: str) -> None:
    chat, messages = SAMPLES[program]
    depth = len(messages)
    skeleton = [messages[: length + 1] for length in range(depth)]
    cases = [(path, odd) for path in paths(chat) if path not in skeleton for odd in ODD_VALUES]
    for path, odd in random.Random(SEED).sample(cases, examples(len(cases))):
        owner: Any = chat
        for key in path[: depth + 1] if path[:depth] == messages else ():
            owner = owner[key]
        own = json.dumps(owner) if owner is not chat else ""
        found = imported_text(changed(chat, path, odd))
        for text in TEXTS:
            assert text in found or text in own, (path, odd)


@pytest.mark.parametrize(
    ("path", "odd", "texts"),
    [
        (("q1", "message", "author"), None, ["[Message not imported]", *TEXTS[1:]]),
        (("q1", "message", "content"), {}, ["[Message not imported]", *TEXTS[1:]]),
        (("q1", "message", "content"), "As text", ["As text", *TEXTS[1:]]),
        (("a1", "message", "author"), [], ["Why do rivers bend?", "", "And lakes?", TEXTS[3]]),
        (("q2",), 5, ["Why do rivers bend?", "They erode.\n\nThey fill up."]),
        (("root", "message"), 5, TEXTS),
    ],
    ids=str,
)
def test_an_odd_message_connects_its_neighbours(path: Path, odd: Any, texts: list[str]) -> None:
    data = io.BytesIO(json.dumps([changed(of_chatgpt(), ("mapping", *path), odd)]).encode())
    report = import_reader.check(data)
    (found,) = import_reader.conversations_in(data)
    assert [message.text for message in found.messages] == texts
    assert report.left_out[DAMAGED] == (odd != "As text")
