"""A visitor turns out to be somebody whom their website knows."""

import uuid
from collections.abc import Callable

from django.db import transaction

from chat.conversations.models import Conversation, Rating
from chat.conversations.search import long_messages
from chat.generations.models import Generation
from chat.widget_sites import visitor_tokens, visitors
from chat.widget_sites.identity import read_identity
from chat.widget_sites.models import Visitor
from chat.widget_sites.site_errors import TokenEnded
from chat.widget_sites.visitor_sessions import Session
from chat.widget_sites.visits import Visit

#: What layers above hand over, from one account to the other.
moves: list[Callable[[int, int], object]] = []


@transaction.atomic
def identify(visit: Visit, jwt: str) -> Session:
    """From now on this browser is who `jwt` says. What was said before anybody knew is theirs too.

    Somebody whom the website knew by another name keeps what is theirs: two people may share a
    browser. All that the browser held before ends.
    """
    identity = read_identity(visit.site, jwt)
    present = Visitor.objects.select_for_update().filter(pk=visit.visitor.pk).first()
    token = visitor_tokens.by_digest(visit.token_digest)
    if present is None or token is None:  # signed out, or identified, a moment earlier
        raise TokenEnded
    known = visitors.known(visit.site, identity.subject, identity.name)
    if not present.subject:
        _hand_over(present, known)
    visitor_tokens.end(token.device)
    return Session(known, visitor_tokens.issue(known))


def _hand_over(stranger: Visitor, known: Visitor) -> None:
    """All that the one owns; the empty account goes with those of visitors who never spoke."""
    mine, theirs = stranger.user_id, known.user_id
    long_messages.index_anew(mine)  # the index has words by owner
    Conversation.objects.filter(owner=mine).update(owner=theirs)
    taken = Generation.objects.filter(owner=theirs).values("send_key")
    for generation in Generation.objects.filter(owner=mine, send_key__in=taken):
        generation.send_key = uuid.uuid4().hex  # nobody sends that one again
        generation.save(update_fields=["send_key"])
    Generation.objects.filter(owner=mine).update(owner=theirs)
    Rating.objects.filter(user=mine).update(user=theirs)
    for move in moves:
        move(mine, theirs)
    if stranger.agreed_at and not known.agreed_at:
        known.agreed_at = stranger.agreed_at
        known.save(update_fields=["agreed_at"])
