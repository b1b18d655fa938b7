"""Reading a file of another program takes time in proportion to its size, whatever is in it."""

import io
import json
from collections.abc import Callable
from contextlib import suppress

import pytest
from django.test import override_settings

from chat.errors import BadRequest
from chat.import_export import import_reader
from chat.import_export.foreign.json_elements import (
    elements,
    has_more_values,
    has_too_many_brackets,
)
from tests.import_export import claude_files as claude
from tests.import_export import librechat_files as libre
from tests.import_export import open_webui_files as webui
from tests.import_export.chatgpt_files import chat, encoded, node
from tests.support.growth import assert_linear
from tests.support.variants import later, some_now

#: What may fill a file, also one that never ends or has no structure.
FILLERS = [
    b"x",
    b"\\n",
    b"\\",
    b'\\"',
    b'"',
    b'""',
    b'"" ',
    b'"a":',
    b" ",
    b",",
    b"[",
    b"]",
    b"{}",
    b"[1,",
    b"1e",
    b"\xff",
    "因為".encode(),
    b"\\ud800",
    b"\n",
]
FRAMES = [
    pytest.param((b"", b"")),
    pytest.param((b'[{"title":"t","mapping":{},"zz":"', b'"}]')),
    pytest.param((b'[{"title":"t","mapping":{},"zz":"', b"")),
    pytest.param((b'[{"title":"t","mapping":{},"zz":', b"}]")),
    pytest.param((b"[", b"]")),
    pytest.param((b'[{"mapping":{"a":', b"1}}]")),
]


def scan(data: bytes) -> None:
    has_too_many_brackets(data)
    has_more_values(data, 1_000_000)
    with suppress(ValueError):
        list(elements(io.BytesIO(data)))


def read(data: bytes) -> None:
    with suppress(BadRequest):
        import_reader.check(io.BytesIO(data))


@pytest.mark.parametrize("filler", FILLERS, ids=repr)
@pytest.mark.parametrize("frame", some_now(FRAMES, at_once=2))
@pytest.mark.parametrize("call", [scan, *later(read)], ids=["scanner", "import"])
def test_any_filler_takes_linear_time(
    call: Callable[[bytes], None], frame: tuple[bytes, bytes], filler: bytes
) -> None:
    assert_linear(call, lambda size: frame[0] + filler * size + frame[1])


def test_a_long_last_value_counts_as_one() -> None:
    data = b'[{"content":"' + "因為".encode() * 1_000_000 + b'"}]'
    assert has_more_values(data, 1)
    assert not has_more_values(data, 2)


def question_and_answer(text: str) -> bytes:
    question = node("q", "root", "user", text, seconds=1)
    return encoded(chat(question, node("a", "q", "assistant", text, seconds=2)))


def chain(count: int) -> bytes:
    return encoded(
        chat(
            *(
                node(f"n{at}", f"n{at - 1}" if at else "root", ("user", "assistant")[at % 2], "x")
                for at in range(count)
            )
        )
    )


def only_answers(count: int) -> bytes:
    """Return a chat in which one question has a chain of answers, which are joined."""
    nodes = [node("q", "root", "user", "Why?", seconds=1)]
    nodes += [node(f"a{at}", f"a{at - 1}" if at else "q", "assistant", "x") for at in range(count)]
    return encoded(chat(*nodes))


def cycles(count: int) -> bytes:
    """Return a chat whose nodes form one long cycle, with a branch in front of each."""
    nodes = [node(f"n{at}", f"n{(at + 1) % count}", "user", "x") for at in range(count)]
    nodes += [node(f"m{at}", f"n{at}", "assistant", "y") for at in range(count)]
    return encoded(chat(*nodes))


def siblings(count: int) -> bytes:
    nodes = [node(f"q{at}", "root", "user", "Why?", seconds=at) for at in range(count)]
    return encoded(chat(*nodes))


def parts(count: int) -> bytes:
    content = {"content_type": "multimodal_text", "parts": ["x", {"text": "y"}] * count}
    return encoded(chat(node("q", "root", "user", content, seconds=1)))


def of_claude(count: int) -> bytes:
    said = (
        claude.said(f"m{at}", ("human", "assistant")[at % 2], "x", at, files=[{"file_name": "x"}])
        for at in range(count)
    )
    return json.dumps([claude.chat(*said)]).encode()


def of_open_webui(count: int) -> bytes:
    said = [
        webui.said(f"n{at}", f"n{at - 1}" if at else None, ("user", "assistant")[at % 2], "x", at)
        for at in range(count)
    ]
    return json.dumps([webui.chat(*said, current=f"n{count - 1}")]).encode()


