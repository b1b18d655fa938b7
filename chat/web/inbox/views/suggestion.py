"""Suggest a reply to who answers a visitor."""

import uuid
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from chat.accounts.models import User
from chat.accounts.principals import principal_of
from chat.inbox.team_access import inbox_of
from chat.knowledge.given import GivenPassage
from chat.web.http.shared_limits import arequire_rate
from chat.web.http.typed_requests import MemberRequest
from chat.web.http.typed_responses import json_response
from chat.website_answers import replies
from chat.website_answers.replies import ChatEnd

SUGGESTIONS_PER_MINUTE = 20


@require_POST
@never_cache
@login_required
async def suggest(request: MemberRequest, key: str, conversation_id: uuid.UUID) -> HttpResponse:
    """Return a reply with what it is based on. Nothing is stored or sent."""
    principal = await principal_of(request)
    await arequire_rate("reply_suggestions", principal.key, SUGGESTIONS_PER_MINUTE)
    chat = await sync_to_async(_read)(principal.user_id, key, conversation_id)
    suggested = await replies.suggest(principal, chat)
    return json_response({"text": suggested.text, "sources": _shown(suggested.sources)})


def _read(user_id: int, key: str, conversation_id: uuid.UUID) -> ChatEnd:
    return replies.read_end(inbox_of(User.objects.get(pk=user_id), key), conversation_id)


def _shown(sources: list[GivenPassage]) -> list[dict[str, Any]]:
    """Return the best passage of each document, or of each page of it."""
    places = {(each.document, each.page): each for each in reversed(sources)}
    return [
        each.as_shown(is_openable=False) | {"is_for_team": each.is_for_team}
        for each in sources
        if places[each.document, each.page] is each
    ]
