"""Responses in JSON of typed structs; `JsonResponse` knows only dicts and lists."""

from typing import Any

import msgspec
from django.http import HttpResponse


def json_response(shown: Any) -> HttpResponse:
    """Encode structs, and dicts and lists of them. Times are in UTC."""
    return HttpResponse(msgspec.json.encode(shown), content_type="application/json")
