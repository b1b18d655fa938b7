"""Create conversations before a browser test."""

import json
from pathlib import Path

from tests.browser.server import LiveSite

MAKE = """
import json
from chat.accounts.models import User
from chat.conversations import turns
from chat.generations.models import Generation
email, answers = json.load(open({file!r}))
conversation = turns.start_conversation(User.objects.get(email=email).pk)
parent = None
for number, text in enumerate(answers):
    question = turns.post_question(conversation, f"Question {{number}}", parent)
    parent = turns.add_answer(question)
    parent.text = text
    parent.save()
    Generation.objects.create(
        message=parent, owner_id=conversation.owner_id, state="complete",
        model="@cf/meta/llama-3.1-8b-instruct-fp8", send_key=f"{{conversation.pk}} {{number}}",
    )
print(conversation.pk)
"""


def conversation(site: LiveSite, folder: Path, email: str, answers: list[str]) -> str:
    """Store a conversation with these answers, and return its URL."""
    file = folder / "answers.json"
    file.write_text(json.dumps([email, answers]))
    return f"/chat/{site.run(MAKE.format(file=str(file)))}/"
