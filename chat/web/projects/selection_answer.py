"""Answer a change of the list: a toast for scripts, a redirect for plain forms."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from chat.web.http.toasts import Toast
from chat.web.http.typed_requests import MemberRequest


def toast_fragment(request: MemberRequest, toast: Toast, **more: Any) -> HttpResponse:
    """Return the toast, and tell the page to reload its list and close its dialog."""
    response = render(request, "chat/_toast_fragment.html", {"toast": toast, **more})
    response["HX-Trigger-After-Swap"] = "conversations"
    return response
