"""Calls of tools in other programs' exports: shown as they ended, never to be run."""

import json
from typing import Any

import pytest

from chat.import_export import import_reader
from chat.import_export.file_format import ExportedMessage
from chat.import_export.import_report import ImportReport
from chat.knowledge.given import block_for_people
from tests.import_export.files_with_tools import CHATS, OTHER, PAGE, as_file, of_open_webui

Call = tuple[str, str, Any, str]


def answer_in(chat: Any, report: ImportReport | None = None) -> ExportedMessage:
    (found,) = import_reader.conversations_in(as_file(chat), report)
    return found.messages[-1]


def calls_in(answer: ExportedMessage) -> list[Call]:
    return [
        (each.tool, each.state, json.loads(each.arguments), block_for_people(each.result))
        for each in answer.tools
    ]


LIGHTHOUSE = {"query": "lighthouse"}
CALLS: dict[str, list[Call]] = {
    "chatgpt": [
        (
            "web.run",
            "done",
            {"q": "lighthouse"},
            f"The lighthouse\n{PAGE}\n38 m\n\nThe ferry\n{OTHER}\nDaily",
        ),
        ("python", "done", {"code": "1 / 0"}, "ZeroDivisionError"),
        ("browser", "failed", {"id": 1}, "No answer"),
    ],
    "claude": [
        ("web_search", "done", LIGHTHOUSE, f"The lighthouse\n{PAGE}\n38 metres high"),
        ("web_search", "failed", {"query": "ferry"}, "Too many requests"),
    ],
    "librechat": [
        ("web_search", "done", LIGHTHOUSE, "1. The lighthouse"),
        ("code_interpreter", "done", {"code": "1+1"}, "2"),
    ],
    "open_webui": [
        ("web_search", "done", LIGHTHOUSE, "The lighthouse <b>"),
        ("code_interpreter", "done", {"code": "print(1+1)"}, '{"stdout":"2"}'),
    ],
}
TEXTS = {
    "chatgpt": "I'll look.\n\nLindholm has a tower [1][2]",
    "claude": "I'll look.\n\n38 metres,[1] in all.",
    "librechat": "I'll look.\n\n38 metres.[1]",
    "open_webui": "I'll look.\n38 metres [1], said twice [3].",
}
SOURCES = {
    "chatgpt": [(1, "The lighthouse", PAGE), (2, "The ferry", OTHER)],
    "claude": [(1, "The lighthouse", PAGE)],
    "librechat": [(1, "The lighthouse", PAGE)],
    "open_webui": [(1, "The lighthouse", PAGE), (2, OTHER, OTHER), (3, "notes.pdf", "")],
}


@pytest.mark.parametrize("program", CHATS)
def test_an_answer_has_its_calls_its_text_and_its_sources(program: str) -> None:
    report = ImportReport()
    answer = answer_in(CHATS[program](), report)
    assert calls_in(answer) == CALLS[program]
    assert answer.text == TEXTS[program]
    assert [(each.number, each.name, each.address) for each in answer.sources or []] == (
        SOURCES[program]
    )
    assert not +report.left_out


@pytest.mark.parametrize("program", CHATS)
def test_calls_are_at_their_place_in_the_text(program: str) -> None:
    answer = answer_in(CHATS[program]())
    assert {answer.text[: each.text_length].strip() for each in answer.tools} == {"I'll look."}


def test_calls_without_a_result_were_interrupted() -> None:
    chat = CHATS["claude"]()
    answer = chat["chat_messages"][1]
    answer["content"] = answer["content"][:3]
    (call,) = answer_in(chat).tools
    assert (call.state, call.problem, call.result) == ("failed", "interrupted", "")


def test_a_result_without_a_call_is_one() -> None:
    chat = CHATS["claude"]()
    answer = chat["chat_messages"][1]
    answer["content"] = answer["content"][-2:]
    (call,) = answer_in(chat).tools
    assert (call.tool, call.state, call.arguments) == ("web_search", "done", "{}")


def test_calls_at_once_are_one_round() -> None:
    rounds = {name: [each.round for each in answer_in(CHATS[name]()).tools] for name in CHATS}
    assert rounds["claude"] == [0, 0]
    assert rounds["chatgpt"] == [0, 1, 2]


def test_later_versions_of_open_webui_have_calls_in_a_list() -> None:
    chat = of_open_webui()
    answer = chat["chat"]["history"]["messages"]["a"]
    answer["content"] = ""
    answer["output"] = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]},
        {"type": "function_call", "call_id": "t1", "name": "clock", "arguments": '{"zone":"UTC"}'},
        {
            "type": "function_call_output",
            "call_id": "t1",
            "output": [{"type": "input_text", "text": "12:00"}],
        },
        {"type": "open_webui:code_interpreter", "code": "1", "output": {"stdout": "1"}},
        {"type": "message", "content": [{"type": "output_text", "text": "Noon."}]},
    ]
    found = answer_in(chat)
    assert (found.text, found.reasoning) == ("Noon.", "Hm.")
    assert calls_in(found) == [
        ("clock", "done", {"zone": "UTC"}, "12:00"),
        ("code_interpreter", "done", {"code": "1"}, '{"stdout":"1"}'),
    ]


def test_open_webui_also_writes_values_between_single_quotes_and_results_in_the_block() -> None:
    text = (
        """<details type="tool_calls" done="true" id="x" name="clock" arguments='"{\\"a\\":1}"'"""
        """ result='"It&apos;s <noon>"'>\n<summary>Tool Executed</summary>\n</details>\n"""
        """<details type="tool_calls" done="true" id="y" name="clock" arguments="&quot;{}&quot;">"""
        """\n<summary>Tool Executed</summary>\n&quot;Noon&quot;\n</details>\n"""
        """<details type="tool_calls" done="false" id="z" name="clock" arguments="">\n"""
        """<summary>Executing...</summary>\n</details>Done."""
    )
    chat = of_open_webui()
    chat["chat"]["history"]["messages"]["a"] |= {"content": text, "sources": None}
    found = answer_in(chat)
    assert calls_in(found) == [
        ("clock", "done", {"a": 1}, "It's <noon>"),
        ("clock", "done", {}, "Noon"),
        ("clock", "failed", {}, ""),
    ]
    assert found.text == "Done."
