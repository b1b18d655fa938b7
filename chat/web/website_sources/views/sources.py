"""Show and change what is read of a website, for whoever may change the website."""

import uuid
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat.accounts.principals import principal_of
from chat.database import threads
from chat.errors import BadRequest
from chat.web.http.shared_limits import HOUR_SECONDS, arequire_rate, require_rate
from chat.web.http.typed_requests import MemberRequest
from chat.web.website_sources.forms import SourceForm
from chat.web.website_sources.presenters import sources_context
from chat.web.widget_sites.check_form import likely_address
from chat.website_sources import crawls, sources
from chat.website_sources.preview import preview as preview_of
from chat.widget_sites.access import site_of
from chat.widget_sites.models import WidgetSite

#: Each sends about ten requests.
PREVIEWS_PER_MINUTE = 2
CRAWLS_PER_HOUR = 12  # of a website, by hand


@require_safe
@never_cache
@login_required
def show(request: MemberRequest, key: str) -> HttpResponse:
    """List the sources of a website, and what became of each page."""
    site = site_of(request.user.pk, key)
    form = SourceForm(initial={"address": "" if site.sources.exists() else likely_address(site)})
    return _page(request, site, form)


@require_POST
@never_cache
@login_required
async def preview(request: HttpRequest, key: str) -> HttpResponse:
    """Show which pages a source would read, before it is added."""
    principal = await principal_of(request)
    site = await threads.readers.run(site_of, principal.user_id, key)
    form = SourceForm(request.POST)
    show_page = sync_to_async(_page)
    if not form.is_valid():
        return await show_page(request, site, form)
    await arequire_rate("previews", principal.key, PREVIEWS_PER_MINUTE)
    source = form.source(site)
    source.sitemaps = []
    try:
        found = await preview_of(source)
    except BadRequest as error:
        form.add_error("address", error.public)
        return await show_page(request, site, form)
    context = {"site": site, "source": source, "found": found}
    return await sync_to_async(render)(request, "sites/source_preview.html", context)


@require_POST
@never_cache
@login_required
def add(request: MemberRequest, key: str) -> HttpResponse:
    site = site_of(request.user.pk, key)
    form = SourceForm(request.POST)
    if not form.is_valid():
        return _page(request, site, form)
    require_rate("crawls", site.key, CRAWLS_PER_HOUR, HOUR_SECONDS)
    try:
        sources.add(form.source(site))
    except BadRequest as error:
        form.add_error("address", error.public)
        return _page(request, site, form)
    messages.success(request, _("Added. The pages are being read."))
    return redirect("site_sources", site.key)


@require_POST
@never_cache
@login_required
def crawl(request: MemberRequest, key: str, source_id: uuid.UUID) -> HttpResponse:
    """Read a source again now; one that was stopped goes on."""
    site = site_of(request.user.pk, key)
    source = sources.source_of(site, source_id)
    require_rate("crawls", site.key, CRAWLS_PER_HOUR, HOUR_SECONDS)
    crawls.start(source)
    messages.success(request, _("The pages are being read."))
    return redirect("site_sources", site.key)


@require_POST
@never_cache
@login_required
def stop(request: MemberRequest, key: str, source_id: uuid.UUID) -> HttpResponse:
    site = site_of(request.user.pk, key)
    sources.stop(sources.source_of(site, source_id))
    messages.success(request, _("Stopped. What was read is still used."))
    return redirect("site_sources", site.key)


@require_POST
@never_cache
@login_required
def set_audience(request: MemberRequest, key: str, source_id: uuid.UUID) -> HttpResponse:
    """Keep a source for the team (`is_for_team`), or let visitors get answers from it, too."""
    site = site_of(request.user.pk, key)
    source = sources.source_of(site, source_id)
    require_rate("crawls", site.key, CRAWLS_PER_HOUR, HOUR_SECONDS)
    try:
        sources.set_audience(source, is_for_team="is_for_team" in request.POST)
    except BadRequest as error:
        messages.error(request, error.public)
    else:
        messages.success(request, _("Saved."))
    return redirect("site_sources", site.key)


@require_POST
@never_cache
@login_required
def remove(request: MemberRequest, key: str, source_id: uuid.UUID) -> HttpResponse:
    site = site_of(request.user.pk, key)
    sources.remove(sources.source_of(site, source_id))
    messages.success(request, _("Removed with all its pages."))
    return redirect("site_sources", site.key)


@require_POST
@never_cache
@login_required
def watch(request: MemberRequest, key: str) -> HttpResponse:
    """Choose whether visitors' browsers report changed pages."""
    site = site_of(request.user.pk, key)
    site.watches_pages = "watches" in request.POST
    site.save(update_fields=["watches_pages"])
    messages.success(request, _("Saved."))
    return redirect("site_sources", site.key)


def _page(request: HttpRequest, site: WidgetSite, form: SourceForm) -> HttpResponse:
    context: dict[str, Any] = sources_context(site, request.GET) | {"form": form}
    status = 422 if form.errors else 200
    return render(request, "sites/sources.html", context, status=status)
