"""Serve the site's logo and colour. Addresses change with the content, so browsers keep it."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from chat.database import threads
from chat.errors import NotFound
from chat.site_settings.accent import style_sheet
from chat.site_settings.models import SiteLogo
from chat.web.http.files.image_file import image_response, inert

CACHE = "public, max-age=31536000, immutable"


@require_safe
async def accent_style(request: HttpRequest, digits: str) -> HttpResponse:
    """Return a style sheet for a colour. The colour is in the address, so nothing is looked up."""
    style = style_sheet(f"#{digits}")
    return inert(HttpResponse(style, content_type="text/css; charset=utf-8"), CACHE)


@require_safe
async def logo(request: HttpRequest, digest: str) -> HttpResponse:
    return image_response(await threads.readers.run(_logo, digest), CACHE)


def _logo(digest: str) -> SiteLogo:
    stored_logo = SiteLogo.objects.filter(digest=digest).first()
    if stored_logo is None:
        raise NotFound
    return stored_logo


class ColorConverter:
    """Six hexadecimal digits in lower case, so that each colour has one address."""

    regex = "[0-9a-f]{6}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value
