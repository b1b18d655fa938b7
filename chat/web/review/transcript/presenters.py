"""Present a conversation to staff: all branches, and the outcome of each answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from chat.api_keys.models import ApiKey
from chat.conversations.legal_hold import latest_purge_at
from chat.generations.models import Generation
from chat.lib.languages import name_of
from chat.lib.number_format import format_percent
from chat.review.access import BranchReading
from chat.review.access_log.authority import may_act_on
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Case, Category, Flag
from chat.review.cases import holds
from chat.review.models import ConversationStats
from chat.review.personal_data_models import KIND_LABELS
from chat.review.staff import privacy
from chat.review.staff.roles import Role
from chat.review.verdict_models import MessageVerdict
from chat.web.http.js_catalog import catalog
from chat.web.messages.message_out import MessageOut
from chat.web.messages.presenters import for_staff, with_hidden_text
from chat.web.review.http.facet_forms import SOURCE_NAMES, STATE_NAMES
from chat.web.review.live.presenters import authors_of, live_context
from chat.web.review.transcript.note_threads import threads_of
from chat.web.widget.card_links import linked_origins_for

REASONS = {
    "wrong": _("Inaccurate"),
    "misunderstood": _("Misunderstood me"),
    "incomplete": _("Incomplete"),
    "too_long": _("Too long"),
    "harmful": _("Harmful"),
    "other": _("Something else"),
}


#: From which probability a verdict is shown without being opened.
LIKELY_PERCENT = 50


@dataclass(frozen=True, slots=True)
class TranscriptTurn:
    """A message, with what only the staff's transcript shows beside it."""

    message: MessageOut
    attempts: list[dict[str, Any]]
    opinions: list[dict[str, Any]]
    verdict: "ShownVerdict | None" = None
    personal_data: str = ""  # the kinds, in words
    language: str = ""  # its name, unless it is that of the page


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """What a judge has said: the likely categories in words, and each one's percentage."""

    likely: str
    percentages: list[tuple[str, str]]
    stored: MessageVerdict

    @property
    def cost_usd(self) -> float:
        return self.stored.microdollars / 1_000_000


def reason_label(reason: str) -> str:
    """Return the label for the reason of a rating or report."""
    if reason in Flag.Reason.values:
        return str(Flag.Reason(reason).label)
    return str(REASONS.get(reason, ""))


def transcript_context(staff_context: StaffContext, reading: BranchReading) -> dict[str, Any]:
    """Return the template context."""
    conversation = reading.conversation
    may_act = may_act_on(staff_context, conversation.owner)
    authors = authors_of(staff_context, reading.part.messages)
    return {
        "conversation": conversation,
        "person": privacy.shown_user(staff_context.reviewer, conversation.owner),
        "stats": ConversationStats.objects.filter(pk=conversation.pk).first(),
        "turns": [
            _turn(staff_context, reading, each, authors.get(each.pk, ""))
            for each in reading.part.messages
        ],
        "has_earlier": reading.part.has_earlier,
        "is_newest": reading.part.is_newest,
        "leaves": reading.leaves,
        "threads": threads_of(staff_context, conversation),
        "cases": [
            case_context(staff_context, each, reading.flagged, may_judge=may_act)
            for each in reading.cases
        ],
        "live": live_context(staff_context, reading),
        "card_origins": linked_origins_for(conversation.owner_id)
        if conversation.owner.is_visitor
        else "",
        "js_catalog": catalog(),
        "may_act": may_act,
        "may_hold": may_act and staff_context.reviewer.role >= Role.LEAD,
        "is_held": holds.is_liftable(conversation.pk),
        "released_until": holds.released_until(),
        "latest_purge_at": latest_purge_at(conversation),
        "purge_at": holds.purge_at(conversation),
        "key_prefix": _key_prefix(conversation.api_key),
    }


def _key_prefix(key_id: int | None) -> str:
    """Return the beginning of the API key that a conversation was made with; empty for none."""
    if key_id is None:
        return ""
    return ApiKey.objects.filter(pk=key_id).values_list("prefix", flat=True).first() or ""


