"""A chat of each program, with parts of every kind."""

from tests.import_export import claude_files as claude
from tests.import_export import librechat_files as libre
from tests.import_export import open_webui_files as webui
from tests.import_export.chatgpt_files import rollback

FILES = {
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
