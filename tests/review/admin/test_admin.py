"""The admin assigns scopes, and shows the log read-only."""

import pytest
from django.test import Client
from django.urls import reverse

from chat.accounts.models import User
from chat.review import access
from chat.review.models import AccessLogEntry, ReviewScope
from chat.review.staff import roles
from tests.review.conftest import give, say, staff_context_of
from tests.support.review.member_pages import client_of


@pytest.fixture
def superuser(transactional_db: None) -> Client:
    user = User.objects.create_superuser("superuser@example.org", "tide table")
    return client_of(user)


@pytest.fixture
def row(lead: User, alice: User) -> AccessLogEntry:
    access.read_branch(staff_context_of(lead), say(alice, "Rivers").pk)
    return AccessLogEntry.objects.get()


def test_a_scope_is_assigned_in_the_admin(superuser: Client, rita: User, alice: User) -> None:
    give(rita, "review")
    response = superuser.post(reverse("admin:chat_reviewscope_add"), {"reviewer": rita.pk})
    assert response.status_code == 302
    assert alice in roles.require_reviewer(User.objects.get(pk=rita.pk)).people


def test_a_scope_without_a_reviewer_is_refused_with_the_reason(superuser: Client) -> None:
    response = superuser.post(reverse("admin:chat_reviewscope_add"), {})
    assert "Choose a staff member or a staff group." in response.content.decode()
    assert not ReviewScope.objects.exists()


def test_the_log_is_read_only(superuser: Client, row: AccessLogEntry) -> None:
    listed = superuser.get(reverse("admin:chat_accesslogentry_changelist"))
    assert "A report of today" in listed.content.decode()
    assert (
        superuser.get(reverse("admin:chat_accesslogentry_change", args=[row.pk])).status_code == 200
    )
    for name, arguments in (("add", []), ("delete", [row.pk]), ("change", [row.pk])):
        address = reverse(f"admin:chat_accesslogentry_{name}", args=arguments)
        assert superuser.post(address, {"reason": "x", "post": "yes"}).status_code == 403
    sent = {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
    superuser.post(reverse("admin:chat_accesslogentry_changelist"), sent)
    assert AccessLogEntry.objects.get().reason == "A report of today"
