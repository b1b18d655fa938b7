"""Let owners choose how the chat looks, beside a live preview."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.web.http.js_catalog import catalog
from chat.web.http.shared_limits import require_rate
from chat.web.http.typed_requests import MemberRequest
from chat.web.http.typed_responses import PageResponse, render_page
from chat.web.widget_sites.look_forms import LookForms
from chat.web.widget_sites.look_texts_form import LANGUAGES
from chat.widget_sites.access import site_of
from chat.widget_sites.look import drafts, widget_look

DRAFTS_PER_MINUTE = 120


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def change(request: MemberRequest, key: str) -> HttpResponse:
    site = site_of(request.user.pk, key)
    forms = LookForms(request, site)
    is_sent = request.method == "POST"
    if is_sent and forms.is_valid():
        look = forms.apply()
        widget_look.save(site, look)
        messages.success(request, _("Saved. Websites show it within five minutes."))
        if look.is_faint:
            messages.warning(request, _faint())
        return redirect("site_look", site.key)
    context = {"site": site, "forms": forms, "form": forms.look, "js_catalog": catalog()}
    return render(request, "sites/look.html", context, status=422 if is_sent else 200)


@require_POST
@never_cache
@login_required
def draft(request: MemberRequest, key: str) -> JsonResponse:
    """Keep what is valid of the form for the preview, and say what is not."""
    site = site_of(request.user.pk, key)
    require_rate("look_drafts", str(request.user.pk), DRAFTS_PER_MINUTE)
    forms = LookForms(request, site)
    forms.is_valid()
    look = forms.apply()
    shown = forms.message_to_show(request.POST.get("message", ""))
    return JsonResponse(
        {
            "draft": drafts.keep(site, look.chosen | {"messages": shown}),
            "pictures": {"logo": look.logo, "avatar": look.avatar},
            "problems": [*forms.errors, *([_faint()] if look.is_faint else [])],
        }
    )


@require_safe
@never_cache
@login_required
def preview(request: MemberRequest, key: str) -> PageResponse:
    """Show a page that contains the tag, as a website would; with `?draft`, of that look."""
    site = site_of(request.user.pk, key)
    name, lang = request.GET.get("draft", ""), request.GET.get("lang", "")
    context = {
        "site": site,
        "draft": name if drafts.apply(site, name) else "",
        "lang": lang if lang in LANGUAGES else "",
    }
    response = render_page(request, "sites/preview.html", context)
    response.frame_ancestors = ["'self'"]  # look.html
    return response


def _faint() -> str:
    return _("The button is hard to see in this color. Choose one with more contrast.")
