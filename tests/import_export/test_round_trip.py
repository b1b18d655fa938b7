"""Exported, wiped, imported: the same again, byte for byte."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from chat.accounts.models import User
from chat.conversations.models import BY_FILE, Conversation, Message
from chat.conversations.sizes import row_batches
from chat.generations.deletion import purge
from chat.generations.models import Generation
from chat.import_export import storing, writing
from chat.import_export.everything import everything_of
from chat.import_export.markdown import conversation_markdown
from chat.quotas.models import Charge, Meter
from tests.import_export.trees import exported, imported, plant, talk, trees
from tests.support.server import ROOT
from tests.support.variants import examples

SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


def bring(owner: User, file: bytes) -> Conversation:
    assert imported(owner, file) == 1
    return Conversation.objects.get(owner=owner)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=SLOW)
@given(tree=trees())
def test_any_tree_is_the_same_after_a_round_trip(
    tree: dict[str, Any], alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "MESSAGES_AT_ONCE", 3)
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


def test_the_facts_of_an_answer_come_along_and_cost_nobody_anything(alice: User, bob: User) -> None:
    file = exported(talk(alice))
    bring(bob, file)
    facts = ("model", "state", "total_tokens", "neurons", "cost_usd", "milliseconds", "worker_id")
    of = {
        user: list(Generation.objects.filter(owner=user).order_by("message_id").values_list(*facts))
        for user in (alice, bob)
    }
    assert of[bob] == of[alice]
    assert not Charge.objects.exists()
    assert not Meter.objects.exists()


def test_everything_comes_back_at_once(alice: User, bob: User) -> None:
    for number in range(7):
        talk(alice, f"Chat {number}/{number}: ünï")
    file = b"".join(everything_of(alice))
    assert imported(bob, file) == 7
    theirs = {exported(each) for each in Conversation.objects.filter(owner=bob)}
    assert theirs == {exported(each) for each in Conversation.objects.filter(owner=alice)}
    assert Message.objects.filter(conversation__owner=alice).count() == 21


def test_an_answer_that_is_under_way_is_exported_as_one_that_broke_off(
    alice: User, bob: User
) -> None:
    conversation = talk(alice)
    Generation.objects.update(state="running")
    bring(bob, exported(conversation))
    assert set(Generation.objects.filter(owner=bob).values_list("state", flat=True)) == {
        "interrupted"
    }


def test_what_is_imported_is_seen_only_when_all_of_it_is_there(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(alice)
    talk(alice)
    seen: list[int] = []
    add = storing._add

    def watched(*arguments: Any) -> None:
        add(*arguments)
        seen.append(Conversation.objects.filter(owner=bob).count())

    monkeypatch.setattr(storing, "_add", watched)
    assert imported(bob, b"".join(everything_of(alice))) == 2
    assert seen == [0, 0]
    assert Conversation.objects.filter(owner=bob).count() == 2


def test_an_import_that_breaks_leaves_nothing(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(alice)
    talk(alice)
    add, calls = storing._add, []

    def breaking(*arguments: Any) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise OSError("the disk is full")
        add(*arguments)

    monkeypatch.setattr(storing, "_add", breaking)
    with pytest.raises(OSError, match="full"):
        imported(bob, b"".join(everything_of(alice)))
    assert not Conversation.objects.filter(owner=bob).exists()
    list(purge.steps())
    assert not Conversation.all_objects.filter(owner=bob).exists()
    assert not Generation.objects.filter(owner=bob).exists()


def test_the_example_of_the_documents_can_be_imported(bob: User) -> None:
    page = (ROOT / "docs" / "export_format.md").read_text()
    example = page.partition("```json\n")[2].partition("```")[0].encode()
    assert exported(bring(bob, example)) == example


def test_what_a_person_wrote_is_marked_and_may_follow_anything(alice: User, bob: User) -> None:
    chat = talk(alice)
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
