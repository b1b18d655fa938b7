"""The dashboard's numbers are those that one counts row by row, also after what was said is gone."""

import csv
import io
import json
import random
from datetime import UTC, datetime, timedelta
from statistics import quantiles
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation, Rating
from chat.generations.models import Generation
from chat.quotas.models import Charge
from chat.review.analytics import rollup
from chat.review.analytics.histogram import FIRST_TOKEN, SPEED
from chat.review.analytics.models import DailyUsage, RolledUpDay
from chat.review.analytics.reports import Figures, Measured, Period
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import give, look_of

STATES = ("complete", "complete", "complete", "stopped", "interrupted", "failed")
MODELS = ("@cf/test/one", "@cf/test/two")


def ask(owner: User, at: datetime, choose: random.Random, site: str = "") -> Generation:
    """A chat of one question, one answer, and what it cost."""
    chat = Conversation.objects.create(owner=owner, title="x", created_at=at, updated_at=at)
    question = chat.messages.create(role="user", text="x")
    answer = chat.messages.create(parent=question, role="assistant", text="y")
    state = choose.choice(STATES)
    made = Generation.objects.create(
        owner=owner,
        message=answer,
        state=state,
        send_key=str(answer.pk),
        send_digest="x",
        model=choose.choice(MODELS),
        started_at=at,
        error_code="upstream_busy" if state == "failed" else "",
        milliseconds=choose.randrange(500, 20_000),
        first_token_milliseconds=choose.randrange(50, 5000),
        completion_tokens=choose.randrange(1, 900),
    )
    Charge.objects.create(
        id=made.pk,
        user=None if site else owner,
        keys=["everyone", f"site:{site}" if site else f"user:{owner.pk}"],
        model=made.model,
        prompt_tokens=1,
        created_at=at,
        settled_at=at,
        tokens=choose.randrange(1, 900),
        millineurons=choose.randrange(1, 9000),
        microdollars=choose.randrange(1, 90_000),
    )
    if choose.random() < 0.4:
        value = choose.choice((1, -1))
        Rating.objects.create(message=answer, user=owner, value=value, rated_at=at)
    return made


@pytest.fixture
def noon() -> datetime:
    return timezone.now().astimezone(UTC).replace(hour=0, minute=0) - timedelta(hours=12)


@pytest.fixture
def site(bob: User) -> WidgetSite:
    return WidgetSite.objects.create(owner=bob, name="<b>Shop</b>")


@pytest.fixture
def asked(alice: User, bob: User, site: WidgetSite, noon: datetime) -> list[Generation]:
    """Ten days of alice, bob, and a visitor of bob's website."""
    choose = random.Random(5)
    visitor = visitors.make(site).user
    made = []
    for _ in range(60):
        at = noon - timedelta(days=choose.randrange(10), minutes=choose.randrange(600))
        who = choose.choice((alice, bob, visitor))
        made.append(ask(who, at, choose, site.key if who is visitor else ""))
    rollup.close_days(60)
    rollup.recount()
    return made


@pytest.fixture
def period(noon: datetime) -> Period:
    return Period(noon.date() - timedelta(days=6), noon.date())


def total(look: Any, period: Period, group: int | None = None) -> Figures:
    measured = Measured(look.reviewer, period, group)
    days = [each for day, each in measured.by_day().items() if day >= period.first]
    return Figures.total(days, measured.people(period))


def naive(period: Period, owners: set[int]) -> dict[str, float]:
    """The same, one row after the other."""
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


def test_the_numbers_are_those_of_a_naive_count(
    asked: list[Generation], administrator: User, period: Period
) -> None:
    everybody = set(User.all_objects.values_list("pk", flat=True))
    for one in (period, period.before, Period(period.last, period.last)):
        found, counted = total(look_of(administrator), one), naive(one, everybody)
        assert {name: found[name] for name in counted} == counted
    assert total(look_of(administrator), period)["messages"] > 20


def test_a_lead_measures_those_in_their_scope_only(
    asked: list[Generation], lead: User, rita: User, alice: User, pupils: Group, period: Period
) -> None:
    scoped = look_of(give(rita, "lead_review", pupils))
    found, counted = total(scoped, period), naive(period, {alice.pk})
    assert {name: found[name] for name in counted} == counted
    assert total(look_of(lead), period, pupils.pk).sums == found.sums


def test_parts_add_up_to_the_whole(
    asked: list[Generation], administrator: User, period: Period, site: WidgetSite, alice: User
) -> None:
    look = look_of(administrator)
    whole = total(look, period)
    measured = Measured(look.reviewer, period)
    for name in ("messages", "tokens", "microdollars", "failed"):
        assert sum(each[name] for _model, each in measured.by_model()) == whole[name]
        assert sum(each[name] for _site, each in measured.by_site()) == whole[name]
    assert {key for key, _each in measured.by_site()} == {"", site.key}
    assert {model for model, _each in measured.by_model()} == set(MODELS)
    assert sum(times for _code, times in measured.by_error()) == whole["failed"]
    people = dict(measured.by_person(10))
    assert alice.pk in people
    on_site = dict(measured.by_site())[site.key]
    assert sum(each["tokens"] for each in people.values()) == whole["tokens"] - on_site["tokens"]


