"""A chat of each program, with parts of every kind, and imports of their files."""

import io

from chat.import_export import import_reader
from chat.import_export.file_format import ConversationFile
from chat.import_export.foreign.message_tree import ForeignConversation
from chat.import_export.import_report import ImportReport
from chat.import_export.imported_files import ImportedFiles
from tests.import_export import claude_files as claude
from tests.import_export import librechat_files as libre
from tests.import_export import open_webui_files as webui
from tests.import_export.chatgpt_files import rollback
from tests.import_export.files_with_tools import CHATS

FILES = {
    **{f"{name} with tools": make for name, make in CHATS.items()},
    "chatgpt": rollback,
    "claude": lambda: claude.chat(claude.said("a", "human", "Why?", 1, files=[{"file_name": "x"}])),
    "open_webui": lambda: webui.chat(
        webui.said("q", None, "user", [{"type": "text", "text": "Why?"}], 1, files=[{"name": "x"}]),
        webui.said("a", "q", "assistant", webui.THOUGHT, 2),
        current="a",
    ),
    "librechat": lambda: {
        "conversationId": "x",
        "title": "x",
        "options": {"model": "x"},
        "messages": [
            libre.said("q", "", "", 1, content=[{"type": "text", "text": {"value": "x"}}]),
            libre.said("a", "q", "", 2, children=[libre.said("q2", "a", "x", 3)], files=[{}]),
        ],
    },
}


async def with_files(
    data: io.BytesIO, report: ImportReport, room_bytes: int | None = None
) -> list[ConversationFile]:
    """Return the chats of an export with their files, as they are stored."""
    files, found = ImportedFiles(1, room_bytes, report), []
    for chat in import_reader.conversations_in(data):
        if isinstance(chat, ForeignConversation):
            await files.add_to(chat)
        found.append(chat)
    return found
