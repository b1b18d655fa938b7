"""Chats of each program whose answers call tools and cite pages, in the shapes of their exports."""

import html
import io
import json
from typing import Any

from tests.import_export import chatgpt_files as chatgpt
from tests.import_export import claude_files as claude
from tests.import_export import librechat_files as libre
from tests.import_export import open_webui_files as webui

PAGE = "https://lindholm.example/lighthouse"
OTHER = "https://lindholm.example/ferry"
CITED = "\ue200cite\ue202turn0search0\ue202turn0search1\ue201"


def of_chatgpt() -> dict[str, Any]:
    """Return a chat with a search, code that failed, a remembered fact, and citations."""
    node = chatgpt.node
    group = {
        "type": "search_result_group",
        "domain": "lindholm.example",
        "entries": [
            {"type": "search_result", "url": PAGE, "title": "The lighthouse", "snippet": "38 m"},
            {"type": "search_result", "url": OTHER, "title": "The ferry", "snippet": "Daily"},
        ],
    }
    reference = {
        "matched_text": CITED,
        "start_idx": 18,
        "end_idx": 60,
        "type": "grouped_webpages",
        "alt": f"([Lindholm]({PAGE}))",
        "items": [
            {
                "title": "The lighthouse",
                "url": PAGE,
                "snippet": "38 m",
                "supporting_websites": [{"title": "The ferry", "url": OTHER}],
            }
        ],
    }
    named = '\ue200entity\ue202["place","Lindholm","an island"]\ue201'
    search = {"content_type": "code", "language": "unknown", "text": '{"q": "lighthouse"}'}
    python = {"content_type": "code", "language": "python", "text": "1 / 0"}
    error = {"content_type": "execution_output", "text": "ZeroDivisionError"}
    failed = {"content_type": "system_error", "name": "Timeout", "text": "No answer"}
    hidden = {"is_visually_hidden_from_conversation": True}
    found = {"search_result_groups": [group]} | hidden
    return chatgpt.chat(
        node("q", "root", "user", "How high?", seconds=1),
        node("say", "q", "assistant", "I'll look.", seconds=2),
        node("search", "say", "assistant", search, seconds=3, recipient="web.run"),
        node("found", "search", "tool", "", seconds=4, metadata=found, author=tool("web.run")),
        node("python", "found", "assistant", python, seconds=5, recipient="python"),
        node("output", "python", "tool", error, seconds=6, author=tool("python")),
        node("open", "output", "assistant", '{"id": 1}', seconds=7, recipient="browser"),
        node("failed", "open", "tool", failed, seconds=8, author=tool("browser")),
        node(
            "a",
            "failed",
            "assistant",
            f"{named} has a tower {CITED}",
            seconds=9,
            metadata={"content_references": [reference]},
        ),
        title="Lindholm",
    )


def tool(name: str) -> dict[str, Any]:
    return {"role": "tool", "name": name, "metadata": {}}


def of_claude() -> dict[str, Any]:
    """Return a chat with two searches at once, of which one failed, and a citation."""
    page = {"type": "knowledge", "title": "The lighthouse", "url": PAGE, "text": "38 metres high"}
    details = {"type": "web_search_citation", "url": PAGE}
    citation = {"uuid": "c1", "start_index": 0, "end_index": 9, "details": details}
    blocks = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "I'll look.", "citations": []},
        {"type": "tool_use", "id": "t1", "name": "web_search", "input": {"query": "lighthouse"}},
        {"type": "tool_use", "id": "t2", "name": "web_search", "input": {"query": "ferry"}},
        {
            "type": "tool_result", "tool_use_id": "t2", "name": "web_search", "is_error": True,
            "content": [{"type": "text", "text": "Too many requests"}],
        },
        {
            "type": "tool_result", "tool_use_id": "t1", "name": "web_search", "is_error": False,
            "content": [page],
        },
        {"type": "text", "text": "38 metres, in all.", "citations": [citation]},
    ]  # fmt: skip
    return claude.chat(
        claude.said("q", "human", "How high?", 1),
        claude.said("a", "assistant", "", 2, content=blocks),
    )


def of_librechat() -> dict[str, Any]:
    """Return a chat with a call of a tool, code, and a citation of a search."""
    call = {
        "id": "t1", "name": "web_search", "args": '{"query":"lighthouse"}', "type": "tool_call",
        "progress": 1, "output": "1. The lighthouse",
    }  # fmt: skip
    code = {
        "id": "t2", "type": "code_interpreter", "progress": 1,
        "code_interpreter": {"input": "1+1", "outputs": [{"type": "logs", "logs": "2"}]},
    }  # fmt: skip
    parts = [
        {"type": "text", "text": "I'll look."},
        {"type": "tool_call", "tool_call": call},
        {"type": "tool_call", "tool_call": code},
        {"type": "text", "text": "38 metres.\\ue202turn0search0"},
    ]
    search = {"turn": 0, "organic": [{"title": "The lighthouse", "link": PAGE}]}
    attachment = {"type": "web_search", "toolCallId": "t1", "web_search": search}
    chat: dict[str, Any] = json.load(
        libre.file(
            libre.said("q", libre.ROOT, "How high?", 1),
            libre.said("a", "q", "", 2, content=parts, attachments=[attachment]),
        )
    )
    return chat


def block(name: str, arguments: Any, result: Any) -> str:
    """Return a block of a call as Open WebUI writes it."""
    values = (html.escape(json.dumps(each)) for each in (json.dumps(arguments), result))
    return (
        '<details type="tool_calls" done="true" id="t1" name="{}" arguments="{}" result="{}"'
        ' files="" embeds="">\n<summary>Tool Executed</summary>\n</details>\n'
    ).format(name, *values)


RAN = (
    '<details type="code_interpreter" done="true" output="{&quot;stdout&quot;: &quot;2&quot;}">\n'
    "<summary>Analyzed</summary>\n```python\nprint(1+1)\n```\n</details>\n"
)


def of_open_webui() -> dict[str, Any]:
    """Return a chat with a call of a tool, code that ran, and sources."""
    call = block("web_search", {"query": "lighthouse"}, "The lighthouse <b>")
    sources = [
        {
            "source": {"name": "web_search", "id": "s1"},
            "document": ["38 metres", "Daily", "38 metres"],
            "metadata": [{"source": PAGE, "title": "The lighthouse"}, {"source": OTHER},
                         {"source": PAGE}],
        },
        {"source": {"id": "f1", "name": "notes.pdf"}, "document": ["x"], "metadata": [{}]},
    ]  # fmt: skip
    text = f"I'll look.\n{webui.THOUGHT}{call}{RAN}38 metres [1], said twice [3]."
    return webui.chat(
        webui.said("q", None, "user", "How high?", 1_700_000_001),
        webui.said("a", "q", "assistant", text, 1_700_000_002, sources=sources),
        current="a",
    )


CHATS = {
    "chatgpt": of_chatgpt,
    "claude": of_claude,
    "librechat": of_librechat,
    "open_webui": of_open_webui,
}


def as_file(chat: Any) -> io.BytesIO:
    return io.BytesIO(json.dumps([chat]).encode())
