"""Report figures for a period, within a reviewer's scope."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, NamedTuple, Self
from uuid import UUID

from django.db.models import Count, Q, QuerySet, Sum

from chat.accounts.models import User
from chat.review.analytics.histogram import FIRST_TOKEN, SPEED
from chat.review.analytics.models import (
    NOBODY,
    DailyErrors,
    DailyLanguages,
    DailyTopics,
    DailyUsage,
)
from chat.review.staff.roles import Reviewer

COUNTS = (
    "chats", "messages", "tokens", "millineurons", "microdollars",
    "answers", "stopped", "interrupted", "failed", "good", "bad",
)  # fmt: skip
AMOUNTS = ("messages", "tokens", "millineurons", "microdollars")
SPREADS = (FIRST_TOKEN, SPEED)
COLUMNS = (*COUNTS, *(column for scale in SPREADS for column in scale.columns))
KNOWN = Q(messages__gt=0) & ~Q(owner=NOBODY)
PEOPLE = Count("owner", distinct=True, filter=KNOWN)


@dataclass(frozen=True, slots=True)
class Period:
    """A range of days in UTC, with both ends included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def before(self) -> "Period":
        """The period of equal length just before this one."""
        last = self.first - timedelta(days=1)
        return Period(last - timedelta(days=self.days - 1), last)

    def __iter__(self) -> Iterator[date]:
        return (self.first + timedelta(days=number) for number in range(self.days))


@dataclass(frozen=True, slots=True)
class UsageStatistics:
    """Sums of daily usage, and the figures derived from them."""

    sums: Mapping[str, int] = field(default_factory=dict)
    people: int = 0

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        sums = {name: int(row[f"sum_{name}"] or 0) for name in COLUMNS if f"sum_{name}" in row}
        return cls(sums, row.get("people", 0))

    @classmethod
    def total(cls, rows: Iterable["UsageStatistics"], people: int) -> Self:
        """Add up rows; `people` is passed in, because a person may occur on several days."""
        listed = list(rows)
        return cls({name: sum(each[name] for each in listed) for name in COLUMNS}, people)

    def __getitem__(self, name: str) -> int:
        return self.people if name == "people" else self.sums.get(name, 0)

    @property
    def neurons(self) -> float:
        return self["millineurons"] / 1000

    @property
    def dollars(self) -> float:
        return self["microdollars"] / 1_000_000

    def rate(self, name: str) -> float | None:
        """Return the share of finished answers; None if there are none."""
        return self[name] / self["answers"] if self["answers"] else None

    def first_token_seconds(self, share: float) -> float | None:
        milliseconds = FIRST_TOKEN.percentile([self[name] for name in FIRST_TOKEN.columns], share)
        return None if milliseconds is None else milliseconds / 1000

    def tokens_per_second(self, share: float) -> float | None:
        return SPEED.percentile([self[name] for name in SPEED.columns], share)


class UsagePlace(NamedTuple):
    """Whose usage it is, and of what. `site` is empty for this site."""

    owner: int
    persona: UUID | None
    site: str
    model: str


class TopicCount(NamedTuple):
    """How many answers about a topic a judge has read, and how many it found wanting."""

    topic: str
    judged: int
    unanswered: int
    ungrounded: int