def _turn(
    staff_context: StaffContext, reading: BranchReading, message: Any, author: str
) -> TranscriptTurn:
    attempts = reading.generations.get(message.pk, [])
    latest = attempts[-1] if attempts else None
    versions = reading.part.versions.get(message.pk, ())
    summary = reading.summaries.get(message.pk, "")
    shown = for_staff(message, latest, author, versions, summary)
    if message.hidden_at:
        shown = with_hidden_text(shown, reading.hidden.get(message.pk), latest)
    opinions = [
        {
            "rating": each,
            "reason": REASONS.get(each.reason, ""),
            "person": privacy.shown_user(staff_context.reviewer, each.user),
        }
        for each in reading.ratings.get(message.pk, [])
    ]
    attempted = [_attempt(each) for each in attempts]
    return TranscriptTurn(
        shown,
        attempted,
        opinions,
        _verdict(reading.verdicts.get(message.pk)),
        kinds_in_words(reading.personal_data.get(message.pk, {})),
        _other_language(reading.languages.get(message.pk, "")),
    )


def kinds_in_words(kinds: Mapping[str, int]) -> str:
    """Return the kinds of personal data, with their numbers if there are several values."""
    named = [(KIND_LABELS[each], kinds[each]) for each in KIND_LABELS if each in kinds]
    return ", ".join(f"{label} ({count})" if count > 1 else str(label) for label, count in named)


def _other_language(code: str) -> str:
    return name_of(code) if code and code != (get_language() or "").partition("-")[0] else ""


def _verdict(stored: MessageVerdict | None) -> ShownVerdict | None:
    if stored is None:
        return None
    told = {
        Category(name): round(100 * sure)
        for name, sure in stored.probabilities.items()
        if name in Category.values  # a newer version may have stored others
    }
    by_size = sorted(told.items(), key=lambda pair: -pair[1])
    shown = [(str(name.label), format_percent(str(percent))) for name, percent in by_size]
    count = sum(percent >= LIKELY_PERCENT for percent in told.values())
    return ShownVerdict(", ".join(map(" ".join, shown[:count])), shown, stored)


def _attempt(generation: Generation) -> dict[str, Any]:
    """Return one call of the model; a continued answer has several."""
    seconds = (generation.milliseconds or 0) / 1000
    tokens = generation.completion_tokens
    return {
        "generation": generation,
        "model": generation.model.rpartition("/")[2],
        "outcome": STATE_NAMES[generation.state],
        "is_stopped": generation.state == Generation.State.STOPPED,
        "first_token_seconds": _seconds(generation.first_token_milliseconds),
        "seconds": _seconds(generation.milliseconds),
        "tokens_per_second": round(tokens / seconds, 1) if tokens and seconds else None,
    }


def case_context(
    staff_context: StaffContext, case: Case, there: set[int], *, may_judge: bool
) -> dict[str, Any]:
    """Return a case with its flags and the actions that are allowed."""
    is_mine = case.assignee_id == staff_context.reviewer.user_id
    leads = staff_context.reviewer.role >= Role.LEAD
    is_open = may_judge and not case.is_resolved
    flags = case.newest_flags
    return {
        "case": case,
        "flags": [
            _flag(staff_context, each) | {"is_there": each.message in there} for each in flags
        ],
        "may_claim": is_open and case.assignee_id is None,
        "may_release": (is_mine and not case.is_resolved)
        or (is_open and leads and case.assignee_id is not None),
        "may_reopen": may_judge
        and case.is_resolved
        and (leads or case.resolved_by_id == staff_context.reviewer.user_id),
        "may_assign": is_open and leads,
        "may_resolve": is_open and (is_mine or leads or case.assignee_id is None),
        **_purge_dates(case),
    }


def _purge_dates(case: Case) -> dict[str, datetime | None]:
    """Return when a decision lets the chat be purged; empty if its owner has not deleted it."""
    if case.is_resolved or case.conversation is None or case.conversation.purge_after is None:
        return {}
    return {
        "purged_if_dismissed": holds.purge_at(case.conversation, without=case),
        "purged_if_confirmed": holds.purge_at(case.conversation),
    }


def _flag(staff_context: StaffContext, flag: Flag) -> dict[str, Any]:
    """Return a flag and its author: a user as staff may see them, a staff member, or a rule."""
    is_staff = flag.source == Flag.Source.STAFF
    who = (
        flag.person
        if is_staff or not flag.person
        else privacy.shown_user(staff_context.reviewer, flag.person)
    )
    return {
        "flag": flag,
        "source": SOURCE_NAMES[flag.source],
        "who": who,
        "reason": reason_label(flag.reason),
    }


def _seconds(milliseconds: int | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000
