"""Let administrators sign in to MCP servers, once for the whole site."""

from dataclasses import replace
from urllib.parse import urlsplit

from asgiref.sync import async_to_sync
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_POST, require_safe

from chat.errors import NotFound
from chat.review.access_log.staff_context import StaffContext
from chat.review.site_setup import tool_servers
from chat.site_settings.effective import site_name
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.sign_in import flow, grants
from chat.web.review.http.staff_access import acting_administrators, administrators, show
from chat.web.review.site_settings.tool_server_form import SignInForm, ToolServerForm
from chat.web.review.site_settings.tool_server_presenter import error_words, return_address
from chat.web.review.site_settings.views.tool_servers import list_and_report, server_page

SESSION_KEY = "tool_server_sign_in"


@sensitive_post_parameters("client_secret")
@require_POST
@acting_administrators
def begin(request: HttpRequest, staff_context: StaffContext, server_id: int) -> HttpResponse:
    """Find out where to sign in, and show the way there.

    It is a link: browsers don't let a form lead to another site here.
    """
    server = tool_servers.server_of(server_id)
    if server.is_program:
        raise NotFound
    form = SignInForm(request.POST)
    if not form.is_valid():
        return server_page(request, staff_context, server, ToolServerForm(None, server), form)
    try:
        pending, address = async_to_sync(flow.begin)(
            server.address,
            form.client() or grants.entered_client(server.pk),
            site_name=site_name(),
            return_address=return_address(),
            reason=staff_context.reason,
        )
    except McpError as error:
        messages.error(request, error_words(error))
        return redirect("review_tool_server", server.pk)
    grants.begin(server.pk, pending)
    request.session[SESSION_KEY] = {"server": server.pk, "state": pending.state}
    context = {"server": server, "address": address, "host": urlsplit(address).netloc}
    return show(request, staff_context, "site_settings/tool_server_sign_in.html", context)


@sensitive_variables()
@require_safe
@administrators
def finish(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Take the answer of who signs people in, for the administrator who has begun only."""
    begun = request.session.pop(SESSION_KEY, None)
    if begun is None or begun["state"] != request.GET.get("state"):
        messages.error(request, _("This sign-in wasn't begun here, or is over. Begin again."))
        return redirect("review_tool_servers")
    server = tool_servers.server_of(begun["server"])
    try:
        pending = grants.take_pending(server.pk)
        if pending is None:
            raise McpError("sign_in")
        answer = {name: str(value) for name, value in request.GET.items()}
        grant = async_to_sync(flow.finish)(server.address, pending, answer, return_address())
    except McpError as error:
        messages.error(request, error_words(error))
        return redirect("review_tool_server", server.pk)
    tool_servers.signed_in(replace(staff_context, reason=pending.reason), server, grant)
    messages.success(request, _("Signed in."))
    list_and_report(request, tool_servers.server_of(server.pk))
    return redirect("review_tool_server", server.pk)


@require_POST
@acting_administrators
def sign_out(request: HttpRequest, staff_context: StaffContext, server_id: int) -> HttpResponse:
    server = tool_servers.server_of(server_id)
    tool_servers.sign_out(staff_context, server)
    messages.success(request, _("Signed out."))
    return redirect("review_tool_server", server.pk)
