"""Present what a rule matches among past messages."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.conversations.search.query import Query
from chat.conversations.search.snippet import snippet
from chat.lib.number_format import format_number
from chat.review import access
from chat.review.access_log.staff_context import StaffContext, record_empty_search
from chat.review.case_models import Rule
from chat.review.cases import rules
from chat.review.cases.dry_run import DryRun
from chat.review.cases.patterns import MatchedPiece
from chat.review.staff import privacy

BEFORE, LENGTH = 60, 240  # characters of a text before a match, and in all


def hits_of(staff_context: StaffContext, rule: Rule, trial: DryRun) -> list[dict[str, Any]]:
    """Return the newest matches; each is logged like a snippet of a search."""
    messages = access.read_hits(staff_context, trial.ids)
    if not messages:
        record_empty_search(staff_context)
    return [
        {
            "message": each,
            "url": reverse("review_conversation", args=[each.conversation_id]),
            "pieces": _pieces(rule, each.text),
            "person": privacy.shown_user(staff_context.reviewer, each.conversation.owner),
        }
        for each in messages
    ]


def extent_in_words(trial: DryRun) -> str:
    """Say how many messages the rule matches."""
    words = ngettext(
        "Matches in {chats} chat, of {checked} messages checked.",
        "Matches in {chats} chats, of {checked} messages checked.",
        trial.chats,
    )
    counted = words.format(chats=format_number(trial.chats), checked=format_number(trial.checked))
    rest = _("There was no time to check older messages.") if trial.oldest else ""
    return f"{counted} {rest}".strip()


def _pieces(rule: Rule, text: str) -> list[MatchedPiece]:
    """Return the part of the text around its first match, or its beginning."""
    pattern = rules.pattern_of(rule)
    if pattern is None:
        return [MatchedPiece(each.text, False) for each in snippet(text, Query(()))]
    pieces = pattern.pieces(text)
    if pieces and not pieces[0].is_hit and len(pieces[0].text) > BEFORE:
        pieces[0] = MatchedPiece("…" + pieces[0].text[-BEFORE:], False)
    shown, left = [], LENGTH
    for each in pieces:
        shown.append(MatchedPiece(each.text[:left], each.is_hit))
        left -= len(each.text)
        if left <= 0:
            return [*shown, MatchedPiece("…", False)]
    return shown
