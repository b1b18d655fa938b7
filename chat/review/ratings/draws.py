"""Draw samples at random, once for each day or week, whichever processes run.

A draw is reproducible: things are ranked by the SHA-256 digest of the seed and their number, so the
same seed picks the same ones of the same things, in any database.
"""

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from heapq import nsmallest
from math import ceil
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.database.housekeeping import isolated
from chat.generations.models import Generation
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.rating_models import (
    WHOLE_CHAT,
    RatingForm,
    RatingSample,
    RatingTask,
    SampleDraw,
)
from chat.review.ratings.samples import days_of, drawer_of, facets_of, sample_of
from chat.review.search import answer_search, conversation_search
from chat.review.staff import privacy, roles
from chat.review.staff.roles import Reviewer
from chat.review.utc_days import end_of, start_of, today
from chat.widget_sites.models import Visitor

MAX_PICKED = 500  # by one draw


@dataclass(frozen=True, slots=True)
class Drawable:
    """A chat or answer that may be drawn. `message_id` is `WHOLE_CHAT` for a chat."""

    conversation_id: UUID
    message_id: int

    @property
    def name(self) -> str:
        return f"{self.conversation_id}:{self.message_id}"


def draw_due() -> None:
    """Draw each sample whose day or week is over. Run every minute."""
    if not privacy.is_reading_allowed():
        return
    enabled = RatingSample.objects.filter(is_enabled=True, form__is_enabled=True)
    for sample in enabled.select_related("created_by", "form").order_by("drawn_through", "id"):
        _first, last = days_of(sample, today())
        if sample.drawn_through is None or sample.drawn_through < last:
            with isolated(RatingSample._meta.db_table, sample.pk):
                _draw_scheduled(sample, last)


def _draw_scheduled(sample: RatingSample, last: date) -> None:
    """Draw, unless another process was faster. Days on which no server ran are left out."""
    reviewer = drawer_of(sample)
    if reviewer is None:
        return
    drawable = _drawable(reviewer, sample)
    before = Q(drawn_through=None) | Q(drawn_through__lt=last)
    ours = RatingSample.objects.filter(before, pk=sample.pk, is_enabled=True)
    with transaction.atomic():
        if ours.update(drawn_through=last):
            _store(sample, drawable, None)


def draw_now(staff_context: StaffContext, form_id: int, sample_id: int) -> SampleDraw:
    """Draw from the last day or week, of what was not drawn before."""
    reviewer = staff_context.reviewer
    sample = sample_of(reviewer, form_id, sample_id)
    drawable = _drawable(reviewer, sample)
    with transaction.atomic():
        RatingSample.objects.select_for_update().get(pk=sample.pk)
        draw = _store(sample, drawable, reviewer.user_id)
        detail = f"{sample.form.name}: schedule {sample.pk}, {draw.picked} drawn"
        record_action(staff_context, StaffAction.Kind.FORMS_CHANGED, detail=detail)
    return draw


@dataclass(frozen=True, slots=True)
class _Drawable:
    """What a sample may draw from, read before the transaction that draws."""

    first: date
    last: date
    things: list[Drawable]


def _drawable(reviewer: Reviewer, sample: RatingSample) -> _Drawable:
    first, last = days_of(sample, today())
    return _Drawable(first, last, list(population(reviewer, sample, first, last)))


def _store(sample: RatingSample, drawable: _Drawable, by: int | None) -> SampleDraw:
    before = _drawn_before(sample)
    left = [each for each in drawable.things if each not in before]
    seed = secrets.token_hex(16)
    chosen = pick(left, seed, wanted(sample, len(drawable.things)))
    draw = SampleDraw.objects.create(
        sample=sample,
        first=drawable.first,
        last=drawable.last,
        seed=seed,
        population=len(drawable.things),
        available=len(left),
        picked=len(chosen),
        by=by,
    )
    RatingTask.objects.bulk_create(_tasks(draw, chosen), ignore_conflicts=True)
    return draw


def wanted(sample: RatingSample, population: int) -> int:
    """Return how many to pick; a share is rounded up, so that few things are not left out."""
    count = sample.count if sample.percent is None else ceil(population * sample.percent / 100)
    return min(count or 0, MAX_PICKED)


