"""What a link shows, to whoever holds it; and the way from there into a chat of one's own.

The middleware gives these pages a policy of their own: chat/content_security.py.
"""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat.pages.if_shared import if_shared
from chat.pages.words import words
from chat.sharing import links
from chat.sharing.access import open_link
from chat.sharing.continuing import continue_from


@require_safe
@never_cache
@if_shared
def show(request: HttpRequest, token: str) -> HttpResponse:
    """The copy. That it was opened is counted, but for its owner's own looks."""
    link = open_link(token)
    if request.method == "GET" and link.owner_id != request.user.pk:
        links.count_opening(link)
    context = {"link": link, "turns": link.turns, "token": token, "words": words()}
    return render(request, "sharing/shared.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@if_shared
def continuation(request: HttpRequest, token: str) -> HttpResponse:
    """Asks, then copies.

    A page of its own, for a form on the shared one could not be sent: under `no-referrer` a browser
    does not say where a form comes from, and that is what proves it is ours.
    """
    link = open_link(token)
    if request.method == "POST":
        assert request.user.pk is not None  # noqa: S101  (login_required)
        return redirect("conversation", continue_from(link, request.user.pk).pk)
    response = render(request, "sharing/continuation.html", {"link": link, "token": token})
    response["Referrer-Policy"] = "same-origin"
    return response
