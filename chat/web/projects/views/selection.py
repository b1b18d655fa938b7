"""Change several chats at once: move, tag, archive, pin or delete them, with Undo."""

import uuid
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat.conversations.access import conversation_of
from chat.conversations.selection import MAX_SELECTED
from chat.errors import BadRequest
from chat.generations.delivery import notifications
from chat.projects import access
from chat.web.http.toasts import Toast
from chat.web.http.typed_requests import MemberRequest
from chat.web.projects.selection_actions import ACTIONS, Done
from chat.web.projects.selection_answer import toast_fragment

#: The dialogs and panels of `targets`.
TEMPLATES = {
    "project": "projects/_targets.html",
    "tag": "tags/_targets.html",
    "filter": "tags/_filter.html",
    "drop": "projects/_drop_targets.html",
}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def selection(request: MemberRequest) -> HttpResponse:
    """Return the bar of actions; on POST, apply one to the chats named by `chat`."""
    if request.method != "POST":
        return render(request, "projects/_selection.html")
    action = _action(request.POST)
    chats = request.POST.getlist("chat")
    if not 1 <= len(set(chats)) <= MAX_SELECTED:
        words = _("Select 1 to {most} chats.")
        raise BadRequest(words.format(most=MAX_SELECTED))
    done = action(request.user.pk, chats, request.POST)
    notifications.notify_from_thread(request.user.pk, "list")
    return _answer(request, done)


@require_safe
@never_cache
@login_required
def targets(request: MemberRequest) -> HttpResponse:
    """Return the projects or tags to choose from for the selected chats, or to filter by."""
    template = TEMPLATES.get(request.GET.get("for", ""))
    if template is None:
        raise BadRequest
    return render(request, template, _targets(request.user.pk))


@require_safe
@never_cache
@login_required
def chat_project(request: MemberRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Return the projects to move one chat to, as a dialog or a page."""
    conversation = conversation_of(request.user.pk, conversation_id)
    context = {"conversation": conversation, "projects": access.projects_of(request.user.pk)}
    template = "projects/_dialog.html" if request.htmx else "projects/chat.html"
    return render(request, template, context)


def _targets(user_id: int) -> Mapping[str, Any]:
    projects = access.projects_of(user_id).defer("instructions")
    return {"projects": projects, "tags": access.tags_of(user_id)}


def _action(fields: QueryDict) -> Callable[[int, list[str], QueryDict], Done]:
    for name, action in ACTIONS.items():
        if name in fields:
            return action
    raise BadRequest


def _answer(request: MemberRequest, done: Done) -> HttpResponse:
    undo = reverse("selection") if done.undo else ""
    toast = Toast(done.words, done.seconds, undo, fields=done.undo)
    if not request.htmx:
        messages.success(request, done.words)
        return redirect("chat")
    open_id = _open_chat(request)
    if open_id in done.gone:
        request.session["toast"] = [toast.words, toast.seconds, toast.undo, toast.fields]
        return HttpResponse(headers={"HX-Redirect": f"{reverse('chat')}?{urlencode({'done': 1})}"})
    if open_id is None or str(open_id) not in request.POST.getlist("chat"):
        return toast_fragment(request, toast)
    project = conversation_of(request.user.pk, open_id).project
    return toast_fragment(request, toast, shows_project=True, project=project)


def _open_chat(request: MemberRequest) -> uuid.UUID | None:
    """Return the chat whose page sent the request."""
    try:
        match = resolve((request.htmx.current_url_abs_path or "").partition("?")[0])
    except Resolver404:
        return None
    return match.kwargs["conversation_id"] if match.url_name == "conversation" else None
