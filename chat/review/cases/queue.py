"""Filter and sort the cases of the queue, without any message text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.review.case_models import Case, Flag
from chat.review.case_reading import of_former_group
from chat.review.cases.workflow import cases_for
from chat.review.staff.roles import Reviewer

CASES_PER_PAGE = 50
State, Outcome = Case.State, Case.Outcome
OLDEST_FIRST, NEWEST_FIRST = "oldest", "newest"

STATES = {
    "": Q(state__lt=State.RESOLVED),
    "open": Q(state=State.OPEN),
    "in_work": Q(state=State.IN_WORK),
    "resolved": Q(state=State.RESOLVED),
    "dismissed": Q(outcome=Outcome.DISMISSED),
    "confirmed": Q(outcome=Outcome.CONFIRMED),
    "all": Q(),
}


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Filters of the queue. Empty fields do not filter."""

    state: str = ""  # one of STATES
    source: int = 0
    rule: int | None = None
    severity: int = 0
    reason: str = ""
    assigned_to: str = ""  # me, unassigned
    group: int | None = None
    site: int | None = None
    order: str = ""


def filter_cases(reviewer: Reviewer, case_filter: CaseFilter) -> QuerySet[Case]:
    """Return the cases in order: the most severe first, and of these the oldest; or by age."""
    cases = cases_for(reviewer).filter(STATES[case_filter.state])
    for condition in _conditions(reviewer, case_filter):
        cases = cases.filter(condition)
    orders = {OLDEST_FIRST: ("id",), NEWEST_FIRST: ("-id",)}
    return cases.order_by(*orders.get(case_filter.order, ("-severity", "id")))


def _conditions(reviewer: Reviewer, case_filter: CaseFilter) -> Iterator[Q]:
    flags = Flag.objects.filter(case=OuterRef("pk"))
    if case_filter.source:
        yield Q(Exists(flags.filter(source=case_filter.source)))
    if case_filter.rule is not None:
        yield Q(Exists(flags.filter(rule=case_filter.rule)))
    if case_filter.severity:
        yield Q(severity=case_filter.severity)
    if case_filter.reason:
        yield Q(Exists(flags.filter(reason=case_filter.reason)))
    if case_filter.assigned_to:
        yield Q(assignee=reviewer.user_id if case_filter.assigned_to == "me" else None)
    if case_filter.group is not None:
        members = User.objects.filter(groups=case_filter.group)
        chats = Q(conversation__owner__in=members.values("pk"))
        yield chats | of_former_group(case_filter.group)
    if case_filter.site is not None:
        chats = Q(conversation__owner__visitor__site=case_filter.site)
        yield chats | Q(former_site=case_filter.site)


def page(
    reviewer: Reviewer, case_filter: CaseFilter, after: tuple[int, int] | None
) -> tuple[list[int], tuple[int, int] | None]:
    """Return a page of IDs, and the severity and ID that the next page starts after."""
    cases = filter_cases(reviewer, case_filter)
    if after:
        cases = cases.filter(_beyond(case_filter, *after))
    rows = list(cases.values_list("id", "severity")[: CASES_PER_PAGE + 1])
    shown = rows[:CASES_PER_PAGE]
    more = len(rows) > len(shown)
    return [pk for pk, _severity in shown], (shown[-1][1], shown[-1][0]) if more else None


def _beyond(case_filter: CaseFilter, severity: int, pk: int) -> Q:
    if case_filter.order == NEWEST_FIRST:
        return Q(pk__lt=pk)
    if case_filter.order == OLDEST_FIRST:
        return Q(pk__gt=pk)
    return Q(severity__lt=severity) | Q(severity=severity, pk__gt=pk)


def without_text(reviewer: Reviewer, ids: Sequence[int]) -> list[Case]:
    """Return these cases in this order, with their owners but without titles and reasons."""
    cases = cases_for(reviewer).filter(pk__in=ids).defer("resolution_note", "conversation__title")
    cases = cases.select_related("conversation__owner__visitor__site", "assignee", "resolved_by")
    by_id = cases.in_bulk()
    return [by_id[each] for each in ids if each in by_id]


@dataclass(frozen=True, slots=True)
class Counts:
    open: int
    in_work: int
    mine: int


def counts(reviewer: Reviewer) -> Counts:
    """Count the unresolved cases."""
    mine = Q(assignee=reviewer.user_id)
    cases = cases_for(reviewer).filter(state__lt=State.RESOLVED)
    numbers = cases.aggregate(
        open=Count("id", STATES["open"]),
        in_work=Count("id", STATES["in_work"]),
        mine=Count("id", mine),
    )
    return Counts(**numbers)


@dataclass(frozen=True, slots=True)
class FlagTally:
    """The number of flags of one kind."""

    source: int
    rule: str
    reason: str
    count: int


def newest_flagged(ids: Iterable[int]) -> dict[int, int]:
    """Return the newest flagged message of each case that still exists; none if only the chat is.

    A case's link leads there.
    """
    present = Message.objects.filter(pk=OuterRef("message"), deleted_at=None)
    flags = Flag.objects.filter(Exists(present), case__in=list(ids)).order_by()
    return dict(flags.values_list("case").annotate(newest=Max("message")))


def tallies(ids: Sequence[int]) -> dict[int, list[FlagTally]]:
    """Return the flags of each case by kind, without any user text."""
    of_case: dict[int, list[FlagTally]] = {}
    kinds = Flag.objects.filter(case__in=ids).order_by().values("case", "source", "reason")
    for each in kinds.annotate(name=F("rule__name"), count=Count("id")).order_by("source"):
        tally = FlagTally(each["source"], each["name"] or "", each["reason"], each["count"])
        of_case.setdefault(each["case"], []).append(tally)
    return of_case
