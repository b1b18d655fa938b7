"""Serve an owner's widget sites as pages with plain forms."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat.accounts import confirmed_addresses
from chat.errors import NotFound
from chat.generations.deletion.soft_delete import delete_site
from chat.inbox.team_invitations import invitations_for
from chat.web.http.js_catalog import catalog
from chat.web.http.typed_requests import MemberRequest
from chat.web.widget_sites.forms import WidgetSiteForm
from chat.web.widget_sites.script_tag import script_tag
from chat.widget_sites.access import may_make_sites, site_of, sites_of, team_sites_of
from chat.widget_sites.usage import used_by

FORM = "sites/form.html"


@require_safe
@never_cache
@login_required
def show_all(request: MemberRequest) -> HttpResponse:
    user = request.user
    context = {
        "sites": team_sites_of(user.pk),
        "managed": set(sites_of(user.pk).values_list("pk", flat=True)),
        "may_make": may_make_sites(user),
        "invitations": invitations_for(user),
        "has_confirmed": bool(confirmed_addresses.addresses_of(user)),
    }
    return render(request, "sites/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def new(request: MemberRequest) -> HttpResponse:
    user = request.user
    if not may_make_sites(user):
        raise NotFound
    form = WidgetSiteForm(request.POST if request.method == "POST" else None, user)
    return _form_page(request, form)


@require_safe
@never_cache
@login_required
def show(request: MemberRequest, key: str) -> HttpResponse:
    """Show the tag to install, and the site's usage."""
    site = site_of(request.user.pk, key)
    context = {
        "site": site,
        "tag": script_tag(site),
        "used": used_by(site),
        "js_catalog": catalog(),
    }
    return render(request, "sites/show.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def change(request: MemberRequest, key: str) -> HttpResponse:
    """Edit a site. Changes apply to the next message of every visitor."""
    user = request.user
    site = site_of(user.pk, key)
    form = WidgetSiteForm(request.POST if request.method == "POST" else None, user, site)
    return _form_page(request, form)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def deletion(request: MemberRequest, key: str) -> HttpResponse:
    """Delete a site and all its conversations, after confirmation."""
    site = site_of(request.user.pk, key)
    if request.method != "POST":
        return render(request, "sites/deletion.html", {"site": site})
    delete_site(site)
    messages.success(request, _("Deleted."))
    return redirect("sites")


def _form_page(request: MemberRequest, form: WidgetSiteForm) -> HttpResponse:
    if form.is_bound and form.is_valid():
        site = form.save()
        messages.success(request, _("Saved."))
        return redirect("site", site.key)
    context = {"form": form, "site": form.changed}
    return render(request, FORM, context, status=422 if form.errors else 200)
