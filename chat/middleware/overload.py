"""Refuse new sends under overload, before any work is done.

It runs before sessions and sign-in, whose queries are most of a request's cost.
"""

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from chat.database.errors import DatabaseUnavailable
from chat.error_responses import error_response
from chat.errors import Overloaded
from chat.generations.process import server_process
from chat.generations.process.load_shedding import require_capacity
from chat.middleware.base import Middleware
from chat.middleware.routes import route_match

#: Routes that start an answer. Reading, stopping and pages are always allowed.
BEGINNING = frozenset(
    {"relay", "send", "send_first", "visitors_send", "visitors_send_first", "api_completions"}
    | {"api_text_completions", "api_responses", "api_messages", "api_embeddings"}
    | {"cloudflare_embeddings", "cloudflare_responses"}
    | {"cloudflare_run", "cloudflare_run_by_body", "cloudflare_completions"}
)


class OverloadMiddleware(Middleware):
    """Answer sends with 503 under overload. Does nothing outside an event loop."""

    def before(self, request: HttpRequest) -> HttpResponseBase | None:
        if self.is_async and request.method == "POST" and _begins(request):
            try:
                require_capacity(server_process.current())
            except (Overloaded, DatabaseUnavailable) as error:
                return error_response(request, error)
        return None


def _begins(request: HttpRequest) -> bool:
    match = route_match(request)  # kept, so that refusals are counted by route too
    return match is not None and match.view_name in BEGINNING
