"""Serve the frame in which pages show code of an answer as a page, an image or a diagram.

It is the same for everybody and contains nothing of an answer: the page around it hands the code
over (static/js/markdown/preview/). The policy gives the frame an origin of its own, so it has
neither cookies nor storage, and lets it load nothing but its two scripts. Styles may be inline,
unlike elsewhere, because those of the code are.
"""

from csp.constants import HEADER
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from chat.errors import NotFound

POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'nonce-{nonce}'; "
    "style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)


@require_safe
def frame(request: HttpRequest) -> HttpResponse:
    if not settings.CODE_PREVIEWS:
        raise NotFound
    response = render(request, "previews/frame.html")
    response[HEADER] = POLICY.format(nonce=request.csp_nonce)  # type: ignore[attr-defined]
    response["X-Frame-Options"] = "SAMEORIGIN"
    response["Referrer-Policy"] = "no-referrer"
    return response
