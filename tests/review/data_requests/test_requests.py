"""Requests of people are recorded with a deadline, answered or declined, and never lost."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from chat.accounts.models import User
from chat.data_requests.models import DataRequest
from chat.generations.deletion.soft_delete import delete_account
from chat.review.access_log.staff_actions import StaffAction
from chat.review.models import AccessLogEntry
from chat.web.review.data_requests import views
from tests.support.review.data_requests import TODAY, archive_of, page_of
from tests.support.review.member_pages import WHY

LIST = "/review/data-requests/"
LATER = TODAY | {"later": "yes"}


def test_a_request_is_due_after_thirty_days(officer_client: Client, alice: User) -> None:
    response = officer_client.post(f"{page_of(alice.pk)}erasure/", LATER)
    assert response.status_code == 302
    request = DataRequest.objects.get()
    assert (request.kind, request.state) == ("erasure", "open")
    assert request.due_on - request.received_on == timedelta(days=30)
    assert User.objects.get(pk=alice.pk).closed_at is None
    page = officer_client.get(LIST).content.decode()
    assert "overdue" in page
    assert page_of(alice.pk) in page


def test_answering_ends_the_request_that_was_recorded(officer_client: Client, alice: User) -> None:
    officer_client.post(f"{page_of(alice.pk)}record.zip", LATER)
    archive_of(officer_client, alice.pk, received_on="2026-02-01")
    request = DataRequest.objects.get()
    assert request.state == "done"
    assert str(request.received_on) == "2026-01-05"


def test_a_second_request_of_a_kind_waits_for_the_first(
    officer_client: Client, alice: User
) -> None:
    officer_client.post(f"{page_of(alice.pk)}erasure/", LATER)
    again = officer_client.post(f"{page_of(alice.pk)}erasure/", LATER)
    assert again.status_code == 422
    assert "already has an open request of this kind" in again.content.decode()
    assert WHY in again.content.decode()
    assert officer_client.post(f"{page_of(alice.pk)}record.zip", LATER).status_code == 302


def test_declining_needs_a_reason_that_is_kept(officer_client: Client, alice: User) -> None:
    officer_client.post(f"{page_of(alice.pk)}erasure/", LATER)
    request = DataRequest.objects.get()
    path = f"{page_of(alice.pk)}{request.pk}/refusal/"
    assert officer_client.post(path, {"reason": "no"}).status_code == 422
    officer_client.post(path, {"reason": "Somebody else had asked"})
    request.refresh_from_db()
    assert (request.state, request.reason) == ("declined", "Somebody else had asked")
    assert StaffAction.objects.filter(kind="data_declined", person=alice.pk).count() == 1
    assert officer_client.post(path, {"reason": "Once more please now"}).status_code == 404


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"received_on": "2999-01-01"}, "This day is in the future."),
        ({"received_on": "yesterday"}, "Enter a valid date."),
        ({"reason": "ok"}, "Enter a reason of at least three words."),
    ],
)
def test_what_was_typed_stays_with_what_is_wrong(
    officer_client: Client, alice: User, fields: dict[str, str], words: str
) -> None:
    response = officer_client.post(f"{page_of(alice.pk)}erasure/", TODAY | fields)
    assert response.status_code == 422
    page = response.content.decode()
    assert words in page
    assert (TODAY | fields)["reason"] in page
    assert not DataRequest.objects.exists()


def test_people_are_found_by_parts_of_their_address(
    officer_client: Client, alice: User, bob: User
) -> None:
    page = officer_client.get(LIST, {"q": alice.email[:4]}).content.decode()
    assert page_of(alice.pk) in page
    assert page_of(bob.pk) not in page
    assert "Nobody was found." in officer_client.get(LIST, {"q": "zzz"}).content.decode()


@pytest.mark.parametrize("mode", ["pseudonymous", "off"])
def test_who_answers_requests_knows_names_in_each_privacy_mode(
    officer_client: Client, alice: User, settings: object, mode: str
) -> None:
    settings.REVIEW_PRIVACY = mode  # type: ignore[attr-defined]
    assert alice.email in officer_client.get(page_of(alice.pk)).content.decode()
    assert archive_of(officer_client, alice.pk).namelist()


def test_opening_the_page_of_a_person_is_recorded(
    officer_client: Client, officer: User, alice: User
) -> None:
    officer_client.get(page_of(alice.pk))
    entry = AccessLogEntry.objects.get()
    assert (entry.reader, entry.owner, entry.kind) == (officer.pk, alice.pk, "viewed")


def test_people_are_found_by_the_number_of_their_account(
    officer_client: Client, alice: User
) -> None:
    assert page_of(alice.pk) in officer_client.get(LIST, {"q": str(alice.pk)}).content.decode()


def test_copies_are_limited_because_each_fills_the_log(
    officer_client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "RECORDS_PER_MINUTE", 1)
    archive_of(officer_client, alice.pk)
    before = AccessLogEntry.objects.count()
    assert officer_client.post(f"{page_of(alice.pk)}record.zip", TODAY).status_code == 429
    assert AccessLogEntry.objects.count() == before


def test_people_who_never_were_there_answer_404(officer_client: Client) -> None:
    for number in (987654, 10**30):
        assert officer_client.get(page_of(number)).status_code == 404
        assert officer_client.post(f"{page_of(number)}erasure/", TODAY).status_code == 404


def test_requests_stay_after_the_account_is_gone(officer_client: Client, alice: User) -> None:
    officer_client.post(f"{page_of(alice.pk)}record.zip", LATER)
    User.all_objects.filter(pk=alice.pk).delete()
    page = officer_client.get(page_of(alice.pk)).content.decode()
    assert "Deleted user" in page
    assert DataRequest.objects.get().created_at <= timezone.now()


@pytest.mark.parametrize("whose", ["officer", "administrator"])
def test_nobody_declines_requests_of_their_own_or_of_higher_staff(
    officer_client: Client, whose: str, request: pytest.FixtureRequest
) -> None:
    person: User = request.getfixturevalue(whose)
    kept = DataRequest.objects.create(
        person=person.pk, kind="copy", received_on="2026-01-05", due_on="2026-02-04"
    )
    page = page_of(person.pk)
    assert "Decline" not in officer_client.get(page).content.decode()
    answer = officer_client.post(f"{page}{kept.pk}/refusal/", {"reason": WHY})
    assert answer.status_code == 403
    kept.refresh_from_db()
    assert kept.state == "open"


def test_the_request_of_a_closed_account_can_be_declined(
    officer_client: Client, alice: User
) -> None:
    officer_client.post(f"{page_of(alice.pk)}record.zip", LATER)
    delete_account(alice)
    request = DataRequest.objects.get()
    officer_client.post(f"{page_of(alice.pk)}{request.pk}/refusal/", {"reason": WHY})
    request.refresh_from_db()
    assert request.state == "declined"
