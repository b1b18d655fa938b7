"""Responses that say more than Django's: JSON of structs, and pages with needs of their own."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string


def json_response(shown: Any) -> HttpResponse:
    """Encode structs, or dicts and lists of them; `JsonResponse` cannot. Times are in UTC."""
    return HttpResponse(msgspec.json.encode(shown), content_type="application/json")


class PageResponse(HttpResponse):
    """A page; chat/middleware/content_security.py reads what its policy has to allow."""

    #: Its scripts ask the site for news.
    watches = False
    #: Who may show it in a frame, as sources of a policy; empty: as all pages of its area.
    frame_ancestors: Sequence[str] = ()


def render_page(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, status: int = 200
) -> PageResponse:
    return PageResponse(render_to_string(template, context, request), status=status)
