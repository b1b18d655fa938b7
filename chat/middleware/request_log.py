"""Give every request an ID, a log line and metrics.

The line says who (an ID), what (the name of a route) and the result, but never a path, which may
contain a token, nor a query string or an address. The duration ends when the response starts, so
streams do not distort it.
"""

import logging
import re
import time
import uuid
from contextvars import Token
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from chat.error_responses import ERROR_CODE
from chat.lib import metrics, trace
from chat.middleware.base import Middleware

log = logging.getLogger("runnel.requests")

WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")
#: Frequent requests, logged at debug level only.
QUIET_ROUTES = frozenset({"static", "healthz", "readyz", "metrics"})


class RequestMiddleware(Middleware):
    """Place this first, so that it sees the responses of all other middleware."""

    def __call__(self, request: HttpRequest) -> Any:
        if self.is_async:
            return self.__acall__(request)
        visit = RequestEntry.of(request)
        try:
            return visit.answered(request, self.get_response(request))
        finally:
            visit.end()

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        visit = RequestEntry.of(request)
        try:
            return visit.answered(request, await self.get_response(request))
        finally:
            visit.end()


@dataclass(frozen=True, slots=True)
class RequestEntry:
    """One request, up to the start of its response."""

    id: str
    began: float
    token: Token[str]

    @classmethod
    def of(cls, request: HttpRequest) -> "RequestEntry":
        own = _forwarded_id(request) or uuid.uuid4().hex
        return cls(own, time.perf_counter(), trace.request_id.set(own))

    def answered(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response["X-Request-ID"] = self.id
        route = route_of(request)
        metrics.record_request(route, response.status_code)
        fields = {
            "method": _method_of(request),
            "route": route,
            "status": response.status_code,
            "milliseconds": round((time.perf_counter() - self.began) * 1000),
            "user": getattr(request, "asker_id", None) or "-",
        }
        if error_code := request.META.get(ERROR_CODE):
            fields["error"] = error_code
        if generation := response.headers.get("X-Generation-Id"):
            fields["generation"] = generation
        level = logging.DEBUG if route in QUIET_ROUTES else logging.INFO
        log.log(level, "request", extra={"fields": fields})
        return response

    def end(self) -> None:
        trace.request_id.reset(self.token)


def route_of(request: HttpRequest) -> str:
    """Return the name of the route of `request`, never its path."""
    match = request.resolver_match
    if match:
        return match.view_name or "unnamed"
    return "static" if request.path.startswith(settings.STATIC_URL) else "none"


def _forwarded_id(request: HttpRequest) -> str:
    """Return the ID set by a trusted proxy; IDs from clients could be forged."""
    request_id = request.headers.get("X-Request-ID", "") if settings.TRUSTED_PROXY_COUNT else ""
    return request_id if WELL_FORMED.fullmatch(request_id) else ""


def _method_of(request: HttpRequest) -> str:
    known = request.method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
    return str(request.method) if known else "other"
