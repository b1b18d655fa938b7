"""Show a shared chat to those whom its link is for, and copy it into the viewer's own chats.

These pages have a content security policy of their own: chat/middleware/content_security.py.
"""

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat.accounts.principals import address_for_limits, principal_of
from chat.conversations.models import Conversation
from chat.database import bulk_writes, threads
from chat.database.optional_writes import optional_write
from chat.sharing import links
from chat.sharing.access import link_without_turns, open_link, shared_image
from chat.sharing.continue_chat import copy_shared_chat
from chat.sharing.models import SharedLink
from chat.web.http.files.image_file import image_response
from chat.web.http.js_catalog import catalog
from chat.web.http.shared_limits import HOUR_SECONDS, require_rate
from chat.web.messages.presenters import for_shared_reader
from chat.web.sharing.sharing_required import requires_sharing

COPIES_PER_HOUR = 30  # per member; no model is asked, so no other limit applies
OPENINGS_PER_MINUTE = 30  # per address; each loads and renders a snapshot for anyone

IMAGES_PER_MINUTE = 300  # per address


@require_safe
@never_cache
@requires_sharing
def show(request: HttpRequest, token: str) -> HttpResponse:
    """Show the snapshot. Views are counted, except the owner's."""
    require_rate("shared", address_for_limits(request), OPENINGS_PER_MINUTE)
    link = open_link(token, request.user.pk)
    if request.method == "GET" and link.owner_id != request.user.pk:
        with optional_write():
            links.count_opening(link)
    shown = [for_shared_reader(turn) for turn in link.turns]
    context = {"link": link, "turns": shown, "token": token, "js_catalog": catalog()}
    return render(request, "sharing/shared.html", context)


@require_safe
@never_cache
@requires_sharing
def image(request: HttpRequest, token: str, digest: str) -> HttpResponse:
    """Return an image that the link shows."""
    require_rate("shared_images", address_for_limits(request), IMAGES_PER_MINUTE)
    return image_response(shared_image(token, digest, request.user.pk))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@requires_sharing
async def continuation(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for confirmation, then copy the chat.

    It is a page of its own, because a form on the shared page would fail the origin check: under
    `no-referrer`, browsers do not send the form's origin.
    """
    if request.method == "POST":
        user_id = (await principal_of(request)).user_id
        copy = await bulk_writes.run_exclusively(user_id, _copy(token, user_id))
        return redirect("conversation", copy.pk)
    return await _question(request, token)


async def _copy(token: str, user_id: int) -> Conversation:
    link = await threads.readers.run(_link_to_copy, token, user_id)
    return await bulk_writes.run_in_steps(copy_shared_chat(link, user_id))


def _link_to_copy(token: str, user_id: int) -> SharedLink:
    link_without_turns(token, user_id)  # links that do not exist are not counted
    require_rate("continued", str(user_id), COPIES_PER_HOUR, HOUR_SECONDS)
    return open_link(token, user_id)


@sync_to_async
def _question(request: HttpRequest, token: str) -> HttpResponse:
    link = link_without_turns(token, request.user.pk)
    response = render(request, "sharing/continuation.html", {"link": link, "token": token})
    response["Referrer-Policy"] = "same-origin"
    return response
