"""Merge an anonymous visitor's account into the one that their website identifies."""

import uuid
from collections.abc import Callable

from django.db import transaction

from chat.conversations.images import message_images
from chat.conversations.models import Conversation, Rating
from chat.conversations.retention.models import ExpiryNotice
from chat.conversations.search import long_messages
from chat.generations.models import Generation
from chat.widget_sites import visitor_tokens, visitors
from chat.widget_sites.errors import TokenExpired
from chat.widget_sites.identity import read_identity
from chat.widget_sites.models import Visitor
from chat.widget_sites.visitor_sessions import Session
from chat.widget_sites.visits import Visit

#: Hooks for higher layers: called with the ids of the old and the new user to move what refers to
#: them. What stays with the old one is deleted a day later.
merge_hooks: list[Callable[[int, int], object]] = []


@transaction.atomic
def identify_and_merge(visit: Visit, jwt: str) -> Session:
    """Sign the visitor's browser in as the person named by `jwt`; return the new session.

    An anonymous visitor's chats move to that person. If the website had already identified the
    visitor, nothing moves: two people may share a browser. The browser's previous tokens are
    revoked. Raise `TokenExpired` if the current token is no longer valid.
    """
    identity = read_identity(visit.site, jwt)
    present = Visitor.objects.select_for_update().filter(pk=visit.visitor.pk).first()
    token = visitor_tokens.by_digest(visit.token_digest)
    if present is None or token is None:  # signed out, or identified by a concurrent request
        raise TokenExpired
    known = visitors.find_by_subject(visit.site, identity.subject, identity.name)
    if not present.subject:
        _hand_over(present, known)
    visitor_tokens.end(token.device)
    return Session(known, visitor_tokens.issue(known))


def _hand_over(stranger: Visitor, known: Visitor) -> None:
    """Move everything that `stranger` owns to `known`.

    The empty account is removed later, with those of visitors who never wrote.
    """
    mine, theirs = stranger.user_id, known.user_id
    long_messages.reindex(mine)  # the index stores words by owner
    Conversation.objects.filter(owner=mine).update(owner=theirs)
    ExpiryNotice.objects.filter(owner=mine).update(owner=theirs)
    message_images.move_all(mine, theirs)
    taken = Generation.objects.filter(owner=theirs).values("send_key")
    for generation in Generation.objects.filter(owner=mine, send_key__in=taken):
        generation.send_key = uuid.uuid4().hex  # the old key is not needed for retries any more
        generation.save(update_fields=["send_key"])
    Generation.objects.filter(owner=mine).update(owner=theirs)
    Rating.objects.filter(user=mine).update(user=theirs)
    for move in merge_hooks:
        move(mine, theirs)
    if stranger.agreed_at and not known.agreed_at:
        known.agreed_at = stranger.agreed_at
        known.save(update_fields=["agreed_at"])
