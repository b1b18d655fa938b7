"""Responses that Django lacks: JSON of structs, and pages with security needs of their own."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string


def json_response(shown: Any, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Encode structs, or dicts and lists of them, which `JsonResponse` cannot. Times are in UTC."""
    body = msgspec.json.encode(shown)
    return HttpResponse(body, content_type="application/json", headers=headers)


class PageResponse(HttpResponse):
    """A page; chat/middleware/content_security.py derives its policy from these attributes."""

    #: Whether scripts of the page connect to the site for updates.
    watches = False
    #: Who may frame the page, as CSP sources; empty for the default of its area.
    frame_ancestors: Sequence[str] = ()


def render_page(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, status: int = 200
) -> PageResponse:
    return PageResponse(render_to_string(template, context, request), status=status)
