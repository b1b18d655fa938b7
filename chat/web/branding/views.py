"""Serve the site's logo and colour. Addresses change with the content, so browsers keep it."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from chat.database import threads
from chat.errors import NotFound
from chat.lib.pictures.picture_format import CONTENT_TYPES
from chat.site_settings.accent import style_sheet
from chat.site_settings.models import SiteLogo

CACHE = "public, max-age=31536000, immutable"
POLICY = "default-src 'none'; sandbox"


@require_safe
async def accent_style(request: HttpRequest, digits: str) -> HttpResponse:
    """Return a style sheet for a colour. The colour is in the address, so nothing is looked up."""
    return _kept(HttpResponse(style_sheet(f"#{digits}"), content_type="text/css; charset=utf-8"))


@require_safe
async def logo(request: HttpRequest, digest: str) -> HttpResponse:
    found = await threads.readers.run(_logo, digest)
    return _kept(HttpResponse(bytes(found.content), content_type=CONTENT_TYPES[found.kind]))


def _logo(digest: str) -> SiteLogo:
    found = SiteLogo.objects.filter(digest=digest).first()
    if found is None:
        raise NotFound
    return found


def _kept(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = CACHE
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["Content-Security-Policy"] = POLICY
    return response


class ColorConverter:
    """Six hexadecimal digits in lower case, so that each colour has one address."""

    regex = "[0-9a-f]{6}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value
