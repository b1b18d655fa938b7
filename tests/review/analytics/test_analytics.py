"""The figures match a count row by row, even after messages are deleted."""

import random
from datetime import UTC, datetime, timedelta
from statistics import quantiles

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.generations.models import Generation
from chat.quotas.models import Charge
from chat.review.analytics import rollup
from chat.review.analytics.histogram import FIRST_TOKEN, SPEED
from chat.review.analytics.models import DailyUsage, RolledUpDay
from chat.review.analytics.reports import Period, UsageReport
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import give, staff_context_of
from tests.support.review.analytics import MODELS, ask, total


def naive(period: Period, owners: set[int]) -> dict[str, float]:
    """Compute the same figures row by row."""
    found: dict[str, float] = dict.fromkeys(
        ("chats", "messages", "tokens", "microdollars", "good", "bad", "answers", "failed",
         "stopped", "interrupted"), 0,
    )  # fmt: skip
    who = set()
    for each in Generation.objects.select_related("message__conversation"):
        charge = Charge.objects.get(pk=each.pk)
        day = charge.created_at.astimezone(UTC).date()
        if not period.first <= day <= period.last or each.owner_id not in owners:
            continue
        who.add(each.owner_id)
        found["chats"] += 1
        found["messages"] += 1
        found["answers"] += 1
        found["tokens"] += charge.tokens
        found["microdollars"] += charge.microdollars
        if each.state != "complete":
            found[each.state] += 1
        for rating in each.message.ratings.all():
            found["good" if rating.value > 0 else "bad"] += 1
    return found | {"people": len(who)}


def test_figures_match_a_naive_count(
    asked: list[Generation], administrator: User, period: Period
) -> None:
    everybody = set(User.all_objects.values_list("pk", flat=True))
    for one in (period, period.before, Period(period.last, period.last)):
        found, counted = total(staff_context_of(administrator), one), naive(one, everybody)
        assert {name: found[name] for name in counted} == counted
    assert total(staff_context_of(administrator), period)["messages"] > 20


def test_a_lead_sees_figures_of_their_scope_only(
    asked: list[Generation], lead: User, rita: User, alice: User, pupils: Group, period: Period
) -> None:
    scoped = staff_context_of(give(rita, "lead_review", pupils))
    found, counted = total(scoped, period), naive(period, {alice.pk})
    assert {name: found[name] for name in counted} == counted
    assert total(staff_context_of(lead), period, pupils.pk).sums == found.sums


def test_parts_add_up_to_the_total(
    asked: list[Generation], administrator: User, period: Period, site: WidgetSite, alice: User
) -> None:
    look = staff_context_of(administrator)
    whole = total(look, period)
    measured = UsageReport(look.reviewer, period)
    for name in ("messages", "tokens", "microdollars", "failed"):
        assert sum(each[name] for _model, each in measured.by_model()) == whole[name]
        assert sum(each[name] for _site, each in measured.by_site()) == whole[name]
    assert {key for key, _each in measured.by_site()} == {"", site.key}
    assert {model for model, _each in measured.by_model()} == set(MODELS)
    assert sum(times for _code, times in measured.by_error()) == whole["failed"]
    people = dict(measured.by_user(10))
    assert alice.pk in people
    on_site = dict(measured.by_site())[site.key]
    assert sum(each["tokens"] for each in people.values()) == whole["tokens"] - on_site["tokens"]


def test_percentiles_are_accurate_to_a_tenth(
    asked: list[Generation], administrator: User, period: Period
) -> None:
    days = [each.started_at.astimezone(UTC).date() for each in asked]
    mine = [each for each, day in zip(asked, days, strict=True) if period.first <= day]
    found = total(staff_context_of(administrator), period)
    waits = quantiles([each.first_token_milliseconds / 1000 for each in mine], n=100)
    speeds = quantiles([each.completion_tokens * 1000 / each.milliseconds for each in mine], n=100)
    for share in (50, 90):
        assert found.first_token_seconds(share / 100) == pytest.approx(waits[share - 1], rel=0.25)
        assert found.tokens_per_second(share / 100) == pytest.approx(speeds[share - 1], rel=0.25)


def test_percentiles_of_many_values_are_accurate_to_a_tenth() -> None:
    choose = random.Random(3)
    for scale, values in (
        (FIRST_TOKEN, [choose.lognormvariate(6.5, 0.7) for _ in range(20_000)]),
        (SPEED, [choose.lognormvariate(3.7, 0.5) for _ in range(20_000)]),
    ):
        counts = [0] * scale.steps
        for value in values:
            counts[scale.step_of(value)] += 1
        exact = quantiles(values, n=100)
        for share in (50, 90, 99):
            assert scale.percentile(counts, share / 100) == pytest.approx(exact[share - 1], rel=0.1)
    assert FIRST_TOKEN.percentile([0] * FIRST_TOKEN.steps, 0.5) is None


def test_figures_of_a_closed_day_outlive_deleted_messages(
    asked: list[Generation], administrator: User, period: Period, alice: User
) -> None:
    look, days = (
        staff_context_of(administrator),
        Period(period.first, period.last - timedelta(days=1)),
    )
    before = total(look, days)
    Generation.objects.all().delete()
    Conversation.all_objects.all().delete()
    for day in days:
        rollup.count(day)
    after = total(look, days)
    assert (after.sums, after.people) == (before.sums, before.people)


def test_costs_of_the_current_day_outlive_deleted_messages(
    alice: User, administrator: User
) -> None:
    made = ask(alice, timezone.now(), random.Random(1))
    today = timezone.now().astimezone(UTC).date()
    look, day = staff_context_of(administrator), Period(today, today)
    Conversation.all_objects.all().delete()
    rollup.count(today)
    found = total(look, day)
    assert found["microdollars"] == Charge.objects.get(pk=made.pk).microdollars
    assert (found["messages"], found.people, found["answers"]) == (1, 1, 0)


def test_a_day_is_closed_an_hour_after_its_end(
    alice: User, noon: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(alice, noon, random.Random(1))
    midnight = datetime.combine(noon.date(), datetime.min.time(), UTC) + timedelta(days=1)
    monkeypatch.setattr(rollup.timezone, "now", lambda: midnight + timedelta(minutes=59))
    assert rollup.open_days() == []
    rollup.recount()
    assert not RolledUpDay.objects.filter(is_closed=True).exists()
    monkeypatch.setattr(rollup.timezone, "now", lambda: midnight + timedelta(minutes=61))
    assert rollup.open_days() == [noon.date()]
    rollup.close_days()
    assert rollup.open_days() == []
    assert RolledUpDay.objects.get(is_closed=True).day == noon.date()
    assert DailyUsage.objects.filter(day=noon.date(), messages=1).count() == 1
