"""Let a website's owners write answers for its visitors."""

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.web.http.typed_requests import MemberRequest
from chat.web.website_answers import presenters
from chat.web.website_answers.forms import SnippetForm
from chat.website_answers import contradictions, snippets
from chat.website_answers.models import AnswerSnippet
from chat.widget_sites.access import site_of
from chat.widget_sites.models import WidgetSite


@require_safe
@never_cache
@login_required
def show_all(request: MemberRequest, key: str) -> HttpResponse:
    site = site_of(request.user.pk, key)
    answers = presenters.listed(request.user.pk, site, snippets.snippets_of(site))
    shown = {"site": site, "answers": answers}
    return render(request, "sites/answers/list.html", shown)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def new(request: MemberRequest, key: str) -> HttpResponse:
    return _form_page(request, site_of(request.user.pk, key), None)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def change(request: MemberRequest, key: str, snippet_id: uuid.UUID) -> HttpResponse:
    site = site_of(request.user.pk, key)
    return _form_page(request, site, snippets.snippet_of(site, snippet_id))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def deletion(request: MemberRequest, key: str, snippet_id: uuid.UUID) -> HttpResponse:
    """Delete an answer, after confirmation."""
    site = site_of(request.user.pk, key)
    snippet = snippets.snippet_of(site, snippet_id)
    if request.method != "POST":
        shown = {"site": site, "snippet": snippet}
        return render(request, "sites/answers/deletion.html", shown)
    snippets.remove(snippet)
    messages.success(request, _("Deleted."))
    return redirect("site_answers", site.key)


@require_POST
@never_cache
@login_required
def dismissal(request: MemberRequest, key: str, snippet_id: uuid.UUID) -> HttpResponse:
    """No longer show what contradicts an answer."""
    contradictions.dismiss(snippets.snippet_of(site_of(request.user.pk, key), snippet_id))
    messages.success(request, _("Dismissed."))
    return redirect("site_answers", key)


def _form_page(
    request: MemberRequest, site: WidgetSite, known: AnswerSnippet | None
) -> HttpResponse:
    form = SnippetForm(request.POST if request.method == "POST" else None, known)
    if form.is_bound and form.is_valid() and form.save(site, request.user):
        messages.success(request, _("Saved. The chat uses it within seconds."))
        return redirect("site_answers", site.key)
    shown: dict[str, Any] = {"site": site, "form": form, "known": known}
    return render(request, "sites/answers/form.html", shown, status=422 if form.errors else 200)
