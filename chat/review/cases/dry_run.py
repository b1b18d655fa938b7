"""Find out what a rule would flag among past messages, without flagging anything."""

import threading
import time
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.conversations.models import Message
from chat.errors import Conflict
from chat.review.case_models import Rule
from chat.review.cases import message_facts
from chat.review.cases.rule_subjects import (
    NEWEST,
    ids_before,
    load_subjects,
    owners_for,
    present,
)
from chat.review.cases.rules import matches
from chat.review.personal_data_models import MessagePersonalData
from chat.review.staff.roles import Reviewer

MAX_SECONDS = 30.0
CHECKED_AT_ONCE = 2000
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
    result, before, known = DryRun(), NEWEST, _may_match(rule)
    while ids := ids_before(before, CHECKED_AT_ONCE):
        # A range, which databases find faster than a thousand numbers.
        in_scope = Message.objects.filter(
            reviewer.within("conversation__owner"), pk__lte=ids[0], pk__gte=ids[-1]
        )
        subjects = list(load_subjects(in_scope.filter(known).order_by("-id"), [rule]))
        if known and rule.kind != Rule.Kind.VERDICT:  # what was never judged isn't checked
            result.checked += present(in_scope).count() - len(subjects)
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


def _may_match(rule: Rule) -> Q:
    """Return what the stored facts say about messages that may match, so that others aren't read.

    Looking for personal data in a million messages takes ten minutes, and telling their language
    twenty.
    """
    if rule.kind == Rule.Kind.VERDICT:
        return Q(verdict__isnull=False)
    if not message_facts.are_complete():
        return Q()
    if rule.kind == Rule.Kind.PERSONAL:
        kinds = rule.data_kinds.split()
        having = MessagePersonalData.objects.filter(message=OuterRef("pk"), kind__in=kinds)
        return Q(Exists(having))
    if rule.kind == Rule.Kind.LANGUAGE:
        return Q(language__language__in=rule.text.split())
    return Q()


def _ended_at(message_id: int, result: DryRun) -> DryRun:
    found = Message.objects.filter(pk=message_id).values_list("created_at", flat=True)
    result.oldest = found.first() or timezone.now()
    return result
