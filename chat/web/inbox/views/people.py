"""Serve the page where owners say when and how the team answers, and end mails to visitors."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from chat.errors import NotFound
from chat.inbox import notice_delivery, visitor_mail
from chat.inbox.team_access import Inbox
from chat.web.http.js_catalog import catalog
from chat.web.http.shared_limits import require_rate
from chat.web.http.typed_requests import MemberRequest
from chat.web.inbox.opening_hours_form import OpeningHoursForm
from chat.web.inbox.team_requests import for_team
from chat.web.inbox.visitor_form import VisitorFormSettings

TESTS_PER_MINUTE = 10


@require_http_methods(["GET", "HEAD", "POST"])
@for_team
def change(request: MemberRequest, inbox: Inbox) -> HttpResponse:
    if not inbox.may_manage:
        raise NotFound
    shown_once = f"new_webhook_key:{inbox.site.key}"  # of the webhook's secret in the session
    form = OpeningHoursForm(request.POST if request.method == "POST" else None, inbox.site)
    if form.is_bound and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        if not form.made_secret:
            return redirect("site", inbox.site.key)
        request.session[shown_once] = form.made_secret
        return redirect("inbox_people", inbox.site.key)
    context = {
        "form": form,
        "site": inbox.site,
        "attempts": notice_delivery.attempts_of(inbox.site),
        "made_secret": request.session.pop(shown_once, ""),
        "js_catalog": catalog(),
    }
    return render(request, "inbox/people.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@for_team
def visitor_form(request: MemberRequest, inbox: Inbox) -> HttpResponse:
    """Let owners choose what visitors are asked before their first message."""
    if not inbox.may_manage:
        raise NotFound
    form = VisitorFormSettings(inbox.site, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("site", inbox.site.key)
    context = {"form": form, "site": inbox.site}
    return render(request, "inbox/visitor_form.html", context, status=422 if form.errors else 200)


@require_POST
@for_team
def webhook_test(request: MemberRequest, inbox: Inbox) -> HttpResponse:
    """Send a request about no chat to the site's webhook."""
    if not inbox.may_manage or not inbox.site.webhook_url:
        raise NotFound
    require_rate("site_webhook_tests", f"user:{inbox.user_id}", TESTS_PER_MINUTE)
    with transaction.atomic():
        notice_delivery.add_test(inbox.site)
    messages.success(request, _("The test event is on its way. Reload the page to see the result."))
    return redirect(f"{reverse('inbox_people', args=[inbox.site.key])}#webhook")


@never_cache
def email_removal(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a mail's link stops; a POST removes the address."""
    email = visitor_mail.email_of(token)
    context = {"site": email.conversation.owner.visitor.site, "is_removed": False}
    if request.method == "POST":
        email.delete()
        context["is_removed"] = True
    return render(request, "inbox/email_removal.html", context)