def of_librechat(count: int) -> bytes:
    said = [libre.said(f"n{at}", f"n{at - 1}" if at else "", "x", at) for at in range(count)]
    content = {"conversationId": "x", "title": "x", "options": {}, "messages": said}
    return json.dumps(content).encode()


def calls_of_chatgpt(count: int) -> bytes:
    """Return an answer with calls that wait, and results that name no call or the same one."""
    nodes = [node("q", "root", "user", "Why?", seconds=1)]
    for at in range(count):
        parent = f"s{at - 1}" if at else "q"
        if at % 2:
            nodes.append(node(f"s{at}", parent, "assistant", "{}", recipient=f"tool.{at % 9}"))
        else:
            author = {"role": "tool", "name": f"tool.{at % 7}"}
            nodes.append(node(f"s{at}", parent, "tool", "x", author=author))
    return encoded(chat(*nodes))


def blocks_of_claude(count: int) -> bytes:
    """Return an answer with calls, results of the last one, and texts between them."""
    uses = [{"type": "tool_use", "id": f"t{at}", "name": "x", "input": {}} for at in range(count)]
    result = {"type": "tool_result", "tool_use_id": "t0", "name": "x", "content": [{"text": "x"}]}
    blocks = [*uses, *([result, {"type": "text", "text": "x"}] * count)]
    question = claude.said("q", "human", "Why?", 1)
    return json.dumps(
        [claude.chat(question, claude.said("a", "assistant", "", 2, content=blocks))]
    ).encode()


def citations_of_claude(count: int) -> bytes:
    """Return a long word that cites a page at each of its characters, and at its first one."""
    url = {"details": {"url": "https://a.example/"}}
    citations = [url | {"end_index": at * (at % 2)} for at in range(count)]
    blocks = [{"type": "text", "text": "x" * count, "citations": citations}]
    question = claude.said("q", "human", "Why?", 1)
    return json.dumps(
        [claude.chat(question, claude.said("a", "assistant", "", 2, content=blocks))]
    ).encode()


def citations_of_chatgpt(count: int) -> bytes:
    """Return many marks of one reference that has many pages, and marks with a long text."""
    pages = [{"url": f"https://a.example/{at}"} for at in range(count)]
    references = [
        {"matched_text": "\ue200\ue201", "items": [{"supporting_websites": pages}, *pages]},
        {"matched_text": "\ue200x\ue201", "alt": "x" * count},
    ]
    text = "\ue200\ue201\ue200x\ue201" * count
    question = node("q", "root", "user", "Why?", seconds=1)
    facts = {"content_references": references}
    return encoded(chat(question, node("a", "q", "assistant", text, seconds=2, metadata=facts)))


def sources_of_open_webui(count: int) -> bytes:
    metadata = [{"source": f"https://a.example/{at}"} for at in range(count)]
    sources = [{"metadata": metadata}, *({"metadata": [each]} for each in metadata)]
    said = [
        webui.said("q", None, "user", "Why?", 1),
        webui.said("a", "q", "assistant", "x [1]", 2, sources=sources),
    ]
    return json.dumps([webui.chat(*said, current="a")]).encode()


def titles(count: int) -> bytes:
    question = node("q", "root", "user", "x " * count, seconds=1)
    return encoded({**chat(question), "title": " \t" * count})


@pytest.mark.parametrize(
    "make",
    [
        chain,
        only_answers,
        cycles,
        siblings,
        parts,
        of_claude,
        of_open_webui,
        of_librechat,
        titles,
        calls_of_chatgpt,
        blocks_of_claude,
        citations_of_claude,
        citations_of_chatgpt,
        sources_of_open_webui,
    ],
    ids=lambda make: str(make.__name__),
)
def test_a_chat_of_any_shape_takes_linear_time(make: Callable[[int], bytes]) -> None:
    with override_settings(MAX_CONVERSATION_MESSAGES=10**7, MAX_IMPORT_MESSAGES=10**7):
        assert_linear(read, make)


@pytest.mark.parametrize(
    "filler",
    [
        "\ue200",
        "\u30101:",
        "\u3010",
        "`",
        "```\n",
        "~~~\n",
        "\n",
        " ",
        "\r",
        "<",
        "![",
        "[x](",
        "x",
    ],
    ids=repr,
)
def test_any_text_in_a_message_takes_linear_time(filler: str) -> None:
    with override_settings(MAX_MESSAGE_CHARS=10**8):
        assert_linear(read, lambda size: question_and_answer(filler * size))
