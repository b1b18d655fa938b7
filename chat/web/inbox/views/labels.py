"""Let a site's team make labels, and set those of a chat."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from chat.errors import BadRequest
from chat.inbox import labels
from chat.inbox.team_access import Inbox
from chat.web.http.typed_requests import MemberRequest
from chat.web.inbox.handling_forms import ChatLabelsForm, NewLabelForm
from chat.web.inbox.team_requests import for_team, show
from chat.web.inbox.views.chats import back_to, page


@require_http_methods(["GET", "HEAD", "POST"])
@for_team
def show_all(request: MemberRequest, inbox: Inbox) -> HttpResponse:
    """Show the site's labels; add one."""
    form = NewLabelForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            labels.add_label(inbox.site, form.cleaned_data["name"])
        except BadRequest as error:
            form.add_error("name", error.public)
        else:
            messages.success(request, _("Label added."))
            return redirect("inbox_labels", inbox.site.key)
    context = {"form": form, "labels": labels.labels_of(inbox.site)}
    return show(request, inbox, "labels.html", context, 422 if form.errors else 200)


@require_POST
@for_team
def removal(request: MemberRequest, inbox: Inbox, label_id: int) -> HttpResponse:
    """Remove a label, also from its chats."""
    labels.label_of(inbox.site, label_id).delete()
    messages.success(request, _("Label removed."))
    return redirect("inbox_labels", inbox.site.key)


@require_POST
@for_team
def of_chat(request: MemberRequest, inbox: Inbox, conversation_id: uuid.UUID) -> HttpResponse:
    """Set the labels of a chat."""
    form = ChatLabelsForm(inbox.site, request.POST)
    if not form.is_valid():
        return page(request, inbox, conversation_id, status=422, labels_form=form)
    labels.set_labels(inbox, conversation_id, form.cleaned_data["labels"])
    return back_to(inbox, conversation_id, "labels")
