"""Helpers for the tests of analytics."""

import random
from datetime import datetime
from typing import Any

from chat.accounts.models import User
from chat.conversations.models import Conversation, Rating
from chat.generations.models import Generation
from chat.quotas.models import Charge
from chat.review.analytics.reports import Period, UsageReport, UsageStatistics

STATES = ("complete", "complete", "complete", "stopped", "interrupted", "failed")
MODELS = ("@cf/test/one", "@cf/test/two")


def ask(owner: User, at: datetime, choose: random.Random, site: str = "") -> Generation:
    """Create a chat with one question, one answer and its charge."""
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


def total(look: Any, period: Period, group: int | None = None) -> UsageStatistics:
    measured = UsageReport(look.reviewer, period, group)
    days = [each for day, each in measured.by_day().items() if day >= period.first]
    return UsageStatistics.total(days, measured.people(period))
