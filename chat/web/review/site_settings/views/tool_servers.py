"""Let administrators connect MCP servers, and decide about each of their tools."""

import re
from typing import Any

from asgiref.sync import async_to_sync
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.lib.whole_number import whole_number
from chat.review.access_log.staff_context import StaffContext
from chat.review.site_setup import tool_servers
from chat.tools.mcp import client, resources, stored_tools
from chat.tools.mcp.client import Endpoint
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.listing import Listing
from chat.tools.mcp.models import McpServer
from chat.tools.mcp.servers import endpoint_of, is_signed_in
from chat.tools.mcp.tools import MAX_OFFERED
from chat.web.review.http.staff_access import acting_administrators, administrators, show
from chat.web.review.site_settings.presenters import usual_reason
from chat.web.review.site_settings.tool_server_form import SignInForm, ToolServerForm
from chat.web.review.site_settings.tool_server_presenter import (
    error_words,
    shown_sign_in,
    shown_tool,
)

_SEEN = re.compile(r"([0-9]{1,18}) ([0-9a-f]{64})")


@require_safe
@administrators
def show_all(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    context = {
        "servers": [
            (each, sum(tool.is_enabled for tool in each.tools.all()), len(each.tools.all()))
            for each in tool_servers.all_servers()
        ]
    }
    return show(request, staff_context, "site_settings/tool_servers.html", context)


@sensitive_post_parameters("token", "headers")
@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def add(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Store a new server, and list its tools."""
    form = ToolServerForm(request.POST if request.method == "POST" else None, None)
    if request.method == "POST" and form.is_valid():
        server = tool_servers.save(staff_context, None, form.values())
        list_and_report(request, server)
        return redirect("review_tool_server", server.pk)
    context = {"form": form, "usual_reason": usual_reason()}
    status = 422 if form.errors else 200
    return show(
        request, staff_context, "site_settings/new_tool_server.html", context, status=status
    )


@sensitive_post_parameters("token", "headers")
@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def edit(request: HttpRequest, staff_context: StaffContext, server_id: int) -> HttpResponse:
    """Show a server with its tools, and store its changes."""
    server = tool_servers.server_of(server_id)
    form = ToolServerForm(request.POST if request.method == "POST" else None, server)
    if request.method == "POST" and form.is_valid():
        address = server.address
        server = tool_servers.save(staff_context, server, form.values())
        messages.success(request, _("Saved. Applies everywhere within two seconds."))
        if server.address != address:
            list_and_report(request, server)
        return redirect("review_tool_server", server.pk)
    return server_page(request, staff_context, server, form)


def server_page(
    request: HttpRequest,
    staff_context: StaffContext,
    server: McpServer,
    form: ToolServerForm,
    sign_in_form: SignInForm | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "sign_in_form": sign_in_form or SignInForm(),
        "sign_in": shown_sign_in(server),
        "server": server,
        "tools": [shown_tool(each) for each in tool_servers.tools_of(server)],
        "most": MAX_OFFERED,
        "usual_reason": usual_reason(),
    }
    is_wrong = form.errors or (sign_in_form and sign_in_form.errors)
    status = 422 if is_wrong else 200
    return show(request, staff_context, "site_settings/tool_server.html", context, status=status)


@require_POST
@administrators
def list_tools(request: HttpRequest, staff_context: StaffContext, server_id: int) -> HttpResponse:
    """List the server's tools again. That can only switch some off, so it needs no reason."""
    server = tool_servers.server_of(server_id)
    list_and_report(request, server)
    return redirect("review_tool_server", server.pk)


@require_POST
@acting_administrators
def switch_tools(request: HttpRequest, staff_context: StaffContext, server_id: int) -> HttpResponse:
    """Switch tools on or off, as the administrator has seen them described."""
    server = tool_servers.server_of(server_id)
    found = filter(None, map(_SEEN.fullmatch, request.POST.getlist("seen")))
    has_changed = tool_servers.switch_tools(
        staff_context,
        server,
        enabled=_numbers(request.POST.getlist("enabled")),
        asking=_numbers(request.POST.getlist("asks_first")),
        digests={int(match[1]): match[2] for match in found},
    )
    if has_changed:
        messages.error(
            request, _("A tool has changed meanwhile, so it stays off. Look at it again.")
        )
    else:
        messages.success(request, _("Saved. Applies everywhere within two seconds."))
    return redirect("review_tool_server", server.pk)


@require_POST
@acting_administrators
def delete(request: HttpRequest, staff_context: StaffContext, server_id: int) -> HttpResponse:
    tool_servers.remove(staff_context, tool_servers.server_of(server_id))
    messages.success(request, _("Disconnected."))
    return redirect("review_tool_servers")


def list_and_report(request: HttpRequest, server: McpServer) -> None:
    """Ask the server for its tools, store them, and say how many there are or what is wrong."""
    try:
        listed = async_to_sync(_listing)(endpoint_of(server))
    except McpError as error:
        words = error_words(error, is_signed_in=is_signed_in(server), is_program=server.is_program)
        messages.error(request, words)
        return
    stored_tools.store(server.pk, listed)
    count = len(listed.tools)
    words = ngettext("The server has {count} tool.", "The server has {count} tools.", count)
    messages.success(request, words.format(count=count))
    if listed.left_out:
        words = ngettext(
            "{count} tool was left out, because it is too large or not described as the protocol "
            "says.",
            "{count} tools were left out, because they are too large or not described as the "
            "protocol says.",
            listed.left_out,
        )
        messages.warning(request, words.format(count=listed.left_out))


async def _listing(endpoint: Endpoint) -> Listing:
    async with client.session(endpoint, client.LIST_SECONDS) as session:
        return await resources.listing_of(session)


def _numbers(values: list[str]) -> set[int]:
    return {each for each in map(whole_number, values) if each is not None}
