"""Rules check new messages once they are stored, and past ones on request."""

import logging
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.db import transaction
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.generations.models import Generation
from chat.generations.process import server_process
from chat.review.case_models import Case, Flag, PendingRuleCheck, Rule, Severity
from chat.review.cases import flags, rule_runner, rule_subjects, rules, workflow
from chat.web.review.rules.forms import RuleForm
from chat.widget_sites import visitors
from tests.review.conftest import add_answer, only_message, say, staff_context_of
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.review.cases import check_new
from tests.support.wait_for import until
from tests.support.widget.visitor_client import make_site


def make(kind: str = "words", text: str = "glacier", **more: Any) -> Rule:
    return Rule.objects.create(name="Ice", kind=kind, text=text, **more)


def past() -> None:
    while rule_runner.run_backfill():
        pass


def flagged() -> list[str]:
    ids = Flag.objects.values_list("message", flat=True)
    return sorted(Message.objects.filter(pk__in=ids).values_list("text", flat=True))


async def test_an_answer_is_checked_once_it_is_stored(
    alice_client: AsyncClient, alice: User
) -> None:
    await sync_to_async(make)("pattern", r"\w{3}", applies_to="answers", severity=3)
    response = await send(alice_client, text="Where do rivers begin?")
    await read_stream(response)
    assert await PendingRuleCheck.objects.acount() == 2  # the question, too
    await sync_to_async(check_new)()
    flag = await Flag.objects.select_related("case", "rule").aget()
    assert flag.message == int(response["X-Message-Id"])
    assert (flag.source, flag.severity, flag.comment) == (Flag.Source.RULE, Severity.HIGH, "Ice")
    assert flag.case.severity == Severity.HIGH
    assert flag.rule
    assert (flag.rule.matches, flag.rule.matched_at is None) == (1, False)
    assert await PendingRuleCheck.objects.acount() == 0


async def test_a_server_process_checks_by_itself(
    alice_client: AsyncClient, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_process, "BACKGROUND_JOBS_SECONDS", 0.05)
    await sync_to_async(make)("pattern", r"\w{3}", applies_to="answers")
    await read_stream(await send(alice_client, text="Where do rivers begin?"))
    await until(Flag.objects.aexists)
    assert await Flag.objects.acount() == 1


def test_a_rule_that_is_off_flags_nothing(alice: User) -> None:
    make(is_enabled=False)
    say(alice, "A glacier", "Ice")
    assert PendingRuleCheck.objects.count() == 2
    check_new()
    assert not PendingRuleCheck.objects.exists()
    assert flagged() == []


def test_a_running_answer_is_checked_when_it_has_ended(alice: User) -> None:
    make(applies_to="answers")
    chat = say(alice, "Cold?", "", state="running")
    answer = chat.messages.get(role="assistant")
    check_new()
    Message.objects.filter(pk=answer.pk).update(text="A glacier")
    Generation.objects.update(state="stopped")
    check_new()
    assert flagged() == ["A glacier"]


@pytest.mark.parametrize(
    ("where", "found"),
    [("questions", ["glacier?"]), ("answers", ["glacier!"]), ("both", ["glacier!", "glacier?"])],
)
def test_a_rule_applies_to_questions_answers_or_both(
    alice: User, where: str, found: list[str]
) -> None:
    make(applies_to=where)
    say(alice, "glacier?", "glacier!")
    check_new()
    assert flagged() == found


def test_length_and_cost_above_the_threshold_are_flagged(alice: User) -> None:
    make("length", "", threshold=10)
    make("answer_cost", "", threshold=0.5)
    make("chat_cost", "", threshold=1)
    chat = say(alice, "Short", "Short, too", cost_usd=0.5)
    check_new()
    assert flagged() == []
    add_answer(only_message(chat), "Much longer", cost_usd=0.25)
    add_answer(only_message(chat), "Dear", cost_usd=0.75)
    check_new()
    assert flagged() == ["Dear", "Much longer"]
    assert Flag.objects.get(message=None).case.conversation_id == chat.pk
    add_answer(only_message(chat), "More", cost_usd=0.1)
    check_new()
    assert Flag.objects.filter(message=None).count() == 1  # it has been said


