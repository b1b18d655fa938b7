"""The administrators' announcement is shown in its time, until a member dismisses it."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from chat.accounts.models import User
from chat.site_settings import effective, stored_settings
from chat.site_settings.models import SiteSetting
from tests.support.web.signed_in import signed_in

TEXT = "Maintenance <i>today</i>: https://status.example.org"


def announce(text: str = TEXT, **values: Any) -> None:
    stored = {"text": text, "level": "warning", "starts_at": None, "ends_at": None, **values}
    SiteSetting.objects.update_or_create(pk="ANNOUNCEMENT", defaults={"value": stored})
    stored_settings.refresh()


def is_shown(client: Client) -> bool:
    return b'class="announcement"' in client.get("/chat/").content


def test_it_is_text_with_links(alice: User) -> None:
    announce()
    page = signed_in(alice).get("/chat/").content.decode()
    assert 'data-level="warning"' in page
    assert "Maintenance &lt;i&gt;today&lt;/i&gt;: " in page
    assert 'href="https://status.example.org"' in page


@pytest.mark.parametrize(
    ("starts_in_hours", "ends_in_hours", "shown"), [(-1, 1, True), (1, 2, False), (-2, -1, False)]
)
def test_it_is_shown_in_its_time(
    alice: User, starts_in_hours: int, ends_in_hours: int, shown: bool
) -> None:
    now = timezone.now()
    announce(
        starts_at=(now + timedelta(hours=starts_in_hours)).isoformat(),
        ends_at=(now + timedelta(hours=ends_in_hours)).isoformat(),
    )
    assert is_shown(signed_in(alice)) is shown


def test_each_member_dismisses_it_for_themselves(alice: User, bob: User) -> None:
    announce()
    client, found = signed_in(alice), effective.announcement()
    assert found
    sent = client.post("/chat/announcement/", {"id": found.id, "next": "/chat/temporary/"})
    assert sent["Location"] == "/chat/temporary/"
    assert not is_shown(client)
    assert is_shown(signed_in(bob))


def test_a_new_one_is_shown_to_those_who_dismissed_the_old_one(alice: User) -> None:
    announce()
    client, old = signed_in(alice), effective.announcement()
    assert old
    announce("Another one")
    client.post("/chat/announcement/", {"id": old.id})  # from a page that is still open
    assert is_shown(client)


def test_dismissing_it_changes_no_other_preference_and_settings_keep_it(alice: User) -> None:
    announce()
    client, found = signed_in(alice), effective.announcement()
    assert found
    client.post("/settings/", {"theme": "dark"})
    client.post("/chat/announcement/", {"id": found.id})
    client.post("/settings/", {"text_size": "large"})
    alice.refresh_from_db()
    assert alice.preferences["theme"] == "dark"
    assert not is_shown(client)


def test_after_dismissal_nobody_is_sent_to_another_site(alice: User) -> None:
    sent = signed_in(alice).post("/chat/announcement/", {"next": "https://evil.example/"})
    assert sent["Location"] == "/chat/"


def test_it_costs_no_query(alice: User, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    client = signed_in(alice)
    announce(ends_at="2020-01-01T00:00:00+00:00")
    client.get("/chat/")  # what a process reads once
    with CaptureQueriesContext(connection) as without:
        client.get("/chat/")
    queries = len(without)  # the next request empties the log
    announce()
    client.get("/chat/")
    with django_assert_num_queries(queries):
        client.get("/chat/")
