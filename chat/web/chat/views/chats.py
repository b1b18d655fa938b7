"""Serve conversations as pages and fragments: the chat page, the sidebar, renaming."""

import uuid
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page, require_http_methods, require_safe
from django_permissions_policy.decorators import permissions_policy_override

from chat.accounts.preferences import Preferences
from chat.accounts.principals import payer_of
from chat.conversations import access, legal_hold, turns
from chat.conversations.images.relayed_images import max_relayed_bytes
from chat.conversations.models import Conversation
from chat.conversations.retention.announced import deletion_of
from chat.database.optional_writes import optional_write
from chat.generations import model_permissions, tool_permissions
from chat.generations.delivery import notifications
from chat.generations.send.masking import is_masked_for
from chat.personas.settings import GenerationSettings
from chat.quotas.allowance import allowance_of
from chat.site_settings import effective
from chat.upstream import available_models
from chat.web.account.usage_lines import shown_allowance
from chat.web.chat.account_notices import account_notices, shown_announcement
from chat.web.chat.collection_choice import choices_for, choices_for_chat
from chat.web.chat.shared_text import shared_text
from chat.web.chat.sidebar import list_context, row_context
from chat.web.chat.tool_choice import allowed_for_chat, names_of_chosen
from chat.web.http import model_choices
from chat.web.http.js_catalog import catalog
from chat.web.http.query_params import message_number
from chat.web.http.toasts import requested_toast
from chat.web.http.typed_requests import MemberRequest
from chat.web.http.typed_responses import json_response
from chat.web.messages.message_out import Audience
from chat.web.messages.presenters import shown_turns
from chat.web.personas.persona_choice import chat_context, new_chat_context
from chat.web.voice.media_models import offers

#: Only pages with a message box may ask for the microphone.
MICROPHONE: dict[str, str | list[str] | tuple[str]] = {
    **settings.PERMISSIONS_POLICY,
    "microphone": "self",
}


@require_safe
@gzip_page
@never_cache
@login_required
@ensure_csrf_cookie
@permissions_policy_override(MICROPHONE)
def new(request: MemberRequest) -> HttpResponse:
    """Show an empty chat; the first message creates the conversation.

    Text that a program shares, or that a link has, is written in the message box, and never sent.
    """
    user_id = request.user.pk
    chosen = new_chat_context(request, request.user)
    if (project := chosen["project"]) and project.is_archived:
        return redirect("project", project.pk)  # it says so, and can be unarchived there
    context = _page(request) | chosen
    context["collections"] = choices_for(
        user_id,
        chosen["persona"].pk if chosen["persona"] else None,
        project.pk if project else None,
        request.GET.getlist("collection"),
    )
    context["toast"] = requested_toast(request, user_id)
    context["shared_text"] = shared_text(request)
    return render(request, "chat/show.html", context)


@require_safe
@gzip_page
@never_cache
@login_required
@ensure_csrf_cookie
@permissions_policy_override(MICROPHONE)
def temporary(request: MemberRequest) -> HttpResponse:
    """Show a temporary chat, which exists only in this browser tab."""
    context = _page(request, is_stored=False) | new_chat_context(request, request.user)
    context |= {"is_temporary": True, "project": None}
    persona_id = context["persona"].pk if context["persona"] else None
    wanted = request.GET.getlist("collection")
    context["collections"] = choices_for(request.user.pk, persona_id, None, wanted)
    context["max_image_bytes"] = max_relayed_bytes()
    return render(request, "chat/show.html", context)