def test_processes_that_check_a_chat_at_once_flag_its_cost_once(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    make("chat_cost", "", threshold=1)
    say(alice, "Hello", "Hi", cost_usd=2)

    def after_another_process() -> Any:
        monkeypatch.setattr(flags, "transaction", transaction)
        rule_runner.check_new()
        return transaction.atomic()

    monkeypatch.setattr(flags, "transaction", SimpleNamespace(atomic=after_another_process))
    check_new()
    assert (Flag.objects.count(), Rule.objects.get().matches) == (1, 1)


def test_a_rule_flags_a_message_once(alice: User, lead: User) -> None:
    rule = make()
    say(alice, "A glacier")
    check_new()
    workflow.resolve(staff_context_of(lead), Case.objects.get().pk, "dismissed")
    rules.start_backfill(rule)
    past()
    assert Flag.objects.count() == 1


def test_past_messages_are_checked_in_steps(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_runner, "BACKFILL_AT_ONCE", 2)
    for number in range(5):
        say(alice, f"glacier {number}", "Ice")
    say(alice, "A river")
    rule = make()
    past()
    assert flagged() == []  # only where somebody asks for it
    rules.start_backfill(rule)
    assert rule_runner.run_backfill()
    assert len(flagged()) < 5
    past()
    assert len(flagged()) == 5
    assert Rule.objects.get().backfill_before is None
    assert Rule.objects.get().matches == 5


def test_of_long_past_messages_few_are_checked_at_once(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule_subjects, "MAX_BYTES_AT_ONCE", 2000)
    for _number in range(4):
        say(alice, "glacier " * 100)
    rules.start_backfill(make())
    assert rule_runner.run_backfill()
    assert Flag.objects.count() == 2
    past()
    assert Flag.objects.count() == 4


def test_a_rule_applies_to_its_groups_members(alice: User, bob: User, pupils: Group) -> None:
    make(members=pupils)
    say(alice, "glacier, hers")
    say(bob, "glacier, his")
    check_new()
    assert flagged() == ["glacier, hers"]


def test_a_rule_can_apply_to_a_websites_visitors(alice: User) -> None:
    site = make_site(alice)
    make(site=site)
    say(alice, "glacier, hers")
    say(visitors.make(site).user, "glacier, of a visitor")
    check_new()
    assert flagged() == ["glacier, of a visitor"]


def test_deleted_messages_are_not_checked(alice: User) -> None:
    make()
    chat = say(alice, "A glacier")
    chat.messages.update(deleted_at="2026-01-01T00:00Z")
    check_new()
    assert not Case.objects.exists()
    assert not PendingRuleCheck.objects.exists()


def test_a_failing_rule_is_logged_without_text_and_others_continue(
    alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    broken = make("pattern", "(sentinel")  # nobody could have stored it by the form
    make()
    say(alice, "A glacier with zephyrquartz")
    with caplog.at_level(logging.WARNING):
        check_new()
    assert f"rule {broken.pk} failed" in caplog.text
    assert "zephyrquartz" not in caplog.text
    assert "sentinel" not in caplog.text
    assert flagged() == ["A glacier with zephyrquartz"]
    assert not PendingRuleCheck.objects.exists()


def test_with_review_turned_off_no_rule_is_applied(alice: User, settings: Any) -> None:
    make()
    say(alice, "A glacier")
    settings.REVIEW_PRIVACY = "off"
    check_new()
    assert not Case.objects.exists()


async def test_an_answer_that_calls_a_tool_is_flagged(
    alice_client: AsyncClient, alice: User
) -> None:
    await sync_to_async(make)("tool", "web_search\ncalculator", applies_to="both")
    options = {"site_tools": ["calculator"], "model": "@cf/openai/gpt-oss-20b"}
    await read_stream(await send(alice_client, text="Hello", **options))
    await sync_to_async(check_new)()
    assert not await Flag.objects.aexists()
    response = await send(alice_client, text="What is 12 * 12?", **options)
    await read_stream(response)
    await sync_to_async(check_new)()
    assert (await Flag.objects.aget()).message == int(response["X-Message-Id"])


def test_a_changed_rule_is_saved_with_each_field_of_its_form() -> None:
    fields = {field.name for field in Rule._meta.get_fields()}
    assert fields & RuleForm.base_fields.keys() <= set(rules.FILLED_IN)


def test_a_changed_rule_keeps_flagged_chats_no_longer(lead: User) -> None:
    rule = make()
    rule.holds_chats = False
    rules.save_rule(staff_context_of(lead), rule)
    rule.refresh_from_db()
    assert not rule.holds_chats
