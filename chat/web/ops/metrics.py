"""Serve metrics for monitoring."""

import secrets
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.errors import NotFound
from chat.generations.process import server_process
from chat.generations.task import registry
from chat.lib import metrics

FORWARDED = ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Via")


@require_safe
@never_cache
async def show(request: HttpRequest) -> HttpResponse:
    """Return the metrics of this process. Raise `NotFound` for callers who may not read them."""
    if not _may_read(request):
        raise NotFound
    here = server_process.current()
    metrics.running.set(registry.running_count())
    metrics.streams.set(len(here.subscribers))
    metrics.lag.set(here.loop_lag.lag_seconds)
    metrics.draining.set(here.draining)
    return HttpResponse(metrics.render(), content_type=metrics.CONTENT_TYPE)


def _may_read(request: HttpRequest) -> bool:
    """Allow holders of the token or, if none is set, local clients that use no proxy."""
    if settings.METRICS_TOKEN:
        authorization = request.headers.get("Authorization", "").encode()
        return secrets.compare_digest(authorization, f"Bearer {settings.METRICS_TOKEN}".encode())
    return _is_local(request) and not any(name in request.headers for name in FORWARDED)


def _is_local(request: HttpRequest) -> bool:
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
