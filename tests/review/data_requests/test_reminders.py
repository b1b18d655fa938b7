"""Staff who answer requests for personal data are told before one is due, and when it is late."""

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.data_requests import reminders
from chat.data_requests.models import DataRequest
from chat.review.staff_notices import notice_delivery
from chat.review.staff_notices.models import StaffNotice
from tests.support.outbox import deliver

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")
PAGE = "/review/notifications/"


def request_due(person: User, in_days: int, **facts: object) -> DataRequest:
    due_on = timezone.localdate() + timedelta(days=in_days)
    received_on = due_on - timedelta(days=30)
    about = {"person": person.pk, "kind": "copy", "received_on": received_on, "due_on": due_on}
    return DataRequest.objects.create(**about | facts)


@pytest.mark.parametrize(
    ("in_days", "kinds"),
    [(8, []), (7, ["due"]), (0, ["due"]), (-1, ["overdue"]), (-40, ["overdue"])],
)
def test_they_are_told_once(in_days: int, kinds: list[str], alice: User, officer: User) -> None:
    request_due(alice, in_days)
    for _minute in range(3):
        reminders.remind_due()
    assert list(StaffNotice.objects.filter(person=officer).values_list("kind", flat=True)) == kinds


def test_they_are_told_again_when_it_is_overdue(alice: User, officer: User) -> None:
    request = request_due(alice, 2)
    assert reminders.remind_due() == 1
    late = timezone.localdate() - timedelta(days=1)
    DataRequest.objects.filter(pk=request.pk).update(due_on=late)
    assert reminders.remind_due() == 1
    kinds = StaffNotice.objects.filter(person=officer).order_by("pk")
    assert list(kinds.values_list("kind", flat=True)) == ["due", "overdue"]


def test_of_several_processes_one_tells(alice: User, officer: User) -> None:
    request = request_due(alice, 2)
    assert reminders._tell(request, StaffNotice.Kind.DUE)
    assert not reminders._tell(request, StaffNotice.Kind.DUE)


@pytest.mark.parametrize("state", ["erasing", "done", "declined"])
def test_only_requests_that_wait_are_due(state: str, alice: User, officer: User) -> None:
    request_due(alice, -1, state=state)
    assert reminders.remind_due() == 0


def test_the_reminder_can_be_turned_off(alice: User, officer: User, settings: Settings) -> None:
    settings.DATA_REQUEST_REMINDER_DAYS = 0
    request_due(alice, 0)
    assert reminders.remind_due() == 0


def test_only_those_with_the_right_are_told(
    alice: User, officer: User, administrator: User, lead: User
) -> None:
    request_due(alice, 2)
    reminders.remind_due()
    told = set(StaffNotice.objects.values_list("person", flat=True))
    assert told == {officer.pk, administrator.pk}


async def test_the_mail_names_nobody(alice: User, officer: User) -> None:
    request = await sync_to_async(request_due)(alice, 2)
    await sync_to_async(reminders.remind_due)()
    await deliver()
    (sent,) = mail.outbox
    assert sent.to == [officer.email]
    assert "A request for personal data is due on" in sent.subject
    assert str(request.due_on.year) in sent.subject
    assert "/review/data-requests/" in str(sent.body)
    assert alice.email not in str(sent.body)
    assert alice.name not in str(sent.body)


async def test_who_lost_the_right_gets_no_mail(alice: User, officer: User) -> None:
    await sync_to_async(request_due)(alice, 2)
    await sync_to_async(reminders.remind_due)()
    await sync_to_async(officer.user_permissions.clear)()
    await deliver(notice_delivery.MAIL)
    assert mail.outbox == []


def test_their_page_has_their_notices_also_without_review(
    alice: User, officer: User, officer_client: Client, settings: Settings
) -> None:
    settings.REVIEW_PRIVACY = "off"
    request_due(alice, 2)
    reminders.remind_due()
    page = officer_client.get(PAGE).content.decode()
    assert "A request for personal data is due on" in page
    assert 'href="/review/data-requests/"' in page.partition("</nav>")[2]
    assert "by_mail" in page
    assert "is_on_duty" not in page
    assert "costs_by_mail" not in page
    assert "someone assigns a case" not in page
    assert officer_client.post(PAGE, {"webhook_url": ""}).status_code == 302
