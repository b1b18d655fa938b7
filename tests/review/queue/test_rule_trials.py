"""A rule is tried on past messages before it floods the queue."""

import time
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from chat.accounts.models import User
from chat.errors import Conflict
from chat.review.case_models import Case, Rule
from chat.review.cases import dry_run, rule_subjects
from chat.review.cases.rule_subjects import load_subjects
from chat.review.cases.rules import matches
from chat.review.models import AccessLogEntry
from chat.web.review.rules import views
from tests.review.conftest import add_answer, give, only_message, say, staff_context_of
from tests.support.review.member_pages import client_of

RULE = {
    "name": "Ice", "kind": "words", "text": "glacier", "threshold": "", "applies_to": "both",
    "severity": "2", "is_enabled": "on", "reason": "A report of ice",
}  # fmt: skip
NEW, TRIAL = "/review/rules/new/", "/review/rules/trial/"


def sent(client: Client, path: str, status: int = 200, **changed: Any) -> str:
    response = client.post(path, RULE | changed)
    assert response.status_code == status, response.content.decode()[-500:]
    return str(response.content.decode())


def test_a_dry_run_shows_and_records_the_matches_without_flags(
    alice: User, bob: User, lead_browser: Client
) -> None:
    hers = say(alice, "A " + "long " * 50 + "way to the glaci\u200ber", "Ice")
    say(bob, "Rivers", "Glacier!")
    shown = sent(lead_browser, TRIAL, name="")
    assert "Matches in 2 chats, of 4 messages checked." in shown
    assert "<mark>glacier</mark>" in shown
    assert f"/review/{hers.pk}/?at=" in shown
    assert AccessLogEntry.objects.filter(kind="found", owner__in=(alice.pk, bob.pk)).count() == 2
    assert not Case.objects.exists()
    assert not Rule.objects.exists()
    assert 'action="/review/rules/new/"' in shown  # saving goes on from here


def test_reading_the_matches_needs_a_reason_for_access(alice: User, lead: User) -> None:
    say(alice, "A glacier", "Ice")
    response = client_of(lead).post(TRIAL, RULE | {"reason": ""})
    assert response.status_code == 422
    assert "glacier</mark>" not in response.content.decode()
    assert not AccessLogEntry.objects.exists()


def test_a_dry_run_stays_within_the_scope(
    alice: User, bob: User, rita: User, pupils: Group
) -> None:
    for who in (alice, bob):
        say(who, "A glacier", "Ice")
    reviewer = staff_context_of(give(rita, "lead_review", pupils)).reviewer
    rule = Rule(name="Ice", kind="words", text="glacier")
    assert dry_run.dry_run(reviewer, rule).chats == 1


def test_costs_tools_and_deleted_messages_are_treated_as_when_flagging(
    alice: User, lead: User
) -> None:
    chat = say(alice, "Cold?", "Yes", cost_usd=0.5)
    add_answer(only_message(chat), "No", cost_usd=2)
    say(alice, "A glacier", "Ice").messages.update(deleted_at="2026-01-01T00:00Z")
    reviewer = staff_context_of(lead).reviewer
    for rule, count in (
        (Rule(kind="answer_cost", threshold=1), 1),
        (Rule(kind="chat_cost", threshold=2), 2),
        (Rule(kind="words", text="glacier"), 0),
        (Rule(kind="length", threshold=2), 2),
    ):
        assert dry_run.dry_run(reviewer, rule).matches == count, rule.kind


def test_a_dry_run_ends_in_time_and_says_so(
    alice: User, lead_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dry_run, "CHECKED_AT_ONCE", 2)
    for _number in range(3):
        say(alice, "A glacier", "Ice")
    result = dry_run.dry_run(staff_context_of(User.objects.get(name="Lena")).reviewer,
                             Rule(kind="words", text="glacier"), 0)  # fmt: skip
    assert (result.checked, result.chats, result.oldest is None) == (1, 0, False)
    monkeypatch.setattr(dry_run, "MAX_SECONDS", 0)


def test_long_messages_are_checked_in_time_and_few_at_once(
    alice: User, lead: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _number in range(4):
        say(alice, "Glacier " * 100)
    loaded: list[int] = []

    def load_slowly(*given: Any) -> Any:
        found = list(load_subjects(*given))
        loaded.append(len(found))
        return found

    def match_slowly(*given: Any) -> bool:
        time.sleep(0.1)
        return matches(*given)

    monkeypatch.setattr(dry_run, "load_subjects", load_slowly)
    monkeypatch.setattr(dry_run, "matches", match_slowly)
    monkeypatch.setattr(rule_subjects, "MAX_BYTES_AT_ONCE", 1600)
    reviewer, rule = staff_context_of(lead).reviewer, Rule(kind="words", text="glacier")
    assert dry_run.dry_run(reviewer, rule).matches == 4
    assert loaded == [2, 2]
    result = dry_run.dry_run(reviewer, rule, 0.05)  # not as long as a step
    assert (result.checked, result.matches) == (1, 1)
    assert result.oldest is not None


def test_only_one_dry_run_at_a_time(lead: User, lead_browser: Client) -> None:
    with dry_run._running:
        with pytest.raises(Conflict):
            dry_run.dry_run(staff_context_of(lead).reviewer, Rule(kind="words", text="x"))
        assert "Try again in a minute." in sent(lead_browser, TRIAL, 409)
        assert "Try again in a minute." in sent(lead_browser, NEW, 422)
    sent(lead_browser, NEW, 302)


def test_a_rule_that_matches_many_chats_is_asked_about(
    alice: User, lead_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MANY_CHATS", 2)
    for _number in range(2):
        say(alice, "A glacier", "Ice")
    shown = sent(lead_browser, NEW)
    assert "Matches in 2 chats, of 4 messages checked." in shown
    assert "Save anyway" in shown
    assert not Rule.objects.exists()
    sent(lead_browser, NEW, 302, sure="yes")
    rule = Rule.objects.get()
    path = f"/review/rules/{rule.pk}/"
    sent(lead_browser, path, 302, name="Cold ice", severity="3")  # it matches what it did before
    assert "Save anyway" in sent(lead_browser, path, text="glac*")
    listing = sent(lead_browser, f"{path}backfill/")
    assert "Run “Cold ice” on past messages?" in listing
    rule.refresh_from_db()
    assert rule.backfill_before is None
    sent(lead_browser, f"{path}backfill/", 302, sure="yes")
    rule.refresh_from_db()
    assert rule.backfill_before is not None
    assert 'name="stop"' in lead_browser.get("/review/rules/").content.decode()
    sent(lead_browser, f"{path}backfill/", 302, stop="1")
    rule.refresh_from_db()
    assert rule.backfill_before is None


@pytest.mark.parametrize("number", ["x", "9" * 30, "99999"])
def test_a_rule_that_is_not_there_is_not_found(lead_browser: Client, number: str) -> None:
    sent(lead_browser, TRIAL, 404, rule=number)
