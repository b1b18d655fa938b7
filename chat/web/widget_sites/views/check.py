"""Check a page of an owner's website for problems that would block the chat."""

import asyncio
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from chat.accounts.principals import principal_of
from chat.database import threads
from chat.errors import BadRequest
from chat.web.http.shared_limits import arequire_rate
from chat.web.widget_sites.check_form import WidgetCheckForm, likely_address
from chat.web.widget_sites.script_tag import script_address
from chat.widget_sites.access import site_of
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.site_check.fetching import fetch, fetch_own
from chat.widget_sites.site_check.findings import findings_of

CHECKS_PER_MINUTE = 10


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
async def check(request: HttpRequest, key: str) -> HttpResponse:
    principal = await principal_of(request)
    site = await threads.readers.run(site_of, principal.user_id, key)
    if request.method != "POST":
        return await _page(
            request, site, WidgetCheckForm(initial={"address": likely_address(site)})
        )
    form = WidgetCheckForm(request.POST)
    if not form.is_valid():
        return await _page(request, site, form)
    await arequire_rate("checks", principal.key, CHECKS_PER_MINUTE)
    try:
        page = await fetch(form.cleaned_data["address"])
    except BadRequest as error:
        form.add_error("address", error.public)
        return await _page(request, site, form)
    frame = await fetch_own(f"{settings.SITE_URL}/w/{site.key}/")
    # Parsing untrusted HTML may be slow, so it runs in a thread.
    findings = await asyncio.to_thread(findings_of, site, page, script_address(), frame)
    return await _page(request, site, form, page=page, findings=findings)


async def _page(
    request: HttpRequest, site: WidgetSite, form: WidgetCheckForm, **result: Any
) -> HttpResponse:
    context = {"site": site, "form": form, **result}
    status = 422 if form.errors else 200
    return await sync_to_async(render)(request, "sites/check.html", context, status=status)
