"""Export, delete and import give the same bytes again."""

from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings

from chat.accounts.models import User
from chat.conversations.models import BY_FILE, Conversation, Message
from chat.conversations.sizes import row_batches
from chat.conversations.sources import sources
from chat.generations.deletion import purge
from chat.generations.models import Generation
from chat.import_export import export_writer, import_storage
from chat.import_export.export_archive import export_archive
from chat.import_export.markdown import conversation_markdown
from chat.knowledge.given import GivenPassage, GivenPassages
from chat.quotas.models import Charge, Meter
from tests.import_export.trees import exported, imported, new_conversation, plant, trees
from tests.support.servers.server import ROOT
from tests.support.variants import examples

SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


def bring(owner: User, file: bytes) -> Conversation:
    assert imported(owner, file) == 1
    return Conversation.objects.get(owner=owner)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=SLOW)
@given(tree=trees())
def test_any_tree_survives_a_round_trip(
    tree: dict[str, Any], alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_writer, "MESSAGES_AT_ONCE", 3)
    monkeypatch.setattr(row_batches, "MAX_ROWS", 4)
    before = plant(alice, tree)
    file = exported(before)
    ids = set(before.messages.values_list("pk", flat=True))
    before.delete()
    after = bring(bob, file)
    assert exported(after) == file
    assert after.pk != before.pk
    assert not ids & set(after.messages.values_list("pk", flat=True))
    after.delete()


def test_details_of_answers_are_imported_without_any_cost(alice: User, bob: User) -> None:
    file = exported(new_conversation(alice))
    bring(bob, file)
    facts = ("model", "state", "total_tokens", "neurons", "cost_usd", "milliseconds", "worker_id")
    of = {
        user: list(Generation.objects.filter(owner=user).order_by("message_id").values_list(*facts))
        for user in (alice, bob)
    }
    assert of[bob] == of[alice]
    assert not Charge.objects.exists()
    assert not Meter.objects.exists()


def test_sources_of_answers_are_names_after_an_import(alice: User, bob: User) -> None:
    before = new_conversation(alice)
    answer = before.messages.filter(role="assistant").last()
    assert answer
    passage = GivenPassage(2, uuid4(), "manual.pdf", 10, 90, 7, "", "secret words")
    sources.store(answer, GivenPassages([passage]))
    Message.objects.filter(pk=answer.pk).update(text="As it says [2].")
    file = exported(before)
    assert b'"sources":[{"number":2,"name":"manual.pdf","page":7}]' in file
    assert exported(bring(bob, file)) == file
    readable = b"".join(conversation_markdown(before)).decode()
    assert r"- \[2\] manual.pdf, page 7" in readable


def test_a_full_export_is_imported_at_once(alice: User, bob: User) -> None:
    for number in range(7):
        new_conversation(alice, f"Chat {number}/{number}: ünï")
    file = b"".join(export_archive(alice))
    assert imported(bob, file) == 7
    theirs = {exported(each) for each in Conversation.objects.filter(owner=bob)}
    assert theirs == {exported(each) for each in Conversation.objects.filter(owner=alice)}
    assert Message.objects.filter(conversation__owner=alice).count() == 21


def test_a_running_answer_is_exported_as_interrupted(alice: User, bob: User) -> None:
    conversation = new_conversation(alice)
    Generation.objects.update(state="running")
    bring(bob, exported(conversation))
    assert set(Generation.objects.filter(owner=bob).values_list("state", flat=True)) == {
        "interrupted"
    }


def test_an_import_is_hidden_until_it_is_complete(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_conversation(alice)
    new_conversation(alice)
    seen: list[int] = []
    add = import_storage._add

    def watched(*arguments: Any) -> None:
        add(*arguments)
        seen.append(Conversation.objects.filter(owner=bob).count())

    monkeypatch.setattr(import_storage, "_add", watched)
    assert imported(bob, b"".join(export_archive(alice))) == 2
    assert seen == [0, 0]
    assert Conversation.objects.filter(owner=bob).count() == 2


def test_a_failed_import_leaves_nothing(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_conversation(alice)
    new_conversation(alice)
    add, calls = import_storage._add, []

    def breaking(*arguments: Any) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise OSError("the disk is full")
        add(*arguments)

    monkeypatch.setattr(import_storage, "_add", breaking)
    with pytest.raises(OSError, match="full"):
        imported(bob, b"".join(export_archive(alice)))
    assert not Conversation.objects.filter(owner=bob).exists()
    list(purge.steps())
    assert not Conversation.all_objects.filter(owner=bob).exists()
    assert not Generation.objects.filter(owner=bob).exists()


def test_the_example_in_the_docs_can_be_imported(bob: User) -> None:
    page = (ROOT / "docs" / "export_format.md").read_text()
    example = page.partition("```json\n")[2].partition("```")[0].encode()
    assert exported(bring(bob, example)) == example


def test_a_staff_members_message_is_marked_and_may_follow_any_message(
    alice: User, bob: User
) -> None:
    chat = new_conversation(alice)
    first = chat.messages.create(
        parent=chat.messages.last(), role="assistant", text="Hello", author=7
    )
    chat.messages.create(parent=first, role="assistant", text="Again", author=7)
    file = exported(chat)
    assert file.count(b'"person":true') == 2
    assert b"**A person**" in b"".join(conversation_markdown(chat))
    after = bring(bob, file)
    assert exported(after) == file
    assert {said.author for said in after.messages.filter(text="Again")} == {BY_FILE}
