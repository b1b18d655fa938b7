"""Name chats, when a site asks for the title of one."""

import re

from chat.emulator.requests.inputs import ChatRequest
from chat.emulator.scripts.script import Script

#: How the site's request begins (chat/generations/titles/title_prompt.py).
ASKS_FOR_TITLE = "Write the title of a chat."
MAX_WORDS = 6
_AROUND_WORDS = re.compile(r"^\W+|(?<!\W)\W+$")


def title_for(request: ChatRequest) -> Script | None:
    """Write the first words of the message, without punctuation; None for other requests."""
    first = request.messages[0]
    if first.role != "system" or not first.text.startswith(ASKS_FOR_TITLE):
        return None
    question = request.messages[-1].text.partition("\n")[0]
    words = filter(None, (_AROUND_WORDS.sub("", each) for each in question.split()))
    title = " ".join(list(words)[:MAX_WORDS])
    return Script(text=[title[:1].upper() + title[1:]])
