"""Summarise a chat, when a site asks for its summary."""

from chat.emulator.requests.inputs import ChatRequest
from chat.emulator.scripts.script import Script

#: How the site's request begins, and its marks (chat/generations/summaries/summary_prompt.py).
ASKS_FOR_SUMMARY = "Summarise the beginning of a chat."
FORMER, USER, ASSISTANT = "[former summary]", "[user]", "[assistant]"
QUOTED_WORDS = 24


def summary_for(request: ChatRequest) -> Script | None:
    """Repeat a former summary, then quote the questions; None for other requests."""
    first = request.messages[0]
    if first.role != "system" or not first.text.startswith(ASKS_FOR_SUMMARY):
        return None
    lines: list[str] = []
    mark, words = "", 0
    for line in request.messages[-1].text.splitlines():
        if line in {FORMER, USER, ASSISTANT}:
            mark, words = line, 0
        elif mark == FORMER and line:
            lines.append(line)
        elif mark == USER and line and words == 0:
            quoted = line.split()[:QUOTED_WORDS]
            words = len(quoted)
            lines.append(f"- The user wrote: “{' '.join(quoted)}”")
    return Script(text=["\n".join(lines) or "- Nothing was said."])
