"""Give staff access to cases and their evidence, and log it, like access.py.

A case outlives its chat. Leads still see it then, if they could review the chat.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.errors import NotFound
from chat.review.access import in_scope_of, reads_deleted
from chat.review.access_log.staff_context import Kind, Seen, StaffContext, record_access
from chat.review.case_models import Case, with_flags
from chat.review.personal_data_models import MessagePersonalData
from chat.review.staff import privacy
from chat.review.staff.roles import Reviewer

MAX_EXPORTED = 20  # messages per case


@dataclass(frozen=True, slots=True)
class Evidence:
    """A case with its flags, and the flagged answers with their questions."""

    case: Case
    messages: list[Message]


def cases_in_scope(reviewer: Reviewer) -> Q:
    """Return the condition for the cases that `reviewer` may see."""
    chats = Q(conversation__isnull=False) & in_scope_of(reviewer, "conversation__")
    if not reads_deleted(reviewer):
        return chats
    return chats | Q(erased_at__isnull=False) & _formerly_within(reviewer)


def _formerly_within(reviewer: Reviewer) -> Q:
    if reviewer.groups is None:
        return Q()
    within = Q(former_site__in=reviewer.sites)
    for group in reviewer.groups:
        within |= of_former_group(group)
    return within


def of_former_group(group_id: int) -> Q:
    """Return the condition for cases of erased chats whose owner was in this group."""
    return Q(former_groups__contains=f" {group_id} ")


@transaction.atomic
def read_cases(staff_context: StaffContext, ids: Sequence[int]) -> list[Case]:
    """Return these cases with the titles of their chats, in this order."""
    shown = _cases(staff_context, ids)
    record_access(staff_context, Kind.LISTED, map(_seen, shown))
    return shown


@transaction.atomic
def read_evidence(staff_context: StaffContext, ids: Sequence[int]) -> list[Evidence]:
    """Return all messages of these cases for an export."""
    cases = _cases(staff_context, ids, flags=True)
    evidence = [Evidence(each, _flagged_messages(each)) for each in cases]
    record_access(staff_context, Kind.EXPORTED, (_seen(each.case) for each in evidence))
    return evidence


@transaction.atomic
def read_cases_of_erased_chat(staff_context: StaffContext, conversation_id: UUID) -> list[Case]:
    """Return the cases of a chat that was erased, newest first. Raise `NotFound`."""
    rows = _of_erased_chat(staff_context, conversation_id)
    cases = list(with_flags(rows.select_related("assignee", "resolved_by")))
    if not cases:
        raise NotFound
    record_access(staff_context, Kind.LISTED, [_seen(cases[0])])
    return cases


def is_erased_with_case(staff_context: StaffContext, conversation_id: UUID) -> bool:
    """Return True if the chat was erased and its cases may be seen."""
    return _of_erased_chat(staff_context, conversation_id).exists()


def owners_of(cases: Iterable[Case]) -> dict[int, User]:
    """Return the owners of these cases' chats by ID, except those whose account was deleted."""
    cases = list(cases)
    erased = {each.owner_id for each in cases if each.conversation is None}
    owners = {each.owner_id: each.conversation.owner for each in cases if each.conversation}
    return owners | (privacy.load_users(erased) if erased else {})


def personal_data_of(cases: Iterable[Case]) -> dict[int, list[str]]:
    """Return the kinds of personal data in the chats of these cases, by the cases' IDs."""
    chats = {each.pk: each.conversation_id for each in cases if each.conversation_id}
    rows = MessagePersonalData.objects.filter(
        message__conversation__in=set(chats.values()), message__deleted_at=None
    )
    found = rows.values_list("message__conversation", "kind").order_by("kind").distinct()
    kinds: dict[UUID, list[str]] = {}
    for chat_id, kind in found:
        kinds.setdefault(chat_id, []).append(kind)
    return {case_id: kinds.get(chat_id, []) for case_id, chat_id in chats.items()}


def _of_erased_chat(staff_context: StaffContext, conversation_id: UUID) -> QuerySet[Case]:
    return Case.objects.filter(
        cases_in_scope(staff_context.reviewer), former_conversation=conversation_id
    )


def _seen(case: Case) -> Seen:
    return Seen(case.owner_id, case.chat_id)


def _cases(staff_context: StaffContext, ids: Sequence[int], *, flags: bool = False) -> list[Case]:
    rows = Case.objects.filter(cases_in_scope(staff_context.reviewer), pk__in=ids)
    rows = rows.select_related("conversation__owner__visitor__site", "assignee", "resolved_by")
    by_id = {each.pk: each for each in (with_flags(rows) if flags else rows)}
    return [by_id[each] for each in ids if each in by_id]


def _flagged_messages(case: Case) -> list[Message]:
    """Return the flagged messages and their questions; for a flag on the chat, the newest ones."""
    if case.conversation is None:
        return []
    flagged = [each.message for each in case.newest_flags]
    kept = case.conversation.visible_messages.defer("reasoning")
    ids = {each for each in flagged if each}
    messages = kept.filter(pk__in=ids) | kept.filter(children__in=ids)
    newest = kept.order_by("-id") if None in flagged else messages.distinct().order_by("-id")
    return list(newest[:MAX_EXPORTED])[::-1]
