"""Deciding a case leads to the next one of the list, and can be undone."""

from typing import Any

from django.test import Client

from chat.accounts.models import User
from chat.review.case_models import Case
from chat.review.cases import rule_runner, workflow
from tests.review.conftest import say, staff_context_of
from tests.support.review.cases import make_case
from tests.support.review.member_pages import text_of


def decide(client: Client, case: Case, **more: Any) -> Any:
    sent = {"resolve-reason": "It is a joke", "outcome": "dismissed", **more}
    return client.post(f"/review/cases/{case.pk}/resolution/", sent, follow=True)


def test_the_next_case_of_the_same_list_is_claimed_and_shown(
    alice: User, lead: User, lead_browser: Client
) -> None:
    mild, severe, other = (make_case(alice, each) for each in ("wrong", "harmful", "harmful"))
    lead_browser.get("/review/queue/?severity=3")
    page = text_of(lead_browser, f"/review/{severe.chat_id}/")
    assert "Then open the next case" in page
    shown = decide(lead_browser, severe, next="yes")
    assert shown.request["PATH_INFO"] == f"/review/{other.chat_id}/"
    text = shown.content.decode()
    assert "Case resolved. This is the next one." in text
    assert "Undo</button>" in text
    other.refresh_from_db()
    assert other.assignee_id == lead.pk
    shown = decide(lead_browser, other, next="yes")
    assert shown.request["PATH_INFO"] == "/review/queue/"
    assert shown.request["QUERY_STRING"] == "severity=3"
    assert "There are no more cases in this list." in shown.content.decode()
    mild.refresh_from_db()
    assert mild.state == Case.State.OPEN


def test_a_case_that_one_already_has_comes_first(
    alice: User, lead: User, lead_browser: Client
) -> None:
    first, _second, mine = (make_case(alice) for _number in range(3))
    workflow.claim(staff_context_of(lead), mine.pk)
    lead_browser.get("/review/queue/")
    assert (
        decide(lead_browser, first, next="yes").request["PATH_INFO"] == f"/review/{mine.chat_id}/"
    )


def test_a_single_decision_can_be_undone_for_whoever_had_the_case(
    alice: User, lead: User, administrator: User, lead_browser: Client
) -> None:
    case = make_case(alice)
    workflow.claim(staff_context_of(administrator), case.pk)
    text = decide(lead_browser, case).content.decode()
    assert f'name="case" value="{case.pk}"' in text
    lead_browser.post("/review/queue/selection/", {"case": case.pk, "action": "reopen"})
    case.refresh_from_db()
    assert (case.state, case.assignee_id) == (Case.State.IN_WORK, administrator.pk)


def test_outside_the_queue_the_case_stays_in_view(alice: User, lead_browser: Client) -> None:
    case = make_case(alice)
    lead_browser.get("/review/")
    assert "Then open the next case" not in text_of(lead_browser, f"/review/{case.chat_id}/")
    assert decide(lead_browser, case).request["PATH_INFO"] == f"/review/{case.chat_id}/"


def test_first_views_lead_to_what_they_name(alice: User, lead: User, lead_browser: Client) -> None:
    personal, severe = make_case(alice, "personal"), make_case(alice, "harmful")
    taken = make_case(alice, "harmful")
    workflow.claim(staff_context_of(lead), taken.pk)
    page = text_of(lead_browser, "/review/")
    for name in ("Yesterday’s bad answers", "High severity, unassigned", "Phone numbers"):
        assert name in page
    listed = text_of(lead_browser, "/review/queue/?state=open&severity=3")
    for case, is_there in ((personal, True), (severe, True), (taken, False)):
        assert (f"/review/{case.chat_id}/" in listed) is is_there
    listed = text_of(lead_browser, "/review/queue/?reason=personal")
    assert str(personal.chat_id) in listed
    assert str(severe.chat_id) not in listed
    phone = say(alice, "Call +49 (30) 1234-5678", "I will")
    account = say(alice, "To whom?", "IBAN DE89 3704 0044 0532 0130 00")
    while rule_runner.check_new():
        pass
    for kind, shown in (("any", [phone, account]), ("phone", [phone]), ("iban", [account])):
        assert kind == "iban" or f"/review/?personal={kind}" in page
        listed = text_of(lead_browser, f"/review/?personal={kind}")
        for chat in (phone, account):
            assert (f"/review/{chat.pk}/" in listed) is (chat in shown)
