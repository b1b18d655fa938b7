"""Find out what a rule would flag among past messages, without flagging anything."""

import threading
import time
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from chat.conversations.models import Message
from chat.errors import Conflict
from chat.review.case_models import Rule
from chat.review.cases.rule_subjects import load_subjects, owners_for
from chat.review.cases.rules import NEWEST, matches
from chat.review.staff.roles import Reviewer

MAX_SECONDS = 30.0
CHECKED_AT_ONCE = 1000
MAX_SHOWN = 20
#: One at a time in a process, which also answers people.
_running = threading.Lock()


@dataclass(slots=True)
class DryRun:
    """How many of the newest messages a rule matches."""

    checked: int = 0
    matches: int = 0
    ids: list[int] = field(default_factory=list)  # of the newest matches
    conversations: set[UUID] = field(default_factory=set)
    oldest: datetime | None = None  # of the checked messages, if time ran out before the others

    @property
    def chats(self) -> int:
        return len(self.conversations)


def dry_run(reviewer: Reviewer, rule: Rule, seconds: float = MAX_SECONDS) -> DryRun:
    """Run the rule on past messages in the reviewer's scope, newest first, for up to `seconds`.

    Raise `Conflict` if this process is already doing that.
    """
    if not _running.acquire(blocking=False):
        raise Conflict(_("Another rule is being tried on past messages. Try again in a minute."))
    try:
        return _run(reviewer, rule, time.monotonic() + seconds)
    finally:
        _running.release()


def _run(reviewer: Reviewer, rule: Rule, until: float) -> DryRun:
    result, before = DryRun(), NEWEST
    while (first := _first_of_step(before)) is not None:
        in_step = Message.objects.filter(pk__gte=first, pk__lt=before).order_by("-id")
        in_scope = in_step.filter(reviewer.within("conversation__owner"))
        if rule.kind == Rule.Kind.VERDICT:
            in_scope = in_scope.filter(verdict__isnull=False)
        subjects = list(load_subjects(in_scope, [rule]))
        owners = owners_for(rule, subjects)
        result.checked += len(subjects)
        for each in subjects:
            if each.owner_id in owners and matches(rule, each):
                result.matches += 1
                result.conversations.add(each.conversation_id)
                if len(result.ids) < MAX_SHOWN:
                    result.ids.append(each.message_id)
        before = first
        if time.monotonic() > until:
            result.oldest = Message.objects.get(pk=first).created_at
            return result
    return result


def _first_of_step(before: int) -> int | None:
    """Return the lowest ID of the next messages to check; None if there are none left."""
    ids = Message.objects.filter(pk__lt=before).order_by("-id").values_list("pk", flat=True)
    step = list(ids[:CHECKED_AT_ONCE])
    return step[-1] if step else None
