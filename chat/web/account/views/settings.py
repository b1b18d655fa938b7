"""Serve a member's settings. Each change is saved at once; without scripts, by a Save button."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.generations.model_permissions import allowed_to
from chat.web.account.forms import PersonalizationForm, SettingsForm
from chat.web.http.js_catalog import catalog
from chat.web.http.typed_requests import MemberRequest
from chat.web.personas.persona_choice import offered_personas


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@ensure_csrf_cookie
def settings(request: MemberRequest) -> HttpResponse:
    before = Preferences.of(request.user)
    sent = request.POST if request.method == "POST" else None
    form = SettingsForm(
        sent, before, offered_personas(request.user.pk), allowed_to(request.user.pk)
    )
    if not form.is_bound or not form.is_valid():
        return _page(request, form)
    form.preferences().save(request.user)
    return _saved(request, before.language != form.preferences().language)


def _page(request: MemberRequest, form: SettingsForm) -> HttpResponse:
    template = "settings/_form.html" if request.headers.get("HX-Request") else "settings/show.html"
    status = 422 if form.errors else 200
    context = {"form": form, "js_catalog": catalog()}
    response = render(request, template, context, status=status)
    if request.headers.get("HX-Request"):
        response["HX-Retarget"], response["HX-Reswap"] = "#settings", "outerHTML"
    return response


def _saved(request: HttpRequest, in_another_language: bool) -> HttpResponse:
    """Confirm that settings were saved; reload the page if the language has changed."""
    if request.headers.get("HX-Request") and not in_another_language:
        return render(request, "settings/_saved.html")
    language = Preferences.of(request.user).language
    with translation.override(language or translation.get_language_from_request(request)):
        messages.success(request, _("Saved."))
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Refresh": "true"})
    return redirect("settings")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def personalization(request: MemberRequest) -> HttpResponse:
    if request.method == "POST":
        return _personalize(request)
    form = PersonalizationForm(None, request.user.pk, Preferences.of(request.user))
    return render(request, "settings/personalization.html", {"form": form})


@transaction.atomic
def _personalize(request: MemberRequest) -> HttpResponse:
    # Answers add to what the form changes.
    user = User.all_objects.select_for_update(no_key=True).get(pk=request.user.pk)
    form = PersonalizationForm(request.POST, user.pk, Preferences.of(user))
    if not form.is_valid():
        return render(request, "settings/personalization.html", {"form": form}, status=422)
    form.preferences().save(user)
    messages.success(request, _("Saved."))
    return redirect("personalization")
