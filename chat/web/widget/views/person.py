"""Let a visitor say who they are, ask for a person, leave an address, and rate the help."""

import hashlib
import uuid
from typing import Annotated

import msgspec
from asgiref.sync import sync_to_async
from django.db import transaction
from django.http import JsonResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from chat.accounts.principals import address_for_limits
from chat.conversations import access
from chat.conversations.handoff import human_handoff, takeover, typing_signs
from chat.conversations.handoff.typing_signs import TypingSide
from chat.conversations.models import COMMENT_LENGTH
from chat.database import threads
from chat.errors import NotFound
from chat.inbox import notices, visitor_details, visitor_emails, visitor_mail
from chat.web.http.json_body import read_small_json
from chat.web.http.origin import require_json
from chat.web.http.shared_limits import HOUR_SECONDS, arequire_rate
from chat.web.http.typed_requests import VisitorRequest
from chat.web.widget.person_presenters import shown_person
from chat.widget_sites.models import Visitor

#: Of a visitor, for persons, ratings of their help, and details.
REQUESTS_PER_MINUTE = 10
#: Anybody's address can be entered, so few mails go to an address, and on behalf of a visitor. And
#: of a network address and a site, because anybody can be many visitors. Of each kind of mail.
MAILS_PER_HOUR = 3
NETWORK_MAILS_PER_HOUR = 12
SITE_MAILS_PER_HOUR = 60


class _Address(msgspec.Struct):
    email: str


class _Details(msgspec.Struct):
    name: str = ""
    email: str = ""
    choice: str = ""


class _HelpRating(msgspec.Struct):
    takeover: int
    value: Annotated[int, msgspec.Meta(ge=-1, le=1)]
    comment: Annotated[str, msgspec.Meta(max_length=COMMENT_LENGTH)] = ""


@require_safe
async def person(request: VisitorRequest, conversation_id: uuid.UUID) -> JsonResponse:
    """Return whether a person is answering now; a cheap query, because pages poll it.

    `?typing=1` says that the visitor is typing to that person, and `?typing=0` no longer.
    """
    shown = await threads.readers.run(shown_person, request.visit, conversation_id)
    if shown["person"] and (typing := request.GET.get("typing")):
        await threads.writer.run(
            typing_signs.note, conversation_id, TypingSide.VISITOR, is_typing=typing == "1"
        )
    return JsonResponse(shown)


@require_POST
async def person_request(request: VisitorRequest, conversation_id: uuid.UUID) -> JsonResponse:
    """Note that the visitor wants to talk to a person. Raise `NotFound` if the site offers none."""
    visit = request.visit
    if not visit.site.offers_person:
        raise NotFound
    await arequire_rate("persons", str(visit.visitor.pk), REQUESTS_PER_MINUTE)
    await threads.writer.run(_request_person, visit.visitor.user_id, conversation_id)
    return JsonResponse({"requested": True})


@require_POST
async def seen(request: VisitorRequest, conversation_id: uuid.UUID) -> JsonResponse:
    """Note that the visitor has seen the messages, so that they are not mailed."""
    await threads.writer.run(_mark_seen, request.visit.visitor.user_id, conversation_id)
    return JsonResponse({"seen": True})


@require_POST
async def email(request: VisitorRequest, conversation_id: uuid.UUID) -> JsonResponse:
    """Keep the address for a person's answers; an empty one removes it."""
    require_json(request)
    visit = request.visit
    address = read_small_json(request.body, _Address).email.strip()
    if address:
        if not visit.site.asks_email:
            raise NotFound
        address = visitor_emails.valid_address(address)
        await _limit_mails(request, "visitor_emails", address)
    await threads.writer.run(
        _set_address, visit.visitor.user_id, conversation_id, address, get_language() or ""
    )
    return JsonResponse({"email": address})


@require_POST
async def details(request: VisitorRequest) -> JsonResponse:
    """Store what the visitor enters into the site's form."""
    require_json(request)
    visitor = request.visit.visitor
    sent = read_small_json(request.body, _Details)
    await arequire_rate("visitor_details", str(visitor.pk), REQUESTS_PER_MINUTE)
    given = visitor_details.GivenDetails(sent.name, sent.email, sent.choice)
    await threads.writer.run(visitor_details.store, visitor, given)
    return JsonResponse({"stored": True})


@require_POST
async def transcript(request: VisitorRequest, conversation_id: uuid.UUID) -> JsonResponse:
    """Mail the chat to an address."""
    require_json(request)
    visit = request.visit
    if not visit.site.mails_transcripts:
        raise NotFound
    address = visitor_emails.valid_address(read_small_json(request.body, _Address).email)
    chat = await threads.readers.run(access.conversation_of, visit.visitor.user_id, conversation_id)
    await _limit_mails(request, "transcripts", address)
    mailed = sync_to_async(visitor_mail.send_transcript, thread_sensitive=False)
    await mailed(visit.site, chat, address, get_language() or "")
    return JsonResponse({"email": address})


@require_POST
async def help_rating(request: VisitorRequest, conversation_id: uuid.UUID) -> JsonResponse:
    """Store how a person's help was; `{"value": 0}` withdraws it."""
    require_json(request)
    visitor = request.visit.visitor
    rating = read_small_json(request.body, _HelpRating)
    await arequire_rate("help_ratings", str(visitor.pk), REQUESTS_PER_MINUTE)
    await threads.writer.run(_rate, visitor, conversation_id, rating)
    return JsonResponse({"value": rating.value})


async def _limit_mails(request: VisitorRequest, what: str, address: str) -> None:
    visit = request.visit
    name, _at, domain = address.lower().rpartition("@")
    mailbox = f"{name.partition('+')[0]}@{domain}"
    for kind, who, most in (
        (what, str(visit.visitor.pk), MAILS_PER_HOUR),
        (f"{what}_to", hashlib.sha256(mailbox.encode()).hexdigest(), MAILS_PER_HOUR),
        (f"{what}_from", address_for_limits(request), NETWORK_MAILS_PER_HOUR),
        (f"{what}_of", visit.site.key, SITE_MAILS_PER_HOUR),
    ):
        await arequire_rate(kind, who, most, HOUR_SECONDS)


@transaction.atomic
def _request_person(user_id: int, conversation_id: uuid.UUID) -> None:
    if human_handoff.request_person(access.conversation_of(user_id, conversation_id)):
        notices.add_for_visitor(user_id, notices.Kind.PERSON_REQUESTED, conversation_id)


@transaction.atomic
def _mark_seen(user_id: int, conversation_id: uuid.UUID) -> None:
    visitor_emails.mark_read(access.conversation_of(user_id, conversation_id))


@transaction.atomic
def _set_address(user_id: int, conversation_id: uuid.UUID, address: str, language: str) -> None:
    conversation = access.conversation_of(user_id, conversation_id, to_change=True)
    visitor_emails.set_address(conversation, address, language)


@transaction.atomic
def _rate(visitor: Visitor, conversation_id: uuid.UUID, rating: _HelpRating) -> None:
    conversation = access.conversation_of(visitor.user_id, conversation_id)
    if not takeover.rate(conversation.pk, rating.takeover, rating.value, rating.comment):
        raise NotFound
    if rating.value < 0:
        notices.add(visitor.site, notices.Kind.RATED_BADLY, conversation.pk)
