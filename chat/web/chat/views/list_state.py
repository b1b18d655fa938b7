"""Pin, archive, delete and restore conversations."""

import uuid
from collections.abc import Mapping
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.conversations import access, legal_hold, list_state
from chat.conversations.models import Conversation
from chat.errors import BadRequest, NotFound
from chat.generations.deletion.soft_delete import delete
from chat.generations.delivery import notifications
from chat.web.chat.sidebar import archive_context
from chat.web.http.toasts import (
    NAMES,
    STATES,
    Toast,
    archived_toast,
    deleted_toast,
    moved_toast,
    requested_toast,
)
from chat.web.http.typed_requests import MemberRequest

ARCHIVED = Conversation.ListState.ARCHIVED


@require_safe
@never_cache
@login_required
def archive(request: MemberRequest) -> HttpResponse:
    """List archived chats, which can be read, unarchived or deleted."""
    user_id = request.user.pk
    context = archive_context(request, user_id) | {"toast": requested_toast(request, user_id)}
    return render(request, "chat/archive.html", context)


@require_POST
@never_cache
@login_required
def move(request: MemberRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Pin, archive or unarchive a conversation, as `state` says."""
    conversation = access.conversation_of(request.user.pk, conversation_id)
    target = STATES.get(request.POST.get("state", ""))
    if target is None:
        raise BadRequest(_("Unknown chat state."))
    before = Conversation.ListState(conversation.list_state)
    list_state.set_state(conversation, target)
    _tell(request, conversation)
    if target == ARCHIVED:
        was = NAMES[before]
        toast, query = archived_toast(conversation, was), {"archived": conversation.pk, "was": was}
        return _is_gone(request, conversation, toast, query)
    toast = moved_toast(target, before)
    if request.htmx:
        return _fragment(request, toast)
    messages.success(request, toast.words)
    return redirect(_list(request))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def deletion(request: MemberRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Delete a conversation, which can be restored for a while.

    A conversation under legal hold needs confirmation first, on a page that says how long it is
    kept; requests from scripts are redirected to that page.
    """
    conversation = access.conversation_of(request.user.pk, conversation_id)
    erased_by = legal_hold.latest_purge_at(conversation)
    if request.method != "POST" or (erased_by and "confirmed" not in request.POST):
        if request.htmx:
            return HttpResponse(
                headers={"HX-Redirect": reverse("deletion", args=[conversation.pk])}
            )
        context = {"conversation": conversation, "latest_purge_at": erased_by}
        return render(request, "chat/deletion.html", context)
    delete(conversation)
    _tell(request, conversation)
    query = {"deleted": conversation.pk}
    try:
        hidden = access.deleted_conversation_of(request.user.pk, conversation_id)
    except NotFound:  # this site gives no time to restore
        return _is_gone(request, conversation, Toast(_("Deleted.")), query)
    return _is_gone(request, conversation, deleted_toast(hidden), query)


@require_POST
@never_cache
@login_required
def restoration(request: MemberRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Restore a deleted conversation. Raise `NotFound` if it is too late."""
    conversation = access.deleted_conversation_of(request.user.pk, conversation_id)
    if not list_state.restore(conversation):
        raise NotFound
    _tell(request, conversation)
    if request.htmx:
        return _fragment(request, Toast(_("Chat restored.")))
    return redirect("conversation", conversation.pk)


def _is_gone(
    request: MemberRequest, conversation: Conversation, toast: Toast, query: Mapping[str, object]
) -> HttpResponse:
    """Remove the conversation from the list; redirect to the list if it was the open page."""
    address = f"{_list(request)}?{urlencode(query)}"
    htmx = request.htmx
    if not htmx:
        return redirect(address)
    page = reverse("conversation", args=[conversation.pk])
    if (htmx.current_url_abs_path or "").partition("?")[0] == page:
        return HttpResponse(headers={"HX-Redirect": address})
    return _fragment(request, toast)


def _fragment(request: MemberRequest, toast: Toast) -> HttpResponse:
    response = render(request, "chat/_toast_fragment.html", {"toast": toast})
    response["HX-Trigger-After-Swap"] = "conversations"  # tells the page to reload the list
    return response


def _tell(request: MemberRequest, conversation: Conversation) -> None:
    """Notify the member's other open pages that the list has changed."""
    notifications.notify_from_thread(request.user.pk, "list", conversation.pk)


def _list(request: MemberRequest) -> str:
    """Return the URL of the list that the plain form was submitted from."""
    return reverse("archive" if request.POST.get("from") == "archive" else "chat")
