"""A conversation as the staff reads it: all branches, and what became of each answer."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from chat.pages.review.forms import STATE_NAMES
from chat.pages.review.live import author_of, live_part
from chat.pages.shown import as_dict
from chat.pages.words import words
from chat.relay.models import Generation
from chat.review import privacy
from chat.review.access import Reading
from chat.review.audit import Look
from chat.review.models import Facts, Note

REASONS = {
    "wrong": _("It is not true"),
    "misunderstood": _("It misunderstood me"),
    "incomplete": _("Something is missing"),
    "too_long": _("It is too long"),
    "harmful": _("It is harmful"),
    "other": _("Something else"),
}


def shown_reading(look: Look, reading: Reading) -> dict[str, Any]:
    """What the template names."""
    conversation = reading.conversation
    return {
        "conversation": conversation,
        "person": privacy.shown(look.reviewer, conversation.owner),
        "facts": Facts.objects.filter(pk=conversation.pk).first(),
        "turns": [_turn(look, reading, message) for message in reading.part.messages],
        "has_earlier": reading.part.has_earlier,
        "is_newest": reading.part.is_newest,
        "leaves": reading.leaves,
        "notes": _notes(look, reading),
        "live": live_part(look, reading),
        "words": words(),
    }


def _turn(look: Look, reading: Reading, message: Any) -> dict[str, Any]:
    attempts = reading.generations.get(message.pk, [])
    turn = as_dict(message, attempts[-1] if attempts else None, None)
    turn["author"] = author_of(message)
    if versions := reading.part.versions.get(message.pk):
        turn["versions"] = versions
    turn["attempts"] = [_attempt(each) for each in attempts]
    turn["opinions"] = [
        {
            "rating": each,
            "reason": REASONS.get(each.reason, ""),
            "person": privacy.shown(look.reviewer, each.user),
        }
        for each in reading.ratings.get(message.pk, [])
    ]
    return turn


def _attempt(generation: Generation) -> dict[str, Any]:
    """One call of the model; an answer that goes on has several."""
    seconds = (generation.milliseconds or 0) / 1000
    tokens = generation.completion_tokens
    return {
        "generation": generation,
        "outcome": STATE_NAMES[generation.state],
        "is_stopped": generation.state == Generation.State.STOPPED,
        "first_token_seconds": _seconds(generation.first_token_milliseconds),
        "seconds": _seconds(generation.milliseconds),
        "tokens_per_second": round(tokens / seconds, 1) if tokens and seconds else None,
    }


def _seconds(milliseconds: int | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000


def _notes(look: Look, reading: Reading) -> list[dict[str, Any]]:
    notes = Note.objects.filter(conversation=reading.conversation).select_related("author")
    return [{"note": each, "is_own": each.author_id == look.reviewer.user_id} for each in notes]
