"""Let administrators connect the model provider, try it, and choose its models."""

from dataclasses import asdict
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from chat.errors import NotFound
from chat.lib.text import natural_key
from chat.review.access_log.staff_context import StaffContext
from chat.review.model_catalogue import actions as catalogue_actions
from chat.review.site_setup import actions as site_actions
from chat.review.site_setup import checklist
from chat.site_settings import effective, stored_settings
from chat.site_settings.provider_connection import ProviderConnection
from chat.upstream import available_models, factory
from chat.upstream.catalogue import service_changes
from chat.upstream.connection_check import chat_models, try_connection
from chat.upstream.local_servers import LocalServer, find_servers
from chat.web.review.http.staff_access import (
    acting_administrators,
    administrators,
    allow_connections,
    show,
)
from chat.web.review.site_settings.presenters import TrialOut, shown_trial, usual_reason
from chat.web.review.site_settings.provider_form import ProviderForm


@sensitive_post_parameters("token")
@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def connect(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Show and store the connection; with `disconnect`, remove it."""
    if effective.is_provider_in_environment():
        return _show_form(request, staff_context, ProviderForm(None, None))
    stored = stored_settings.read().connection
    if request.method == "POST" and "disconnect" in request.POST:
        site_actions.save_connection(staff_context, None)
        messages.success(request, _("Disconnected."))
        return _next_page()
    form = ProviderForm(request.POST if request.method == "POST" else None, stored)
    if request.method == "POST" and form.is_valid():
        site_actions.save_connection(staff_context, form.connection())
        if "offer" in request.POST:
            _offer_all(staff_context)
        messages.success(request, _("Connected. Applies everywhere within two seconds."))
        return _next_page()
    return _show_form(request, staff_context, form)


@sensitive_post_parameters("token")
@require_POST
@administrators
def try_out(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Ask a model through the entered connection, which is not stored.

    Scripts get JSON and show it beside the form. It changes nothing, so it needs no reason.
    """
    is_fixed = effective.is_provider_in_environment()
    form = ProviderForm(request.POST, None if is_fixed else stored_settings.read().connection)
    trial: TrialOut | None = None
    if is_fixed or form.is_valid():
        trial = _tried(None if is_fixed else form.connection())
    if request.accepts("text/html"):
        return _show_form(request, staff_context, form, trial)
    if trial is None:
        problems = [str(text) for texts in form.errors.values() for text in texts]
        return JsonResponse(
            {"is_ok": False, "title": " ".join(problems), "answer": "", "notes": []}
        )
    return JsonResponse(asdict(trial))


@require_POST
@administrators
def find_local(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Look for model servers on this machine. Nothing is sent to them but the question."""
    if effective.is_provider_in_environment() or not settings.PRIVATE_PROVIDERS:
        raise NotFound
    found = async_to_sync(find_servers)()
    form = ProviderForm(None, stored_settings.read().connection)
    return _show_form(request, staff_context, form, found=found)


def _offer_all(staff_context: StaffContext) -> None:
    """Offer what the new provider has for chats. If it can't be asked, the next page says so."""
    changes = service_changes.find_main_changes()
    if names := chat_models(changes.names):
        catalogue_actions.offer_from_provider(staff_context, changes, names)


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def choose_models(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Choose which of the provider's models members can use."""
    changes = service_changes.find_main_changes()
    chosen = set(request.POST.getlist("model"))
    problem = ""
    if request.method == "POST" and not changes.error:
        try:
            names = set(changes.names)
            catalogue_actions.offer_from_provider(staff_context, changes, chosen & names)
        except ValidationError as error:
            problem = " ".join(error.messages)
        else:
            messages.success(request, _("Saved. Applies from the next message."))
            return redirect("review_models")
    offered = {
        each.provider_id for each in available_models.offered_models().values() if not each.provider
    }.intersection(changes.names)
    only = set(changes.names) if len(changes.names) == 1 else set()
    in_order = sorted(changes.names, key=natural_key)
    context = {
        "models": [(name, name in (chosen or offered or only)) for name in in_order],
        "needs_models": not offered,
        "error": changes.error.public if changes.error else "",
        "problem": problem,
        "usual_reason": usual_reason(),
    }
    status = 422 if problem else 200
    return show(request, staff_context, "site_settings/choose_models.html", context, status=status)


def _tried(connection: ProviderConnection | None) -> TrialOut:
    return shown_trial(async_to_sync(try_connection)(connection))


def _next_page() -> HttpResponse:
    """Return the way to the models if the provider may not have those that are offered."""
    return redirect("review_provider_models" if checklist.needs_models() else "review_provider")


def _show_form(
    request: HttpRequest,
    staff_context: StaffContext,
    form: ProviderForm,
    trial: TrialOut | None = None,
    found: list[LocalServer] | None = None,
) -> HttpResponse:
    is_fixed = effective.is_provider_in_environment()
    context: dict[str, Any] = {
        "form": form,
        "trial": trial,
        "found": found,
        "may_be_local": settings.PRIVATE_PROVIDERS and not is_fixed,
        "is_fixed": is_fixed,
        "address": factory.endpoint() if is_fixed else None,
        "is_connected": bool(form.stored),
        "usual_reason": usual_reason(),
    }
    status = 422 if form.errors and not is_fixed else 200
    page = show(request, staff_context, "site_settings/provider.html", context, status=status)
    return allow_connections(page)
