"""Let owners choose how the chat looks, beside a live preview."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat.web.http.js_catalog import catalog
from chat.web.http.typed_requests import MemberRequest
from chat.web.http.typed_responses import PageResponse, render_page
from chat.web.widget_sites.look_form import LookForm
from chat.widget_sites import site_look
from chat.widget_sites.access import site_of
from chat.widget_sites.site_look import SiteLook


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def change(request: MemberRequest, key: str) -> HttpResponse:
    site = site_of(request.user.pk, key)
    is_sent = request.method == "POST"
    form = LookForm(request.POST if is_sent else None, initial=SiteLook.of(site).chosen)
    if is_sent and form.is_valid():
        site_look.save(site, form.look)
        messages.success(request, _("Saved. Websites show it within five minutes."))
        if form.look.is_faint:
            words = _("The button is hard to see in this color. Choose one with more contrast.")
            messages.warning(request, words)
        return redirect("site_look", site.key)
    context = {"site": site, "form": form, "js_catalog": catalog()}
    return render(request, "sites/look.html", context, status=422 if form.errors else 200)


@require_safe
@never_cache
@login_required
def preview(request: MemberRequest, key: str) -> PageResponse:
    """Show a page that contains the tag, as a website would, with the look in the query."""
    site = site_of(request.user.pk, key)
    form = LookForm(request.GET)
    form.is_valid()
    look = form.look if request.GET else SiteLook()
    response = render_page(request, "sites/preview.html", {"site": site, "look": look})
    response.frame_ancestors = ["'self'"]  # look.html
    return response
