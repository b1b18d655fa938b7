"""List the devices where a member is signed in, and sign devices out."""

from uuid import UUID

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from chat.accounts.sessions.devices import devices_of, end, end_others
from chat.errors import BadRequest, NotFound
from chat.generations.delivery import notifications
from chat.generations.process import server_process


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
async def devices(request: HttpRequest) -> HttpResponse:
    """Show the devices; a POST signs out one of them (`device`) or all `others`."""
    user = await request.auser()
    assert user.pk  # noqa: S101  (login_required)
    if request.method != "POST":
        return await sync_to_async(_page)(request, user.pk)
    told = await sync_to_async(_sign_out)(request, user.pk)
    await server_process.current().subscribers.recheck_member(user.pk)
    await notifications.notify_sessions_ended(user.pk)
    messages.success(request, told)
    return redirect("devices")


def _page(request: HttpRequest, user_id: int) -> HttpResponse:
    shown_devices = devices_of(user_id, request.session.session_key)
    return render(request, "settings/devices.html", {"devices": shown_devices})


def _sign_out(request: HttpRequest, user_id: int) -> str:
    """Sign out the devices that the form names and return a confirmation message."""
    if "others" in request.POST:
        end_others(user_id, request.session.session_key)
        return _("Signed out on all other devices.")
    try:
        device_id = UUID(request.POST.get("device", ""))
    except ValueError:
        raise BadRequest from None
    if not end(user_id, device_id):
        raise NotFound
    return _("Device signed out.")
