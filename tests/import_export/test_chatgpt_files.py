"""Chats that ChatGPT exported."""

import io
from datetime import UTC, datetime
from typing import Any

import pytest

from chat.import_export import import_reader
from chat.import_export.file_format import ConversationFile
from chat.import_export.import_report import ImportReport
from tests.import_export.chatgpt_files import BEGAN, CODE, chat, encoded, node, rollback


def read(*chats: Any) -> list[ConversationFile]:
    return list(import_reader.conversations_in(io.BytesIO(encoded(*chats))))


def texts(found: ConversationFile) -> list[str]:
    return [said.text for said in found.messages]


def test_branches_times_models_and_code_are_kept() -> None:
    (found,) = read(rollback())
    first, wait, second, asked, answer = found.messages
    assert first.text == "How do I roll back?\n\n[Image not imported]"
    assert [said.parent for said in found.messages] == [None, 1, 1, 3, 4]
    assert (wait.text, second.text, second.reasoning) == ("Wait.", CODE, "Hm.")
    assert (asked.text, answer.text) == ("And if that fails?", "Restore the last chart.")
    assert first.created_at == datetime.fromtimestamp(BEGAN + 1, UTC)
    assert second.created_at == datetime.fromtimestamp(BEGAN + 3, UTC)
    assert [said.attempts[0].model for said in (wait, second)] == ["gpt-5", "o4-mini"]
    assert (found.title, found.place) == ("Roll back", "listed")
    assert found.created_at == datetime.fromtimestamp(BEGAN, UTC)
    assert found.updated_at == datetime.fromtimestamp(BEGAN + 400, UTC)


def test_what_is_left_out_is_counted() -> None:
    report = import_reader.check(io.BytesIO(encoded(rollback())))
    assert (report.total, report.refused) == (1, 0)
    assert not +report.left_out
    assert report.files == {"Not in the export.": 1}


def test_the_branch_that_was_shown_comes_last() -> None:
    nodes = [
        node("q", "root", "user", "Hello", seconds=1),
        node("b", "q", "assistant", "Newer", seconds=9),
        node("a", "q", "assistant", "Older", seconds=2),
    ]
    (found,) = read(chat(*nodes))
    assert texts(found) == ["Hello", "Newer", "Older"]
    (found,) = read(chat(*nodes, current_node="b"))
    assert texts(found) == ["Hello", "Older", "Newer"]


def test_a_regenerated_end_of_an_answer_gives_two_whole_answers() -> None:
    (found,) = read(
        chat(
            node("q", "root", "user", "Hello", seconds=1),
            node("a", "q", "assistant", "So:", seconds=2),
            node("b", "a", "assistant", "one", seconds=3),
            node("c", "a", "assistant", "two", seconds=4),
        )
    )
    assert texts(found) == ["Hello", "So:\n\none", "So:\n\ntwo"]
    assert [said.parent for said in found.messages] == [None, 1, 1]


@pytest.mark.parametrize(
    ("facts", "place"),
    [({"is_archived": True}, "archived"), ({"is_starred": True}, "pinned"), ({}, "listed")],
)
def test_archived_and_starred_chats_stay_so(facts: dict[str, Any], place: str) -> None:
    (found,) = read(chat(node("q", "root", "user", "Hello"), **facts))
    assert found.place == place


def test_missing_titles_and_times_are_filled_in() -> None:
    nodes = [
        node("q", "root", "user", "Why do rivers bend?\nTell me."),
        node("a", "q", "assistant", "So"),
    ]
    (found,) = read(chat(*nodes, title=None, create_time=None, update_time="soon"))
    assert found.title == "Why do rivers bend?"
    assert found.messages[0].created_at == found.created_at
    (found,) = read(chat(*nodes, title="x\0y " * 100))
    assert found.title.startswith("xy xy")
    assert len(found.title) <= 120


def test_pictures_that_were_drawn_and_voices_are_named() -> None:
    drawn = {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}]}
    voice = {"content_type": "audio_transcription", "text": "Draw a river"}
    (found,) = read(
        chat(
            node("q", "root", "user", {"content_type": "multimodal_text", "parts": [voice]}),
            node("t", "q", "tool", drawn),
        )
    )
    assert texts(found) == ["Draw a river", "[Image not imported]"]


def test_attached_files_are_named() -> None:
    files = {"attachments": [{"name": "plan.pdf", "mime_type": "application/pdf"}]}
    report = ImportReport()
    data = io.BytesIO(encoded(chat(node("q", "root", "user", "Read it", metadata=files))))
    (found,) = import_reader.conversations_in(data, report)
    assert texts(found) == ["Read it\n\n[File not imported: plan.pdf]"]
    assert report.files == {"Not in the export.": 1}


def test_one_exported_chat_is_read_without_a_list() -> None:
    data = encoded(rollback())[1:-1]
    assert len(list(import_reader.conversations_in(io.BytesIO(data)))) == 1
