"""List running answers, and check who may watch them. Figures only, never text."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Now

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.tool_calls.models import StoredToolCall
from chat.generations.billing.pricing import cost_usd, usage_of
from chat.generations.models import Generation, LogPage, Worker
from chat.generations.process.subscribers import Watcher
from chat.quotas.models import Charge
from chat.review.staff import privacy
from chat.review.staff.roles import Reviewer, reviewer_of
from chat.upstream import available_models

MAX_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Running:
    """A running answer as far as it is stored. A frame is about one token."""

    message_id: int
    conversation_id: UUID
    model: str
    age_seconds: float
    tokens: int
    tokens_per_second: float | None  # None before the first token
    cost_usd: float | None


def running(reviewer: Reviewer) -> tuple[list[Running], int]:
    """Return the newest running answers in the reviewer's scope, and their total number."""
    privacy.require_reading_allowed()
    pages = LogPage.objects.filter(generation=OuterRef("pk")).order_by("-first_seq")
    charges = Charge.objects.filter(pk=OuterRef("pk"))
    calls = StoredToolCall.objects.filter(message=OuterRef(OuterRef("message"))).order_by(
        "-proposed_at"
    )
    before_calls = pages.filter(written_at__lte=Subquery(calls.values("proposed_at")[:1]))
    # Filtered by worker to use the index of running generations, which is small.
    generations = (
        Generation.objects.filter(state=Generation.State.RUNNING, worker__in=Worker.objects.all())
        .filter(reviewer.within("owner"))
        .filter(message__deleted_at=None, message__conversation__purge_after=None)
        .order_by("-started_at")
    )
    rows = generations.annotate(
        frames=Subquery(pages.values("last_seq")[:1]),
        frames_before_calls=Subquery(before_calls.values("last_seq")[:1]),
        prompt=Subquery(charges.values("prompt_tokens")[:1]),
        used=Subquery(charges.values("used_microdollars")[:1]),
        now=Now(),
        conversation=F("message__conversation"),
    ).values_list(
        "message_id", "conversation", "model", "now", "started_at",
        "first_token_milliseconds", "frames", "frames_before_calls", "prompt", "used",
    )[: MAX_SHOWN + 1]  # fmt: skip
    shown = [_running(*row) for row in rows]
    count = len(shown) if len(shown) <= MAX_SHOWN else generations.count()
    return shown[:MAX_SHOWN], count


def _running(
    message_id: int, conversation_id: UUID, model: str, now: datetime, started_at: datetime,
    first_milliseconds: int | None, frames: int | None, frames_before_calls: int | None,
    prompt: int | None, used_microdollars: int | None,
) -> Running:  # fmt: skip
    age = max(0.0, (now - started_at).total_seconds())
    tokens = max(0, (frames or 0) - 1)  # the first frame names the model
    writing = age - (first_milliseconds or 0) / 1000
    # What requests that ended with calls of tools have cost includes what they have written.
    before = (used_microdollars or 0) / 1_000_000
    unpaid = max(0, (frames or 0) - (frames_before_calls or 1))
    cost = cost_usd(available_models.known(model), usage_of(prompt or 0, unpaid))
    return Running(
        message_id,
        conversation_id,
        model,
        age,
        tokens,
        tokens / writing if tokens and writing > 0 else None,
        cost + before if tokens and cost is not None else None,
    )


def still_allowed(watching: set[Watcher]) -> set[Watcher]:
    """Return those who may still watch; checked repeatedly while their streams are open."""
    allowed: set[Watcher] = set()
    for user in User.objects.filter(pk__in={each.user_id for each in watching}):
        reviewer = reviewer_of(user)
        if reviewer is None:
            continue
        watched = {each.conversation_id for each in watching if each.user_id == user.pk}
        seen = Conversation.objects.filter(reviewer.within("owner"), pk__in=watched)
        allowed |= {Watcher(user.pk, pk) for pk in seen.values_list("pk", flat=True)}
    return allowed
