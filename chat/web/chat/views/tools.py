"""Serve the menu of tools, with those that needn't ask in a chat."""

import uuid
from urllib.parse import urlsplit

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import Resolver404, ResolverMatch, resolve
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from chat.accounts.preferences import Preferences
from chat.errors import NotFound
from chat.generations.send.tool_decisions import revoke_in_chat
from chat.personas.access import uuid_of
from chat.upstream import available_models
from chat.web.chat.tool_choice import allowed_for_chat, can_use_tools, choices_for_chat
from chat.web.http.tool_fields import name_of
from chat.web.http.typed_requests import MemberRequest


@require_safe
@gzip_page
@never_cache
@login_required
def menu(request: MemberRequest) -> HttpResponse:
    """Return the tools of the chat that the page shows, and which needn't ask, as a fragment.

    `?model=` says which model is chosen, and `?persona=` whose tools a new chat has. A page that
    has the tools already (`?tools_shown=`) gets only the rest: what is ticked there stays.
    """
    user_id, model_id = request.user.pk, request.GET.get("model", "")
    page = _shown_page(request)
    is_stored = page is not None and page.url_name == "conversation"
    conversation_id = page.kwargs["conversation_id"] if page and is_stored else None
    context = {
        "conversation_id": conversation_id,
        "allowed_tools": allowed_for_chat(user_id, conversation_id) if conversation_id else [],
        "unusable_model": "" if can_use_tools(model_id) else available_models.name_of(model_id),
    }
    if "tools_shown" in request.GET:
        response = render(request, "chat/_allowed_tools.html", context)
        response["HX-Retarget"], response["HX-Reswap"] = "#allowed-tools", "outerHTML"
        return response
    context["tools"] = choices_for_chat(
        user_id,
        conversation_id,
        _named(request.GET, "persona"),
        Preferences.of(request.user),
        is_stored=not page or page.url_name != "temporary",
    )
    return render(request, "chat/_tools.html", context)


@require_POST
@never_cache
@login_required
def revocation(request: MemberRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Have a tool ask again in a chat; return those that needn't, or redirect a plain form."""
    user_id, tool = request.user.pk, request.POST.get("tool", "")
    revoke_in_chat(user_id, conversation_id, tool)
    if not request.headers.get("HX-Request"):
        return redirect("chat_options", conversation_id)
    context = {
        "conversation_id": conversation_id,
        "allowed_tools": allowed_for_chat(user_id, conversation_id),
        "revoked": name_of(tool),
    }
    return render(request, "chat/_allowed_tools.html", context)


def _shown_page(request: HttpRequest) -> ResolverMatch | None:
    """Return the page that sends a request; a new chat's address changes once it is stored."""
    try:
        return resolve(urlsplit(request.headers.get("HX-Current-URL", "")).path)
    except (Resolver404, ValueError):
        return None


def _named(parameters: QueryDict, name: str) -> uuid.UUID | None:
    value = parameters.get(name)
    return uuid_of(value, NotFound) if value else None
