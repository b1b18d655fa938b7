"""The filter by staff member names staff, and former staff whom entries name, and nobody else."""

from typing import Any

import pytest
from django.contrib.auth.models import Group

from chat.accounts.models import User
from chat.review.access_log.staff_actions import StaffAction
from chat.review.models import AccessLogEntry
from tests.review.conftest import give
from tests.support.review.member_pages import client_of

LOGS = ("/review/audit/", "/review/audit/actions/")


@pytest.fixture
def former(transactional_db: None) -> User:
    """Return somebody who has read and warned alice, and is no staff any more."""
    return User.objects.create_user("fay@example.org", "tide table", name="Fay Formerly")


@pytest.mark.parametrize("mode", ["normal", "pseudonymous"])
@pytest.mark.parametrize("path", LOGS)
@pytest.mark.usefixtures("stop_server_process")
def test_a_number_in_the_address_names_no_member(
    path: str, mode: str, lead: User, alice: User, bob: User, settings: Any
) -> None:
    settings.REVIEW_PRIVACY = mode
    client = client_of(lead)
    missing = client.get(path, {"who": 999_999})
    for member in (alice, bob):
        answer = client.get(path, {"who": member.pk})
        assert answer.status_code == missing.status_code == 422
        assert member.name not in answer.content.decode()


@pytest.mark.parametrize("path", LOGS)
@pytest.mark.usefixtures("stop_server_process")
def test_former_staff_are_named_to_those_who_see_their_entries(
    path: str, rita: User, pupils: Group, bob: User, alice: User, former: User
) -> None:
    choir = Group.objects.create(name="Choir")
    bob.groups.add(choir)
    AccessLogEntry.objects.create(reader=former.pk, owner=alice.pk, kind="read")
    StaffAction.objects.create(actor=former.pk, person=alice.pk, kind="warned")
    inside, outside = give(rita, "lead_review", pupils), give(bob, "lead_review", choir)
    assert former.name in client_of(inside).get(path, {"who": former.pk}).content.decode()
    assert former.name not in client_of(outside).get(path, {"who": former.pk}).content.decode()