def pick(things: Sequence[Drawable], seed: str, count: int) -> list[Drawable]:
    """Return `count` of these things at random, the same for the same seed."""
    return nsmallest(count, things, key=lambda each: _rank(seed, each))


def _rank(seed: str, drawable: Drawable) -> bytes:
    return hashlib.sha256(f"{seed}:{drawable.name}".encode()).digest()


def population(
    reviewer: Reviewer, sample: RatingSample, first: date, last: date
) -> Iterator[Drawable]:
    """Yield all that the sample's search matches, of what was sent on these days."""
    facets = replace(facets_of(sample), since=start_of(first), until=end_of(last))
    owners, model = _owners(sample.form), sample.form.model
    if sample.unit == RatingSample.Unit.CHATS:
        stats = conversation_search.stats_of(reviewer, facets).filter(owners)
        if model:
            stats = stats.filter(model_names__contains=f" {model} ")
        for chat in stats.exclude(owner=reviewer.user_id).values_list("pk", flat=True):
            yield Drawable(chat, WHOLE_CHAT)
        return
    answers = answer_search.answers_of(reviewer, facets).filter(owners)
    if model:
        answers = answers.filter(model=model)
    ended = answers.exclude(owner=reviewer.user_id).exclude(state=Generation.State.RUNNING)
    ended = ended.order_by()
    for chat, message in ended.values_list("message__conversation", "message").distinct():
        yield Drawable(chat, message)


def _owners(form: RatingForm) -> Q:
    """Return the condition for chats of people whom the form is about."""
    condition = Q()
    if form.members is not None:
        condition &= Q(owner__in=User.objects.filter(groups=form.members).values("pk"))
    if form.site is not None:
        condition &= Q(owner__in=Visitor.objects.filter(site=form.site).values("user"))
    return condition


def _drawn_before(sample: RatingSample) -> set[Drawable]:
    """Return what was drawn for the form, by whichever sample."""
    tasks = RatingTask.objects.filter(form=sample.form_id, turn=1)
    return {Drawable(*each) for each in tasks.values_list("conversation", "message")}


def _tasks(draw: SampleDraw, chosen: Sequence[Drawable]) -> Iterator[RatingTask]:
    """Yield a task for each thing, and a second one for a share; raters take turns."""
    owners = dict(
        Conversation.objects.filter(pk__in={each.conversation_id for each in chosen}).values_list(
            "pk", "owner"
        )
    )
    turns = _Turns(list(draw.sample.raters.order_by("pk")), set(owners.values()))
    doubled = ceil(len(chosen) * draw.sample.second_percent / 100)
    for number, each in enumerate(chosen):
        raters = turns.next(owners.get(each.conversation_id), 2 if number < doubled else 1)
        for turn, rater in enumerate(raters, 1):
            yield RatingTask(
                form_id=draw.sample.form_id,
                draw=draw,
                conversation_id=each.conversation_id,
                message=each.message_id,
                turn=turn,
                assignee=rater,
            )


class _Turns:
    """Raters in turn, each for chats that they may review."""

    def __init__(self, raters: list[User], owner_ids: set[int]) -> None:
        self._waiting = raters
        self._owners = {each.pk: self._readable(each, owner_ids) for each in raters}

    def next(self, owner_id: int | None, count: int) -> list[User | None]:
        """Return different raters of a chat of this owner; None if there are too few."""
        chosen: list[User | None] = []
        if owner_id is not None and self._waiting:
            able = [each for each in self._waiting if owner_id in self._owners[each.pk]]
            for rater in able[:count]:
                self._waiting.remove(rater)
                self._waiting.append(rater)
                chosen.append(rater)
        return chosen + [None] * (count - len(chosen))

    @staticmethod
    def _readable(rater: User, owner_ids: set[int]) -> set[int]:
        """Return whose chats the rater may review, except their own."""
        reviewer = roles.reviewer_of(rater)
        if reviewer is None:
            return set()
        people = User.all_objects.filter(reviewer.within("pk"), pk__in=owner_ids)
        return set(people.exclude(pk=rater.pk).values_list("pk", flat=True))
