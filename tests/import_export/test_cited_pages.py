"""The pages that other programs' answers cite stay links, and their texts stay whole."""

from typing import Any

import pytest

from chat.import_export import import_reader
from chat.import_export.file_format import ExportedMessage
from tests.import_export.chatgpt_files import chat, node
from tests.import_export.files_with_tools import CITED, PAGE, as_file, of_chatgpt, of_claude


def answer_to(text: str, **metadata: Any) -> ExportedMessage:
    question = node("q", "root", "user", "Why?", seconds=1)
    answer = node("a", "q", "assistant", text, seconds=2, metadata=metadata)
    (found,) = import_reader.conversations_in(as_file(chat(question, answer)))
    return found.messages[1]


def reference(mark: str, **more: Any) -> dict[str, Any]:
    return {"matched_text": mark, "type": "webpage", "title": "A page", "url": PAGE} | more


def test_a_number_that_the_text_has_is_given_to_no_source() -> None:
    text = f"Use a[0] [1], [3-5]. {CITED}"
    found = answer_to(text, content_references=[reference(CITED)])
    assert found.text == "Use a[0] [1], [3-5]. [2]"
    assert [each.number for each in found.sources or []] == [2]


def test_old_citations_are_found_by_their_place() -> None:
    mark = "\u301017\u2020source\u3011"
    page = {"type": "webpage", "title": "A page", "url": PAGE, "text": "x"}
    found = answer_to(
        f"It bends.{mark} It erodes.{mark}", citations=[{"start_ix": 9, "metadata": page}]
    )
    assert found.text == "It bends.[1] It erodes."
    assert found.sources
    assert found.sources[0].address == PAGE


def test_cited_files_have_names() -> None:
    mark = "\ue200filecite\ue202turn0file0\ue201"
    more = {"matched_text": mark, "type": "file", "name": "plan.pdf", "id": "file-x"}
    found = answer_to(f"As planned. {mark}", content_references=[more])
    assert found.text == "As planned. [1]"
    assert found.sources
    assert (found.sources[0].name, found.sources[0].address) == ("plan.pdf", "")


@pytest.mark.parametrize(
    ("mark", "shown"),
    [
        ('\ue200entity\ue202["city","Paris","capital"]\ue201', "Paris"),
        ("\ue200entity\ue202[[[\ue201", ""),
        (f"\ue200url\ue202The [page]\ue202{PAGE}\ue201", f"[The \\[page\\]]({PAGE})"),
        ("\ue200url\ue202The page\ue202turn0search1\ue201", "The page"),
        ("\ue200url\ue202The page\ue202javascript:alert(1)\ue201", "The page"),
        (
            "\ue200url\ue202The page\ue202https://a.example/) ![x](https://b.example\ue201",
            "The page",
        ),
        ("\ue200cite\ue202turn0search9\ue201", ""),
    ],
    ids=range(7),
)
def test_other_marks_show_their_words(mark: str, shown: str) -> None:
    assert answer_to(f"To {mark}!").text == f"To {shown}!"


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "//a.example", "", 5, "x" * 3000, None]
)
def test_only_addresses_of_the_web_are_sources(address: Any) -> None:
    found = answer_to(f"Yes {CITED}", content_references=[reference(CITED, url=address)])
    assert found.sources is None
    assert "\ue200" not in found.text


def test_branches_and_later_messages_share_no_numbers() -> None:
    (found,) = import_reader.conversations_in(as_file(of_chatgpt()))
    assert found.messages[0].sources is None
    twice = of_chatgpt()
    copy = {**twice["mapping"]["a"], "id": "b", "parent": "a"}
    twice["mapping"]["b"] = copy
    (found,) = import_reader.conversations_in(as_file(twice))
    assert found.messages[-1].text.count("[1][2]") == 2
    assert len(found.messages[-1].sources or []) == 2


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (3, "38 metres,[1] in all."),
        (0, "38 metres, in all.[1]"),
        (-1, "38 metres, in all.[1]"),
        (99, "38 metres, in all.[1]"),
        (None, "38 metres, in all.[1]"),
        ("x", "38 metres, in all.[1]"),
    ],
)
def test_claude_says_where_a_citation_is(place: Any, text: str) -> None:
    claude = of_claude()
    claude["chat_messages"][1]["content"][-1]["citations"][0]["end_index"] = place
    (found,) = import_reader.conversations_in(as_file(claude))
    assert found.messages[1].text == f"I'll look.\n\n{text}"


def test_a_question_cites_nothing() -> None:
    claude = of_claude()
    question, answer = claude["chat_messages"]
    question["content"] = answer["content"][-1:]
    (found,) = import_reader.conversations_in(as_file(claude))
    assert found.messages[0].text == "38 metres, in all."
