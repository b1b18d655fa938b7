"""Serve the menu of tools."""

import uuid

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from chat.accounts.preferences import Preferences
from chat.errors import NotFound
from chat.personas.access import uuid_of
from chat.upstream import available_models
from chat.web.chat.tool_choice import can_use_tools, choices_for_chat
from chat.web.http.typed_requests import MemberRequest


@require_safe
@gzip_page
@never_cache
@login_required
def menu(request: MemberRequest) -> HttpResponse:
    """Return the tools of a chat as a fragment; `?model=` says which model is chosen."""
    model = request.GET.get("model", "")
    choices = choices_for_chat(
        request.user.pk,
        _named(request.GET, "conversation"),
        _named(request.GET, "persona"),
        Preferences.of(request.user),
    )
    known = available_models.known(model)
    context = {
        "tools": choices,
        "is_usable": can_use_tools(model),
        "model_name": known.name if known else model,
    }
    return render(request, "chat/_tools.html", context)


def _named(parameters: QueryDict, name: str) -> uuid.UUID | None:
    value = parameters.get(name)
    return uuid_of(value, NotFound) if value else None
