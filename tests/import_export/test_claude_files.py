"""Chats that Claude exported."""

from typing import Any

from chat.conversations.attached_files import split_files
from chat.import_export import import_reader
from chat.import_export.file_format import ConversationFile
from tests.import_export.claude_files import CODE, ROOT, chat, file, said
from tests.import_export.foreign_files import with_files


def read(*chats: Any) -> list[ConversationFile]:
    return list(import_reader.conversations_in(file(*chats)))


def test_messages_without_branches_follow_each_other() -> None:
    (found,) = read(
        chat(
            said("a", "human", "Why?", 1),
            said("b", "assistant", CODE, 2),
            said("c", "human", "Ah", 3),
        )
    )
    assert [each.text for each in found.messages] == ["Why?", CODE, "Ah"]
    assert [each.parent for each in found.messages] == [None, 1, 2]
    assert found.messages[1].created_at.isoformat() == "2026-03-01T10:02:00.500000+00:00"
    assert (found.title, found.updated_at.minute) == ("Rivers", 30)
    assert not found.messages[1].attempts  # the export doesn't say which model it was


def test_branches_are_kept() -> None:
    (found,) = read(
        chat(
            said("a", "human", "Why?", 1, parent_message_uuid=ROOT),
            said("b", "assistant", "Old", 2, parent_message_uuid="a"),
            said("c", "assistant", "New", 3, parent_message_uuid="a"),
            said("d", "human", "Who?", 4, parent_message_uuid=ROOT),
            current_leaf_message_uuid="b",
        )
    )
    assert [each.text for each in found.messages] == ["Why?", "New", "Who?", "Old"]
    assert [each.parent for each in found.messages] == [None, 1, None, 1]


def test_reasoning_is_kept_and_a_part_between_texts_begins_a_paragraph() -> None:
    blocks = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "name": "web_search", "input": {"query": "rivers"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "found"}]},
        {"type": "text", "text": "They bend."},
    ]
    data = file(chat(said("a", "human", "Why?", 1), said("b", "assistant", "x", 2, content=blocks)))
    report = import_reader.check(data)
    (found,) = import_reader.conversations_in(data)
    assert found.messages[1].text == "Let me look.\n\nThey bend."
    assert found.messages[1].reasoning == "Hm."
    assert not +report.left_out


async def test_attached_text_is_a_file_of_the_question_and_other_files_are_named() -> None:
    files = {
        "attachments": [
            {"file_name": "a.py", "file_type": "", "extracted_content": "print()\n```"}
        ],
        "files": [{"file_name": "map.png"}, {"file_name": "a.py"}],
    }
    data = file(chat(said("a", "human", "", 1, content=[], **files)))
    report = import_reader.check(data)
    (found,) = await with_files(data, report)
    asked = found.messages[0].text
    assert asked == "[File not imported: map.png]\na.py:\n````py\nprint()\n```\n````\n"
    assert [each.name for each in split_files(asked).files] == ["a.py"]
    assert report.files == {"Not in the export.": 1}


def test_an_empty_chat_is_left_out_with_its_title() -> None:
    report = import_reader.check(file(chat(name="Nothing"), chat(said("a", "human", "Why?", 1))))
    assert report.total == 1
    assert report.reasons == [("Nothing", "It has no messages.")]
