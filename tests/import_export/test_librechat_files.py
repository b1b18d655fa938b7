"""Chats that LibreChat exported."""

import io

import pytest

from chat.errors import BadRequest
from chat.import_export import import_reader
from chat.import_export.file_format import ConversationFile
from chat.import_export.import_report import FAILURES
from tests.import_export.librechat_files import CODE, ROOT, file, said


def read(data: io.BytesIO) -> ConversationFile:
    (found,) = import_reader.conversations_in(data)
    return found


def test_a_flat_list_with_branches_is_read() -> None:
    found = read(
        file(
            said("q1", ROOT, "How?", 35),
            said("a1", "q1", CODE, 36),
            said("a2", "q1", "Other", 37, model=None),
            said("q2", "a2", "Thanks", 38),
        )
    )
    assert [each.text for each in found.messages] == ["How?", CODE, "Other", "Thanks"]
    assert [each.parent for each in found.messages] == [None, 1, 1, 3]
    models = [each.attempts[0].model for each in found.messages[1:3]]
    assert models == ["gpt-4-turbo", "gpt-4o"]
    assert found.messages[0].created_at.isoformat() == "2024-05-01T16:35:11.530000+00:00"
    assert found.title == "Virtual environments"
    assert (found.created_at.minute, found.updated_at.minute) == (35, 38)


def test_nested_messages_are_read() -> None:
    thanks = said("q2", "a1", "Thanks", 38)
    del thanks["createdAt"]
    answer = said("a1", "q1", CODE, 36, children=[thanks, said("q3", "a1", "No", 39)])
    found = read(file(said("q1", ROOT, "How?", 35, children=[answer]), recursive=True))
    assert [each.text for each in found.messages] == ["How?", CODE, "Thanks", "No"]
    assert [each.parent for each in found.messages] == [None, 1, 2, 2]


def test_parts_of_an_answer_are_read() -> None:
    parts = [
        {"type": "think", "think": "Hm."},
        {"type": "text", "text": {"value": "First."}},
        {"type": "tool_call", "tool_call": {"name": "search"}},
        {"type": "text", "text": "Second."},
    ]
    data = file(said("q1", ROOT, "How?", 35), said("a1", "q1", "", 36, content=parts))
    report = import_reader.check(data)
    answer = read(data).messages[1]
    assert (answer.text, answer.reasoning) == ("First.\n\nSecond.", "Hm.")
    assert not +report.left_out


def test_the_first_message_is_a_question_unless_the_file_says_no() -> None:
    odd = said("q1", ROOT, "How?", 35, isCreatedByUser=[], sender="nobody")
    found = read(file(odd, said("a1", "q1", "Like this", 36)))
    assert [(each.role, each.text) for each in found.messages] == [
        ("user", "How?"),
        ("assistant", "Like this"),
    ]


def test_failed_answers_are_left_out() -> None:
    data = file(said("q1", ROOT, "How?", 35), said("a1", "q1", "No key", 36, error=True))
    report = import_reader.check(data)
    assert [each.text for each in read(data).messages] == ["How?"]
    assert +report.left_out == {FAILURES: 1}


def test_messages_nested_too_deeply_are_refused_with_a_way_out() -> None:
    open_part = '{"messageId":"q","isCreatedByUser":true,"text":"x","children":['
    data = (
        '{"conversationId":"x","recursive":true,"messages":['
        + open_part * 5000
        + "]}" * 5000
        + "]}"
    )
    with pytest.raises(BadRequest) as refused:
        import_reader.check(io.BytesIO(data.encode()))
    assert "Export it again without “Recursive”" in refused.value.public
