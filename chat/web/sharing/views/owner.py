"""Serve a member's shared links: the dialog of a chat, and the list of all links."""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.conversations import access
from chat.conversations.models import Conversation
from chat.errors import CannotShare
from chat.sharing import links
from chat.sharing.access import link_of
from chat.sharing.recipients import set_recipients
from chat.sharing.snapshot import SharedBranch, branch_of
from chat.web.http.js_catalog import catalog
from chat.web.http.shared_limits import require_rate
from chat.web.http.typed_requests import MemberRequest
from chat.web.sharing.forms import RecipientsForm, ShareForm
from chat.web.sharing.sharing_required import requires_sharing

LINKS_PER_MINUTE = 10  # each copies up to a million characters


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@requires_sharing
def conversation(request: MemberRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show what a link would share and the chat's links; a POST creates a link."""
    own_conversation = access.conversation_of(request.user.pk, conversation_id)
    if request.method != "POST":
        return _letter(request, own_conversation)
    form = ShareForm(request.POST, request.user.pk)
    if not form.is_valid():
        return _letter(request, own_conversation, form=form, status=422)
    require_rate("links", str(own_conversation.owner_id), LINKS_PER_MINUTE)
    try:
        links.make(own_conversation, form.choices(), form.cleaned_data["last"])
    except CannotShare as error:
        return _letter(
            request, own_conversation, problem=error.public, form=form, status=error.status
        )
    return _done(request, own_conversation, _("Link created."))


@require_safe
@never_cache
@login_required
@requires_sharing
def list_links(request: MemberRequest) -> HttpResponse:
    """List all links of the member."""
    context = {"links": links.links_of(request.user.pk), "js_catalog": catalog()}
    return render(request, "sharing/links.html", context)


@require_POST
@never_cache
@login_required
@requires_sharing
def revoke(request: MemberRequest, link_id: uuid.UUID) -> HttpResponse:
    link = link_of(request.user.pk, link_id)
    links.revoke(link)
    return _done(request, link.conversation, _("Link revoked."))


@require_POST
@never_cache
@login_required
@requires_sharing
def update(request: MemberRequest, link_id: uuid.UUID) -> HttpResponse:
    """Have the link show the chat as it is now."""
    link = link_of(request.user.pk, link_id)
    require_rate("links", str(link.owner_id), LINKS_PER_MINUTE)
    try:
        links.update(link)
    except CannotShare as error:
        return _done(request, link.conversation, problem=error.public)
    return _done(request, link.conversation, _("The link shows the chat as it is now."))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@requires_sharing
def change_recipients(request: MemberRequest, link_id: uuid.UUID) -> HttpResponse:
    """Show whom a link is for; a POST changes it, and the address stays."""
    link = link_of(request.user.pk, link_id)
    posted = request.method == "POST"
    form = RecipientsForm(request.POST if posted else None, request.user.pk, link)
    if posted and form.is_valid():
        require_rate("links", str(link.owner_id), LINKS_PER_MINUTE)
        try:
            set_recipients(link, form.recipients())
        except CannotShare as error:
            return _done(request, link.conversation, problem=error.public)
        return _done(request, link.conversation, _("Saved."))
    is_part = bool(request.headers.get("HX-Request"))
    is_in_chat = (request.POST if posted else request.GET).get("from") == "chat"
    context = {"link": link, "form": form, "is_in_chat": is_in_chat, "is_part": is_part}
    template = "sharing/_recipients.html" if is_part else "sharing/recipients.html"
    return render(request, template, context, status=422 if form.errors else 200)


def _done(
    request: MemberRequest, conversation: Conversation, note: str = "", problem: str = ""
) -> HttpResponse:
    """Return the dialog again; without scripts, redirect to the page that the form was on."""
    if request.headers.get("HX-Request"):
        return _letter(request, conversation, note=note, problem=problem)
    if problem:
        messages.error(request, problem)
    else:
        messages.success(request, note)
    if request.POST.get("from") == "chat":
        return redirect("sharing", conversation.pk)
    return redirect("shared_links")


def _letter(
    request: MemberRequest,
    conversation: Conversation,
    *,
    note: str = "",
    problem: str = "",
    form: ShareForm | None = None,
    status: int = 200,
) -> HttpResponse:
    branch = SharedBranch([], {})
    try:
        branch = branch_of(conversation)
        links.require_capacity(conversation.owner_id)
    except CannotShare as error:
        problem = error.public
    context = {
        "conversation": conversation,
        "branch": branch,
        "form": form or ShareForm(None, request.user.pk, last=branch.last and branch.last.pk),
        "links": links.links_of(conversation.owner_id).filter(conversation=conversation),
        "note": note,
        "problem": problem,
    }
    if request.headers.get("HX-Request"):
        return render(request, "sharing/_email_link.html", context, status=status)
    context["js_catalog"] = catalog()
    return render(request, "sharing/conversation.html", context, status=status)
