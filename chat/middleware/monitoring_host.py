"""Let monitors name the address of a process as the host: chat/web/ops/monitoring_host.py."""

from django.http import HttpRequest

from chat.middleware.base import Middleware
from chat.web.ops.monitoring_host import accept_address


class MonitoringHostMiddleware(Middleware):
    """Place this before all middleware that reads the host."""

    def before(self, request: HttpRequest) -> None:
        accept_address(request)
