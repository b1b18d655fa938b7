"""List what is shared with a member by name, or with one of their groups."""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat.database.optional_writes import optional_write
from chat.sharing import recipients
from chat.web.http.typed_requests import MemberRequest
from chat.web.sharing.sharing_required import requires_sharing


@require_safe
@never_cache
@login_required
@requires_sharing
def show_all(request: MemberRequest) -> HttpResponse:
    """List them, newest first. The notice on the chat page has done its work then."""
    named = recipients.named_in(request.user.pk)
    links = [(each, each.pk in named) for each in recipients.received_links(request.user.pk)]
    if request.method == "GET":
        with optional_write():
            recipients.note_seen(request.user)
    return render(request, "sharing/received.html", {"links": links})


@require_POST
@never_cache
@login_required
@requires_sharing
def remove(request: MemberRequest, link_id: uuid.UUID) -> HttpResponse:
    """Take oneself out of the recipients."""
    recipients.leave(request.user.pk, link_id)
    messages.success(request, _("Removed."))
    return redirect("received_links")
