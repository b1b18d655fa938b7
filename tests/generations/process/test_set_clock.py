"""For an hour after the clock was set, nothing is removed or ended because of its age."""

from datetime import timedelta
from decimal import Decimal

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from chat.accounts import suspension
from chat.accounts.models import User
from chat.conversations.models import Message
from chat.database.housekeeping import name_of
from chat.generations.process import server_process
from chat.lib import steady_clock
from chat.outbox.models import Delivery
from chat.quotas.models import Limit
from chat.quotas.units import Measure
from chat.review.cases import holds
from chat.widget_sites import visitors
from chat.widget_sites.models import Visitor
from tests.review.conftest import say
from tests.support.set_clock import HOUR, SetClock
from tests.support.widget.visitor_client import make_site

YEAR = timedelta(days=365)
#: They only tell somebody, or store what happened: none of them removes or ends anything.
AT_ANY_TIME = {
    "notices.find_waiting",
    "devices.store_seen",
    "last_used.store",
    "escalation.escalate_due",
    "spending.check_spending",
    "failures.check_failures",
    "shipping.tell_of_failure",
}
#: They do what waits for them, whenever that began.
BACKGROUND_JOBS = {
    "config_version.refresh",
    "questions.refresh",
    "long_messages.index_next",
    "deleted_words.merge_next",
    "rule_runner.check_new",
    "rule_runner.run_backfill",
    "message_facts.note_past",
    "withdrawal.run_withdrawal",
    "grouping.group_next",
    "visitor_emails.find_unread",
}
NETWORK_JOBS = {"deliver.deliver_due", "shipping.ship_due", "running.check_running"}

pytestmark = pytest.mark.usefixtures("stop_server_process")


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """The system's clock, set to next year."""
    clock = SetClock()
    clock.offset += 365 * 24 * HOUR
    monkeypatch.setattr(steady_clock, "system_clock", clock.steady)
    return clock


def make_old(alice: User, bob: User) -> None:
    """Store what is new, as a clock that is a year ahead sees it."""
    year_ago = timezone.now() - YEAR
    held = say(alice, "Evidence", "An answer")
    holds.hold(held.pk)
    question = held.messages.get(role="user")
    Message.objects.filter(conversation=held).update(deleted_at=year_ago, deleted_with=question.pk)
    Limit.objects.create(
        user=bob,
        measure=Measure.DOLLARS,
        amount=Decimal(1),
        by_review=True,
        expires_at=year_ago,
    )
    suspension.suspend(bob, year_ago)
    Delivery.objects.create(kind="site_mail", due_at=None, created_at=year_ago)
    visitors.make(make_site(alice))
    Visitor.objects.update(last_seen_at=year_ago)


def left() -> list[int]:
    return [
        Message.objects.count(),
        Limit.objects.filter(by_review=True).count(),
        User.all_objects.filter(is_active=False).count(),
        Delivery.objects.filter(kind="site_mail").count(),
        Visitor.objects.count(),
    ]


async def test_what_only_seems_old_is_kept_until_the_clock_is_steady(
    alice: User, bob: User, set_clock: SetClock
) -> None:
    await sync_to_async(make_old)(alice, bob)
    process = server_process.ServerProcess()
    await process._clean_up()
    assert await sync_to_async(left)() == [2, 1, 1, 1, 1]
    set_clock.elapsed += HOUR
    await process._clean_up()
    assert await sync_to_async(left)() == [0, 0, 0, 0, 0]


async def test_what_ends_nothing_goes_on(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, set_clock: SetClock
) -> None:
    done: list[str] = []
    monkeypatch.setattr(server_process, "tasks_at_any_time", [lambda: done.append("told")])
    monkeypatch.setattr(server_process, "periodic_tasks", [lambda: done.append("ended")])
    process = server_process.ServerProcess()
    await process._clean_up()
    assert done == ["told"]
    set_clock.elapsed += HOUR
    await process._clean_up()
    assert done == ["told", "told", "ended"]


@pytest.mark.parametrize(
    ("jobs", "names"),
    [
        ("tasks_at_any_time", AT_ANY_TIME),
        ("background_jobs", BACKGROUND_JOBS),
        ("network_jobs", NETWORK_JOBS),
    ],
)
def test_every_job_that_runs_even_then_is_known_to_end_nothing(jobs: str, names: set[str]) -> None:
    """One that removes or ends something because of a time belongs to `periodic_tasks`."""
    assert {name_of(each) for each in getattr(server_process, jobs)} == names
