"""Chats that Open WebUI exported."""

from typing import Any

from chat.import_export import import_reader
from chat.import_export.file_format import ConversationFile
from tests.import_export.open_webui_files import CODE, THOUGHT, TOOL, chat, file, said


def read(*chats: Any) -> list[ConversationFile]:
    return list(import_reader.conversations_in(file(*chats)))


def test_answers_of_several_models_are_branches() -> None:
    (found,) = read(
        chat(
            said("q", None, "user", "Why do rivers bend?", 1_700_000_001, models=["a", "b"]),
            said("x", "q", "assistant", "One", 1_700_000_002, model="llama3.1:latest"),
            said("y", "q", "assistant", CODE, 1_700_000_003),
            current="x",
            pinned=True,
        )
    )
    assert [each.text for each in found.messages] == ["Why do rivers bend?", CODE, "One"]
    assert [each.parent for each in found.messages] == [None, 1, 1]
    models = [each.attempts[0].model for each in found.messages[1:]]
    assert models == ["deepseek-r1", "llama3.1:latest"]
    assert found.messages[0].created_at.isoformat() == "2023-11-14T22:13:21+00:00"
    assert (found.title, found.place, found.created_at.year) == ("Rivers", "pinned", 2023)


def test_reasoning_is_kept_and_files_that_are_elsewhere_are_named() -> None:
    parts = [{"type": "text", "text": "Why?"}, {"type": "image_url", "image_url": {"url": "data:"}}]
    files = [{"type": "file", "name": "map.pdf"}, {"type": "image", "url": "8f0a"}]
    data = file(
        chat(
            said("q", None, "user", parts, 1_700_000_001, files=files),
            said("a", "q", "assistant", f"{THOUGHT}{TOOL}They bend.", 1_700_000_002),
            current="a",
        )
    )
    report = import_reader.check(data)
    (found,) = import_reader.conversations_in(data)
    asked, answer = found.messages
    assert asked.text == "Why?\n\n[File not imported: map.pdf]\n[Image not imported]"
    assert (answer.text, answer.reasoning) == ("They bend.", "Bends & banks\nmatter.")
    assert not +report.left_out
    assert sum(report.files.values()) == 2


def test_a_block_without_an_end_stays_text() -> None:
    text = '<details type="reasoning"><summary>x'
    (found,) = read(
        chat(
            said("q", None, "user", "Why?", 1_700_000_001),
            said("a", "q", "assistant", text, 1_700_000_002),
            current="a",
        )
    )
    assert found.messages[1].text == text


def test_an_old_list_of_messages_is_read() -> None:
    old = {
        "chat": {
            "messages": [
                {"role": "user", "content": "Why?"},
                {"role": "assistant", "content": "So"},
            ]
        }
    }
    (found,) = read(old)
    assert [(each.text, each.parent) for each in found.messages] == [("Why?", None), ("So", 1)]
    assert found.title == "Why?"