@require_safe
@gzip_page
@never_cache
@login_required
@ensure_csrf_cookie
@permissions_policy_override(MICROPHONE)
def show(request: MemberRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show the stored end of a conversation; the page then streams any running answer.

    The branch is the one used last, or with `?at=<message>` the one through that message. With
    `?before=<message>`, show the earlier turns that lead to that message.
    """
    conversation = access.conversation_of(request.user.pk, conversation_id)
    before, at = (message_number(request.GET.get(name)) for name in ("before", "at"))
    shown = shown_turns(conversation, Audience.MEMBER, before, at)
    if before is None:
        with optional_write():
            turns.mark_read(conversation)
    if not request.accepts("text/html"):  # an open page asks for updates or earlier turns
        return json_response({"title": conversation.title} | shown)
    last_id = shown["turns"][-1].id if shown["turns"] else 0
    context = {"conversation": conversation, "at": at, "last_id": last_id} | shown
    if before is not None:  # read-only page of earlier turns for browsers without scripts
        return render(request, "chat/earlier.html", context)
    answers = any(turn.state == "running" for turn in shown["turns"])
    context |= {"is_running": answers, "latest_purge_at": legal_hold.latest_purge_at(conversation)}
    context |= chat_context(conversation)
    context["collections"] = choices_for_chat(conversation)
    kept = GenerationSettings.read(conversation.generation_settings)
    offered = tool_permissions.offered_to(request.user.pk)
    context["chosen_tools"] = names_of_chosen(kept.all_tools, offered)
    page = _page(request)
    if page["has_expiring_chats"]:
        context["deleted_on"] = deletion_of(conversation, request.user)
    return render(request, "chat/show.html", page | context)


@require_safe
@gzip_page
@never_cache
@conditional_page  # before never_cache: no-store rules out an ETag
@login_required
def sidebar(request: MemberRequest) -> HttpResponse:
    """Return the list of conversations, or a later page of it, as a fragment.

    Scripts send the ETag of the list that they show; browsers do not store it.
    """
    template = "chat/_conversations.html" if "before" in request.GET else "chat/_sidebar.html"
    return render(request, template, list_context(request, request.user.pk))


@require_safe
@gzip_page
@never_cache
@login_required
def models(request: MemberRequest) -> HttpResponse:
    """Return the menu of the models that the user may choose, as a fragment."""
    offered = model_permissions.allowed_to(request.user.pk).values()
    context = model_choices.menu_context(offered, Preferences.of(request.user))
    context["offers_blind_comparison"] = effective.offers_blind_comparison()
    return render(request, "chat/_models.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def title(request: MemberRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show the rename form; on POST, rename and return the conversation's sidebar entry."""
    conversation = access.conversation_of(request.user.pk, conversation_id)
    if request.method != "POST":
        return _form(request, "chat/_rename.html", {"conversation": conversation})
    turns.rename(conversation, request.POST.get("title", ""))
    notifications.notify_from_thread(request.user.pk, "list", conversation_id)
    return _answer(request, "chat/_conversation.html", row_context(conversation))


@require_safe
@never_cache
@login_required
def options(request: MemberRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show the options of a conversation as a page, for browsers without JavaScript."""
    conversation = access.conversation_of(request.user.pk, conversation_id)
    is_pinned = conversation.list_state == Conversation.ListState.PINNED
    context = {"conversation": conversation, "is_pinned": is_pinned}
    context["allowed_tools"] = allowed_for_chat(request.user.pk, conversation_id)
    return render(request, "chat/options.html", context)


def _form(request: MemberRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """Return the form as a fragment for htmx, or as a page of its own without JavaScript."""
    if request.headers.get("HX-Request"):
        return render(request, template, context)
    return render(request, "chat/form.html", context | {"form_template": template})


def _answer(request: MemberRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """Return the fragment for htmx, or redirect a plain form to the chat page."""
    if request.headers.get("HX-Request"):
        return render(request, template, context)
    return redirect(reverse("chat"))


def _page(request: MemberRequest, *, is_stored: bool = True) -> dict[str, Any]:
    user_id = request.user.pk
    preferences = Preferences.of(request.user)
    allowance = allowance_of(payer_of(request, user_id))
    models = model_permissions.allowed_to(user_id, allowance.config_version).values()
    offered = tool_permissions.offered_to(user_id, allowance.config_version, is_stored=is_stored)
    return {
        **list_context(request, user_id),
        **account_notices(user_id, preferences),
        "models": models,
        "suggested_models": model_choices.suggested(models, preferences),
        "chosen_model": preferences.default_model,
        "announcement": shown_announcement(preferences),
        "masks_personal_data": is_masked_for(user_id),
        "is_setup_offered": request.user.is_superuser and not effective.is_checklist_hidden(),
        "can_read_aloud": offers(user_id, "speech", allowance.config_version),
        "is_comparing": "compare" in request.GET and len(models) > 1,
        "offers_blind_comparison": effective.offers_blind_comparison(),
        "uses_emulator": available_models.is_emulated(preferences.default_model),
        # Idempotency key for the form, should the page run without scripts.
        "send_key": uuid.uuid4().hex,
        "max_images": settings.MAX_MESSAGE_IMAGES,
        "max_image_bytes": settings.MAX_IMAGE_BYTES,
        "max_document_bytes": settings.MAX_DOCUMENT_BYTES,
        "js_catalog": catalog(),
        "allowance": shown_allowance(allowance),
        "offers_tools": bool(offered),
        "chosen_tools": names_of_chosen(preferences.default_tools.split(), offered),
        "can_dictate": offers(user_id, "transcription", allowance.config_version),
    }
