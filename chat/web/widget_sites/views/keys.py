"""Manage the keys with which a website's server identifies its users.

A secret is shown once, when it is created.
"""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from chat.errors import BadRequest
from chat.web.http.js_catalog import catalog
from chat.web.http.typed_requests import MemberRequest
from chat.web.widget_sites.key_form import WidgetKeyForm
from chat.widget_sites import identity_keys
from chat.widget_sites.access import identity_key_of, site_of
from chat.widget_sites.models import IdentityKey, WidgetSite


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("public_key")  # users may paste a private key by mistake
@never_cache
@login_required
def show_all(request: MemberRequest, key: str) -> HttpResponse:
    """List the valid keys; a POST adds one."""
    site = site_of(request.user.pk, key)
    if request.method != "POST":
        return _page(request, site, WidgetKeyForm())
    form = WidgetKeyForm(request.POST)
    if not form.is_valid():
        return _page(request, site, form)
    try:
        return _created(request, site, form)
    except BadRequest as error:
        form.add_error(None, error.public)
        return _page(request, site, form)


@require_POST
@never_cache
@login_required
def revoke(request: MemberRequest, key: str, identity_id: uuid.UUID) -> HttpResponse:
    site = site_of(request.user.pk, key)
    identity_keys.revoke(identity_key_of(site, identity_id))
    messages.success(request, _("Key revoked. Its signatures are no longer accepted."))
    return redirect("site_keys", site.key)


def _created(request: MemberRequest, site: WidgetSite, form: WidgetKeyForm) -> HttpResponse:
    if form.cleaned_data["algorithm"] == IdentityKey.Algorithm.EDDSA:
        identity_keys.add_public(site, form.cleaned_data["public_key"])
        messages.success(request, _("Saved."))
        return redirect("site_keys", site.key)
    made, secret = identity_keys.make_secret(site)
    return _page(request, site, WidgetKeyForm(), made, secret)


def _page(
    request: MemberRequest,
    site: WidgetSite,
    form: WidgetKeyForm,
    made: IdentityKey | None = None,
    secret: str = "",
) -> HttpResponse:
    context = {
        "site": site,
        "form": form,
        "keys": identity_keys.keys_of(site),
        "made": made,
        "secret": secret,
        "js_catalog": catalog(),
    }
    return render(request, "sites/keys.html", context, status=422 if form.errors else 200)
