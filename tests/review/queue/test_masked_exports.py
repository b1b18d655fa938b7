"""What a rule has hidden is in no file that staff download without an entry in the access log."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message, RedactedText
from chat.evaluation import consent, datasets
from chat.evaluation.models import RunAnswer
from chat.review.case_models import Rule
from chat.review.cases import rule_runner
from chat.review.models import AccessLogEntry
from tests.review.conftest import give, say, staff_context_of
from tests.support.generations.stream_reader import read_text
from tests.support.review.evaluation import new_run
from tests.support.review.reason_for_access import begin

SECRET = "zanzibarquokka"
FILES = [
    *(f"queue/export.{kind}{query}" for kind in ("csv", "jsonl")
      for query in ("", "?text=1", "?text=masked", "?text=plain")),
    *(f"analytics/{name}.{kind}" for name in ("people", "models", "languages", "topics", "costs")
      for kind in ("csv", "json")),
    *(f"audit/{name}.{kind}" for name in ("access", "actions") for kind in ("csv", "jsonl")),
]  # fmt: skip
COPIES = ("items.jsonl", "runs/{run}/answers.jsonl")  # of a dataset for evaluation


def flagged(owner: User, action: str) -> tuple[Conversation, list[str]]:
    """Return a chat that a rule acted on, and files with copies made before."""
    chat = say(owner, f"This is {SECRET}", f"You said {SECRET}")
    files = copied(owner, chat)
    Rule.objects.create(name="A rule", kind="words", text=SECRET, action=action)
    while rule_runner.check_new():
        pass
    return chat, files


def copied(owner: User, chat: Conversation) -> list[str]:
    consent.set_consent(owner, is_given=True)
    lena = staff_context_of(give(User.objects.get(email="lena@example.org"), "evaluate_models"))
    dataset = datasets.create(lena, "Geography")
    answer = chat.messages.get(role=Message.Role.ASSISTANT)
    item = datasets.copy_turn(lena, dataset, chat.pk, answer.pk)
    run = new_run(dataset)
    run.save()
    RunAnswer.objects.create(run=run, item=item, text=f"Again, {SECRET}")
    return [f"evaluation/{dataset.pk}/{path.format(run=run.pk)}" for path in COPIES]


async def files_with(client: AsyncClient, chat: Conversation, paths: list[str]) -> set[str]:
    """Return the files that have the text; fail if one comes without an entry in the log."""
    found = set()
    for path in paths:
        last = await AccessLogEntry.objects.order_by("-id").values_list("id", flat=True).afirst()
        response = await client.get(f"/review/{path}")
        assert response.status_code == 200, path
        text = await read_text(response) if response.streaming else response.content.decode()
        if SECRET in text:
            found.add(path)
            seen = AccessLogEntry.objects.filter(
                pk__gt=last or 0, conversation=chat.pk, kind=AccessLogEntry.Kind.EXPORTED
            )
            assert await seen.aexists(), path
    return found


@pytest.mark.parametrize("action", ["queue", "cover"])
async def test_hidden_text_is_in_no_file_and_other_text_is_on_record(
    alice: User, lead_client: AsyncClient, action: str, stop_server_process: Any
) -> None:
    chat, copies = await sync_to_async(flagged)(alice, action)
    assert await RedactedText.objects.acount() == (2 if action == "cover" else 0)
    client = await begin(lead_client)
    found = await files_with(client, chat, FILES + copies)
    with_text = {each for each in FILES if "?text=" in each}.union(copies)
    assert found == (with_text if action == "queue" else set())