def test_percentiles_are_right_to_about_a_tenth(
    asked: list[Generation], administrator: User, period: Period
) -> None:
    days = [each.started_at.astimezone(UTC).date() for each in asked]
    mine = [each for each, day in zip(asked, days, strict=True) if period.first <= day]
    found = total(look_of(administrator), period)
    waits = quantiles([each.first_token_milliseconds / 1000 for each in mine], n=100)
    speeds = quantiles([each.completion_tokens * 1000 / each.milliseconds for each in mine], n=100)
    for share in (50, 90):
        assert found.first_token_seconds(share / 100) == pytest.approx(waits[share - 1], rel=0.25)
        assert found.tokens_per_second(share / 100) == pytest.approx(speeds[share - 1], rel=0.25)


def test_a_spread_of_many_values_is_told_closely() -> None:
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


def test_what_a_closed_day_came_to_outlives_what_was_said(
    asked: list[Generation], administrator: User, period: Period, alice: User
) -> None:
    look, days = look_of(administrator), Period(period.first, period.last - timedelta(days=1))
    before = total(look, days)
    Generation.objects.all().delete()
    Conversation.all_objects.all().delete()
    for day in days:
        rollup.count(day)
    after = total(look, days)
    assert (after.sums, after.people) == (before.sums, before.people)


def test_what_the_present_day_cost_outlives_what_was_said(alice: User, administrator: User) -> None:
    made = ask(alice, timezone.now(), random.Random(1))
    today = timezone.now().astimezone(UTC).date()
    look, day = look_of(administrator), Period(today, today)
    Conversation.all_objects.all().delete()
    rollup.count(today)
    found = total(look, day)
    assert found["microdollars"] == Charge.objects.get(pk=made.pk).microdollars
    assert (found["messages"], found.people, found["answers"]) == (1, 1, 0)


def test_a_day_is_counted_once_it_is_over_for_an_hour(
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


@pytest.fixture
def leads(lead: User) -> Client:
    client = Client()
    client.force_login(lead, backend="allauth.account.auth_backends.AuthenticationBackend")
    client.post("/review/reason/", {"reason": "The yearly report is due"})
    return client


def test_the_page_shows_numbers_and_pictures(
    asked: list[Generation], leads: Client, period: Period
) -> None:
    shown = leads.get(f"/review/analytics/?since={period.first}&until={period.last}")
    text = shown.content.decode()
    assert shown.status_code == 200
    assert "style=" not in text
    assert text.count('role="img"') >= 9
    assert "&lt;b&gt;Shop&lt;/b&gt;" in text
    assert "<b>Shop" not in text
    assert User.objects.get(email__startswith="alice").name in text
    assert "@cf/test/one" in text
    assert "upstream_busy" in text


def test_pseudonyms_stand_in_place_of_names(
    asked: list[Generation], leads: Client, settings: Any
) -> None:
    settings.REVIEW_PRIVACY = "pseudonymous"
    for path in (
        "/review/analytics/",
        "/review/analytics/people.csv",
        "/review/analytics/people.json",
    ):
        text = leads.get(path).content.decode()
        assert "alice" not in text
        assert "Person " in text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("since=2026-02-02&until=2026-02-01", "is after the end date"),
        ("since=2020-01-01&until=2026-01-01", "At most 400 days"),
        ("since=yesterday", "Enter a valid date"),
        ("until=0001-01-01", "Ensure this value"),
    ],
)
def test_a_period_that_cannot_be_is_refused_in_words(leads: Client, query: str, words: str) -> None:
    shown = leads.get(f"/review/analytics/?{query}")
    assert shown.status_code == 422
    assert words in shown.content.decode()
    assert leads.get(f"/review/analytics/days.csv?{query}").status_code == 400


def test_each_table_comes_as_a_file_with_the_same_numbers(
    asked: list[Generation], leads: Client, lead: User, period: Period
) -> None:
    query = f"since={period.first}&until={period.last}"
    whole = total(look_of(lead), period)
    for name in ("summary", "days", "quality", "models", "people", "sites", "errors"):
        sent = leads.get(f"/review/analytics/{name}.csv?{query}")
        assert sent["Content-Disposition"].startswith("attachment")
        rows = list(csv.DictReader(io.StringIO(sent.content.decode("utf-8-sig"))))
        same = json.loads(leads.get(f"/review/analytics/{name}.json?{query}").content)[name]
        assert len(rows) == len(same) > 0
        if "tokens" in rows[0] and name != "people":
            assert sum(int(each["tokens"]) for each in rows) == whole["tokens"]
            assert sum(each["tokens"] for each in same) == whole["tokens"]
    assert leads.get("/review/analytics/secrets.csv").status_code == 404
    assert leads.get("/review/analytics/days.exe").status_code == 404


def test_no_name_becomes_a_formula(alice: User, bob: User, leads: Client) -> None:
    User.objects.filter(pk=alice.pk).update(name="=HYPERLINK(1)")
    User.objects.filter(pk=bob.pk).update(name=" @SUM(1)")
    for who in (alice, bob):
        ask(who, timezone.now(), random.Random(1))
    text = leads.get("/review/analytics/people.csv").content.decode("utf-8-sig")
    names = [row["person"] for row in csv.DictReader(io.StringIO(text))]
    assert sorted(names) == ["' @SUM(1)", "'=HYPERLINK(1)"]


def test_a_day_without_anything_is_shown_as_one(leads: Client, transactional_db: None) -> None:
    assert "No messages in this period." in leads.get("/review/analytics/").content.decode()
