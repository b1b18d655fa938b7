"""Suggest what to ask next, when a site asks for it."""

from chat.emulator.requests.inputs import ChatRequest
from chat.emulator.scripts.script import Script

#: How the site's request begins (chat/generations/follow_ups/follow_up_prompt.py).
ASKS_FOR_FOLLOW_UPS = "Suggest what the user of a chat could ask next."
QUESTIONS = (
    "Can you give an example?",
    "Why is that so?",
    "What should I read about it next?",
)


def follow_ups_for(request: ChatRequest) -> Script | None:
    """Suggest questions that fit any answer; None for other requests."""
    first = request.messages[0]
    if first.role != "system" or not first.text.startswith(ASKS_FOR_FOLLOW_UPS):
        return None
    return Script(text=["\n".join(QUESTIONS)])