@dataclass(frozen=True, slots=True)
class UsageReport:
    """A query for figures: the reviewer, the period and optionally a group in their scope."""

    reviewer: Reviewer
    period: Period
    group: int | None = None
    site: str = ""  # key of a website

    def by_day(self) -> dict[date, UsageStatistics]:
        """Return figures by day, including the previous period; days without any are omitted."""
        sums = _summed(self._tallies(self.period.before.first), "day", COLUMNS)
        return {each["day"]: UsageStatistics.of(each) for each in sums.annotate(people=PEOPLE)}

    def people(self, period: Period) -> int:
        """Return how many known people sent a message."""
        tallies = self._tallies(period.first).filter(KNOWN, day__lte=period.last)
        return tallies.values("owner").distinct().count()

    def dollars(self, period: Period) -> float:
        """Return what these people cost in another period."""
        tallies = replace(self, period=period)._tallies(period.first)
        return float(tallies.aggregate(cost=Sum("microdollars"))["cost"] or 0) / 1_000_000

    def by_model(self) -> list[tuple[str, UsageStatistics]]:
        return self._by("model", self._tallies(self.period.first).exclude(model=""), COLUMNS)

    def by_site(self) -> list[tuple[str, UsageStatistics]]:
        """Return figures by website key; the key is empty for this site."""
        return self._by("site", self._tallies(self.period.first), COUNTS)

    def by_user(self, most: int) -> list[tuple[int, UsageStatistics]]:
        """Return the members with the highest cost. Visitors are reported by website."""
        tallies = self._tallies(self.period.first).filter(site="").exclude(owner=NOBODY)
        sums = _summed(tallies, "owner", COUNTS)
        sums = sums.filter(sum_messages__gt=0)
        sums = sums.order_by("-sum_microdollars", "-sum_messages", "owner")
        return [(each["owner"], UsageStatistics.of(each)) for each in sums[:most]]

    def by_place(self) -> Iterable[tuple[UsagePlace, UsageStatistics]]:
        """Return the amounts of each combination that occurs."""
        rows = self._tallies(self.period.first).order_by().values(*UsagePlace._fields)
        sums = rows.annotate(**{f"sum_{name}": Sum(name) for name in AMOUNTS})
        for each in sums.filter(sum_messages__gt=0).iterator():
            yield (
                UsagePlace(**{name: each[name] for name in UsagePlace._fields}),
                UsageStatistics.of(each),
            )

    def by_error(self) -> list[tuple[str, int]]:
        """Return how often each error occurred; a person who stops an answer causes none."""
        counted = DailyErrors.objects.exclude(code__startswith="stopped_")  # of earlier versions
        counts = self._within(counted, self.period.first)
        codes = counts.values("code").annotate(times=Sum("count")).order_by("-times", "code")
        return [(each["code"], each["times"]) for each in codes]

    def by_language(self) -> list[tuple[str, int]]:
        """Return how many questions were written in each language; it is empty if unknown."""
        counts = self._within(DailyLanguages.objects.all(), self.period.first)
        by_code = counts.values("language").annotate(times=Sum("count"))
        rows = by_code.order_by("-times", "language")
        return [(each["language"], each["times"]) for each in rows]

    def by_topic(self) -> list[TopicCount]:
        """Return what was judged by topic, with the most unanswered questions first."""
        counts = self._within(DailyTopics.objects.all(), self.period.first).values("topic")
        names = TopicCount._fields[1:]
        rows = counts.annotate(**{f"sum_{name}": Sum(name) for name in names})
        listed = [
            TopicCount(each["topic"], *(each[f"sum_{name}"] for name in names)) for each in rows
        ]
        return sorted(listed, key=lambda each: (-each.unanswered, -each.judged, each.topic))

    def _by(
        self, field: str, rows: QuerySet[DailyUsage], columns: tuple[str, ...]
    ) -> list[tuple[str, UsageStatistics]]:
        """Return figures by `field`, highest cost first.

        Databases are slow at distinct counts within groups, so people are counted here.
        """
        pairs = rows.filter(KNOWN).values_list(field, "owner").distinct()
        people = Counter(name for name, _owner in pairs)
        sums = _summed(rows, field, columns)
        return _listed(
            (each[field], UsageStatistics.of(each | {"people": people[each[field]]}))
            for each in sums
        )

    def _tallies(self, first: date) -> QuerySet[DailyUsage]:
        return self._within(DailyUsage.objects.all(), first)

    def _within(self, rows: QuerySet[Any], first: date) -> QuerySet[Any]:
        rows = rows.filter(self.reviewer.within("owner"), day__gte=first, day__lte=self.period.last)
        if self.site:
            rows = rows.filter(site=self.site)
        if self.group is None:
            return rows
        members = User.objects.filter(groups=self.group)
        return rows.filter(owner__in=members.values("pk"))


def _summed(rows: QuerySet[DailyUsage], by: str, columns: tuple[str, ...]) -> QuerySet[Any]:
    sums: dict[str, Any] = {f"sum_{name}": Sum(name) for name in columns}
    summed: QuerySet[Any] = rows.order_by().values(by).annotate(**sums)
    return summed


def _listed(rows: Iterable[tuple[str, UsageStatistics]]) -> list[tuple[str, UsageStatistics]]:
    """Sort by cost, then by messages and tokens, highest first."""
    order = ("microdollars", "messages", "tokens")
    return sorted(rows, key=lambda row: (*(-row[1][name] for name in order), row[0]))
