"""Find out what a rule would flag among past messages, without flagging anything."""

import threading
import time
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from chat.conversations.models import Message
from chat.errors import Conflict
from chat.review.case_models import Rule
from chat.review.cases.rule_subjects import ids_before, load_subjects, owners_for
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
    while ids := ids_before(before, CHECKED_AT_ONCE):
        in_scope = Message.objects.filter(reviewer.within("conversation__owner"), pk__in=ids)
        if rule.kind == Rule.Kind.VERDICT:
            in_scope = in_scope.filter(verdict__isnull=False)
        subjects = list(load_subjects(in_scope.order_by("-id"), [rule]))
        owners = owners_for(rule, subjects)
        for each in subjects:
            if time.monotonic() > until and result.checked:
                return _ended_at(each.message_id, result)
            result.checked += 1
            if each.owner_id in owners and matches(rule, each):
                result.matches += 1
                result.conversations.add(each.conversation_id)
                if len(result.ids) < MAX_SHOWN:
                    result.ids.append(each.message_id)
        before = ids[-1]
        if time.monotonic() > until:
            return _ended_at(before, result)
    return result


def _ended_at(message_id: int, result: DryRun) -> DryRun:
    found = Message.objects.filter(pk=message_id).values_list("created_at", flat=True)
    result.oldest = found.first() or timezone.now()
    return result
