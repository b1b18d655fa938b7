"""Refuse new sends under overload, before any work is done.

It runs before sessions and sign-in, whose queries are most of a request's cost.
"""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from chat.database.database_errors import DatabaseUnavailable
from chat.error_responses import error_response
from chat.errors import Overloaded
from chat.generations.process import server_process
from chat.generations.process.load_shedding import require_capacity
from chat.middleware.routes import route_match

#: Routes that start an answer. Reading, stopping and pages are always allowed.
BEGINNING = frozenset(
    {"relay", "send", "send_first", "visitors_send", "visitors_send_first", "api_completions"}
    | {"api_text_completions", "api_responses", "api_embeddings", "cloudflare_embeddings"}
    | {"cloudflare_run", "cloudflare_run_by_body", "cloudflare_completions"}
)


class OverloadMiddleware:
    """Answer sends with 503 under overload. Does nothing outside an event loop."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        return self.__acall__(request) if self.is_async else self.get_response(request)

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method == "POST" and _begins(request):
            try:
                require_capacity(server_process.current())
            except (Overloaded, DatabaseUnavailable) as error:
                return error_response(request, error)
        response: HttpResponseBase = await self.get_response(request)
        return response


def _begins(request: HttpRequest) -> bool:
    match = route_match(request)  # kept, so that refusals are counted by route too
    return match is not None and match.view_name in BEGINNING
