"""Serve a member's tags: the page of all of them, and the tags of one chat."""

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from chat.conversations import selection
from chat.conversations.access import conversation_of
from chat.generations.delivery import notifications
from chat.projects import access
from chat.web.http.toasts import Toast
from chat.web.http.typed_requests import MemberRequest
from chat.web.projects.forms import TagForm
from chat.web.projects.selection_answer import toast_fragment


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def show_all(request: MemberRequest) -> HttpResponse:
    """List the member's tags; on POST, create one."""
    form = TagForm(request.POST if request.method == "POST" else None, request.user.pk)
    if form.is_bound and form.is_valid():
        form.save()
        return redirect("tags")
    present = Count("conversations", filter=Q(conversations__purge_after=None))
    tags = access.tags_of(request.user.pk).annotate(chats=present)
    context = {"tags": tags, "form": form}
    return render(request, "tags/list.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def change(request: MemberRequest, tag_id: uuid.UUID) -> HttpResponse:
    """Rename a tag or change its color."""
    tag = access.tag_of(request.user.pk, tag_id)
    form = TagForm(request.POST if request.method == "POST" else None, request.user.pk, tag)
    if form.is_bound and form.is_valid():
        form.save()
        notifications.notify_from_thread(request.user.pk, "list")
        messages.success(request, _("Saved."))
        return redirect("tags")
    context = {"form": form, "tag": tag}
    return render(request, "tags/form.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def deletion(request: MemberRequest, tag_id: uuid.UUID) -> HttpResponse:
    """Delete a tag after confirmation. Its chats stay."""
    tag = access.tag_of(request.user.pk, tag_id)
    if request.method != "POST":
        return render(request, "tags/deletion.html", {"tag": tag})
    tag.delete()
    notifications.notify_from_thread(request.user.pk, "list")
    return redirect("tags")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def chat_tags(request: MemberRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show the tags of a chat to choose from; on POST, set them, and create a `name`d one."""
    user_id = request.user.pk
    conversation = conversation_of(user_id, conversation_id)
    context: dict[str, Any] = {"conversation": conversation}
    if request.method == "POST":
        chosen = access.some_tags_of(user_id, request.POST.getlist("tag"))
        form = TagForm(request.POST, user_id)
        if not request.POST.get("name", "").strip() or form.is_valid():
            made = [form.save()] if form.is_bound and form.data.get("name", "").strip() else []
            selection.set_tags(conversation, [*chosen, *made])
            notifications.notify_from_thread(user_id, "list", conversation.pk)
            if request.htmx:
                return toast_fragment(request, Toast(_("Tags saved.")))
            messages.success(request, _("Tags saved."))
            return redirect("conversation", conversation.pk)
        context |= {"form": form, "chosen": {each.pk for each in chosen}}
    else:
        chosen_ids = conversation.tags.values_list("pk", flat=True)
        context |= {"form": TagForm(None, user_id), "chosen": set(chosen_ids)}
    context["tags"] = access.tags_of(user_id)
    template = "tags/_dialog.html" if request.htmx else "tags/chat.html"
    return render(request, template, context, status=422 if context["form"].errors else 200)
