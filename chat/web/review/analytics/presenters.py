"""Build the analytics tables for a period, compared with the previous one."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property, partial
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.errors import ChatError
from chat.review.access_log.staff_context import StaffContext
from chat.review.analytics.costs import shown_costs
from chat.review.analytics.reports import Period, UsageReport, UsageStatistics
from chat.review.search.conversation_search import SENT
from chat.review.staff import privacy
from chat.review.staff.roles import Role
from chat.review.utc_days import today
from chat.upstream import available_models
from chat.web.review.analytics.message_tables import languages_table, topics_table
from chat.web.review.http.facet_forms import ANSWERS
from chat.web.review.http.tables import Column, ColumnKind, Table
from chat.widget_sites.models import WidgetSite

MAX_PEOPLE = 50  # on the page; exports have all
MAX_COSTS = 50
MAX_IN_FILE = 50_000
SHARES = (0.5, 0.9, 0.99)

AMOUNTS = (
    Column("chats", gettext_lazy("Chats started")),
    Column("messages", gettext_lazy("Messages")),
    Column("tokens", gettext_lazy("Tokens")),
    Column("neurons", gettext_lazy("Neurons")),
    Column("dollars", gettext_lazy("Cost"), ColumnKind.DOLLARS),
)
PEOPLE = Column("people", gettext_lazy("People"))
RATES = (
    Column("answers", gettext_lazy("Answers")),
    Column("stopped", gettext_lazy("Stopped"), ColumnKind.SHARE),
    Column("interrupted", gettext_lazy("Interrupted"), ColumnKind.SHARE),
    Column("failed", gettext_lazy("Failed"), ColumnKind.SHARE),
    Column("good", gettext_lazy("Good"), ColumnKind.SHARE),
    Column("bad", gettext_lazy("Bad"), ColumnKind.SHARE),
)
TIMES = (
    Column("first_p50", gettext_lazy("First token, median"), ColumnKind.SECONDS),
    Column("first_p90", gettext_lazy("First token, 90th percentile"), ColumnKind.SECONDS),
    Column("first_p99", gettext_lazy("First token, 99th percentile"), ColumnKind.SECONDS),
    Column("speed_p50", gettext_lazy("Tokens/s, median"), ColumnKind.SPEED),
    Column("speed_p90", gettext_lazy("Tokens/s, 90th percentile"), ColumnKind.SPEED),
    Column("speed_p99", gettext_lazy("Tokens/s, 99th percentile"), ColumnKind.SPEED),
)
QUALITY = (*RATES, *TIMES)
QUANTITIES = (PEOPLE, *AMOUNTS, *QUALITY)


def latest_period(days: int) -> Period:
    """Return a period of `days` days that ends today."""
    last = today()
    return Period(last - timedelta(days=days - 1), last)


@dataclass
class AnalyticsTables:
    """Figures of the page; each is queried once and then cached."""

    staff_context: StaffContext
    measured: UsageReport
    facets: Mapping[str, str] = field(default_factory=dict)  # group and website, of links
    is_counting: bool = False  # then some figures are still missing
    _tables: dict[str, Table] = field(default_factory=dict)

    @property
    def period(self) -> Period:
        return self.measured.period

    @property
    def shows_people(self) -> bool:
        """Return whether figures name people and link to chats: not for who only has figures."""
        return self.staff_context.reviewer.role >= Role.LEAD

    @cached_property
    def by_day(self) -> dict[date, UsageStatistics]:
        return self.measured.by_day()

    @cached_property
    def total(self) -> UsageStatistics:
        return self._total(self.period)

    @cached_property
    def total_before(self) -> UsageStatistics:
        return self._total(self.period.before)

    def _total(self, period: Period) -> UsageStatistics:
        days = (self.by_day[day] for day in period if day in self.by_day)
        return UsageStatistics.total(days, self.measured.people(period))

    def days(self, period: Period) -> list[tuple[date, UsageStatistics]]:
        return [(day, self.by_day.get(day, UsageStatistics())) for day in period]

    def table(self, name: str) -> Table:
        if name not in self._tables:
            self._tables[name] = TABLES[name](self)
        return self._tables[name]


def _days(measures: AnalyticsTables) -> Table:
    columns = (Column("day", _("Day"), ColumnKind.DAY), PEOPLE, *AMOUNTS)
    rows = [[day, each.people, *_amounts(each)] for day, each in measures.days(measures.period)]
    return Table("days", _("By day"), columns, rows)


def _quality(measures: AnalyticsTables) -> Table:
    columns = (Column("day", _("Day"), ColumnKind.DAY), *QUALITY)
    rows = [[day, *_quality_of(each)] for day, each in measures.days(measures.period)]
    return Table("quality", _("Quality by day"), columns, rows)


def _summary(measures: AnalyticsTables) -> Table:
    """Compare totals of the period and the previous one, one row for each of `QUANTITIES`."""
    columns = (
        Column("measure", _("Metric"), ColumnKind.WORDS),
        Column("value", _("This period"), ColumnKind.WORDS),
        Column("before", _("Previous period"), ColumnKind.WORDS),
    )
    values, before = (
        [each.people, *_amounts(each), *_quality_of(each)]
        for each in (measures.total, measures.total_before)
    )
    rows = [
        [column.name, now, then]
        for column, now, then in zip(QUANTITIES, values, before, strict=True)
    ]
    return Table("summary", _("Total"), columns, rows)


def _models(measures: AnalyticsTables) -> Table:
    columns = (Column("model", _("Model"), ColumnKind.TEXT), PEOPLE, *AMOUNTS[1:], *QUALITY)
    rows = [
        [name, each.people, *_amounts(each)[1:], *_quality_of(each)]
        for name, each in measures.measured.by_model()
    ]
    return Table("models", _("By model"), columns, rows)


def _people(measures: AnalyticsTables) -> Table:
    return _people_of(measures, measures.measured.by_user(MAX_IN_FILE))


def _people_of(
    measures: AnalyticsTables, statistics: Sequence[tuple[int, UsageStatistics]]
) -> Table:
    columns = (Column("person", _("Person"), ColumnKind.TEXT), *AMOUNTS, *RATES)
    users = privacy.load_users(owner for owner, _each in statistics)
    reviewer = measures.staff_context.reviewer
    shown = [
        privacy.shown_user(reviewer, users[owner]) if owner in users else None
        for owner, _each in statistics
    ]
    rows = [
        [person.name if person else _("Deleted user"), *_amounts(each), *_rates_of(each)]
        for person, (_owner, each) in zip(shown, statistics, strict=True)
    ]
    keys = [person.key if person else "" for person in shown]
    links = [answers_url(measures, person=key) if key else "" for key in keys]
    return Table("people", _("By person"), columns, rows, links)


def _sites(measures: AnalyticsTables) -> Table:
    columns = (Column("site", _("Website"), ColumnKind.TEXT), PEOPLE, *AMOUNTS, *RATES)
    by_site = measures.measured.by_site()
    keys = [key for key, _each in by_site]
    names = dict(WidgetSite.objects.filter(key__in=keys).values_list("key", "name"))
    rows = [
        [names.get(key, key) or _("This site"), each.people, *_amounts(each), *_rates_of(each)]
        for key, each in by_site
    ]
    linked = names if measures.shows_people else {}
    links = [reverse("review_site", args=[key]) if key in linked else "" for key in keys]
    return Table("sites", _("By website"), columns, rows, links)


def _costs(measures: AnalyticsTables) -> Table:
    columns = (
        Column("groups", _("Groups"), ColumnKind.TEXT),
        Column("persona", _("Persona"), ColumnKind.TEXT),
        Column("site", _("Website"), ColumnKind.TEXT),
        Column("model", _("Model"), ColumnKind.TEXT),
        *AMOUNTS[1:],
    )
    costs = shown_costs(measures.measured)[:MAX_IN_FILE]
    rows = [[*(name or None for name in each.place), *_amounts(each.amounts)[1:]] for each in costs]
    title = _("Cost by group, persona, website and model")
    return Table("costs", title, columns, rows)


def _errors(measures: AnalyticsTables) -> Table:
    columns = (Column("code", _("Error"), ColumnKind.TEXT), Column("times", _("Answers")))
    return Table("errors", _("Errors"), columns, measures.measured.by_error())


TABLES: dict[str, Callable[[AnalyticsTables], Table]] = {
    "summary": _summary,
    "days": _days,
    "quality": _quality,
    "models": _models,
    "people": _people,
    "sites": _sites,
    "costs": _costs,
    "errors": _errors,
    "topics": lambda measures: topics_table(measures.measured, partial(answers_url, measures)),
    "languages": lambda measures: languages_table(
        measures.measured, partial(answers_url, measures)
    ),
}


def people_on_page(measures: AnalyticsTables) -> Table:
    return _people_of(measures, measures.measured.by_user(MAX_PEOPLE))


def models_on_page(measures: AnalyticsTables) -> Table:
    """Return the table with names of models instead of IDs, and links to their answers."""
    table = measures.table("models")
    ids = [row[0] for row in table.rows]
    rows = [[available_models.name_of(row[0]), *row[1:]] for row in table.rows]
    return replace(
        table, rows=rows, links=[answers_url(measures, model=f'"{each}"') for each in ids]
    )


def costs_on_page(measures: AnalyticsTables) -> Table:
    """Return the highest costs, with names of models instead of IDs."""
    table = measures.table("costs")
    rows = [
        [*row[:3], available_models.name_of(row[3]), *row[4:]] for row in table.rows[:MAX_COSTS]
    ]
    return replace(table, rows=rows)


def errors_on_page(measures: AnalyticsTables) -> Table:
    """Return the table with errors in words."""
    table = measures.table("errors")
    times_of: Counter[str] = Counter()
    for code, times in table.rows:
        times_of[error_label(code)] += times
    return replace(table, rows=[list(each) for each in times_of.most_common()])


def answers_url(measures: AnalyticsTables, day: date | None = None, **facets: str) -> str:
    """Return the address of the answers behind a figure, of one day or the whole period."""
    return search_url(measures, day, show=ANSWERS, time=SENT, **facets)


def search_url(measures: AnalyticsTables, day: date | None = None, **facets: str) -> str:
    """Return the address of the chats behind a figure; empty for who may read none."""
    if not measures.shows_people:
        return ""
    first, last = (day, day) if day else (measures.period.first, measures.period.last)
    within = (
        dict(measures.facets) | facets | {"since": first.isoformat(), "until": last.isoformat()}
    )
    return f"{reverse('review')}?{urlencode(within)}"


def _amounts(each: UsageStatistics) -> list[float]:
    counts = [each["chats"], each["messages"], each["tokens"]]
    return [*counts, each.neurons, each.dollars]


def _rates_of(each: UsageStatistics) -> list[float | None]:
    rates = [each.rate(name) for name in ("stopped", "interrupted", "failed", "good", "bad")]
    return [each["answers"], *rates]


def _quality_of(each: UsageStatistics) -> list[float | None]:
    waits = [each.first_token_seconds(share) for share in SHARES]
    return [*_rates_of(each), *waits, *(each.tokens_per_second(share) for share in SHARES)]


def error_label(code: str) -> str:
    """Return the first sentence of what users read about this error."""
    texts = {each.code: str(each.text) for each in reversed(list(_all(ChatError)))}
    text = texts.get(code, "")
    sentence = text.partition(". ")[0].rstrip(".")
    return sentence if sentence and "{" not in sentence else _("Another error")


def _all(kind: type[ChatError]) -> Iterator[type[ChatError]]:
    """Yield the class before its subclasses, whose code may be the same."""
    yield kind
    for each in kind.__subclasses__():
        yield from _all(each)
