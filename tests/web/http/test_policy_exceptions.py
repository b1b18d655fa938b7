"""Responses with another content security policy than their area's, or with none."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings

from chat.middleware.content_security import ContentSecurityMiddleware

CSP = "Content-Security-Policy"


def answered(path: str, response: HttpResponse) -> tuple[HttpResponse, HttpRequest]:
    """Return what the middleware makes of a response."""
    request = RequestFactory().get(path)
    middleware = ContentSecurityMiddleware(lambda _request: response)
    middleware.process_request(request)
    return middleware.process_response(request, response), request  # type: ignore[return-value]


def test_a_view_may_set_a_policy_of_its_own() -> None:
    for kind in ("text/html", "application/json"):
        response = HttpResponse("x", content_type=kind, headers={CSP: "sandbox"})
        assert answered("/chat/", response)[0][CSP] == "sandbox"


@pytest.mark.parametrize(
    ("is_debug", "status", "has_policy"),
    [
        (True, 404, False),
        (True, 500, False),
        (True, 200, True),
        (True, 403, True),
        (False, 500, True),
    ],
)
def test_only_djangos_own_error_pages_have_none(
    is_debug: bool, status: int, has_policy: bool
) -> None:
    with override_settings(DEBUG=is_debug):
        got, _ = answered("/chat/", HttpResponse("page", status=status))
    assert (CSP in got) == has_policy


@pytest.mark.django_db
def test_shared_links_are_not_indexed_and_send_no_referrer(client: Client) -> None:
    for path, is_shared in (("/s/missing/", True), ("/settings/", False)):
        response = client.get(path)
        robots, referrer = response.get("X-Robots-Tag"), response["Referrer-Policy"]
        assert (robots == "noindex, nofollow, noarchive") == is_shared
        assert (referrer == "no-referrer") == is_shared
