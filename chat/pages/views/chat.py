"""The chat page and its fragments."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from chat.pages.starters import starters
from chat.relay import clients, models_on_offer


@require_safe
@never_cache
@login_required
@ensure_csrf_cookie
def show(request: HttpRequest) -> HttpResponse:
    """The conversation of this tab."""
    context = {
        "models": models_on_offer.on_offer().values(),
        "uses_emulator": clients.uses_emulator(),
        "starters": starters(),
    }
    return render(request, "chat/show.html", context)


@require_safe
@never_cache
@login_required
def connection(request: HttpRequest) -> HttpResponse:
    """What the emulator badge opens: how to connect a real account."""
    return render(request, "chat/_connection.html")
