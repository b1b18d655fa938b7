"""Serve the pictures of a site's look to its frame. The address changes with the content."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from chat.database import threads
from chat.web.http.files.image_file import image_response
from chat.widget_sites.look.pictures import picture_of
from chat.widget_sites.models import SitePicture
from chat.widget_sites.visits import open_site

CACHE = "public, max-age=31536000, immutable"


@require_safe
async def show(request: HttpRequest, site_key: str, digest: str) -> HttpResponse:
    return image_response(await threads.readers.run(_picture, site_key, digest), CACHE)


def _picture(site_key: str, digest: str) -> SitePicture:
    return picture_of(open_site(site_key), digest)
