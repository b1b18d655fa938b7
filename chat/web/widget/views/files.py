"""Take images and files from visitors, if their website's owner allows it.

Anybody may be a visitor, so these limits are much lower than those of members, and what one IP
address or website sends is limited, too. Whose an image is, is decided as for members.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST, require_safe

from chat.accounts.principals import Principal, address_for_limits, principal_of
from chat.conversations.images.access import image_of
from chat.conversations.images.errors import ImagesUnsupported
from chat.database import threads
from chat.documents.errors import too_large
from chat.documents.reading import VISITOR_FILE_CHARS, read_for_message
from chat.web.documents.file_text import text_response
from chat.web.http.files.image_file import image_response
from chat.web.http.typed_requests import VisitorRequest
from chat.web.http.visitor_files import count_file
from chat.web.http.visitor_requests import require_ready
from chat.web.images.uploads import stored_response
from chat.web.widget.presenters import reads_images
from chat.widget_sites.errors import FilesNotAccepted


@require_POST
async def add_image(request: VisitorRequest) -> JsonResponse:
    """Store the body, like a member's image."""
    principal = await _sender(request)
    if not await threads.readers.run(reads_images, request.visit.site):
        raise ImagesUnsupported
    return await stored_response(principal, request.body)


@require_POST
async def add_file(request: VisitorRequest) -> JsonResponse:
    """Return the text of the body, and keep it, like a member's file."""
    principal = await _sender(request)
    name = request.GET.get("name", "")
    text = await read_for_message(request.body, name, f"site:{principal.site}", VISITOR_FILE_CHARS)
    return await text_response(request, principal, request.body, text)


@require_safe
async def show_image(request: HttpRequest, digest: str) -> HttpResponse:
    principal = await principal_of(request)
    image = await threads.readers.run(image_of, principal.user_id, digest)
    return image_response(image, "no-store")


async def _sender(request: VisitorRequest) -> Principal:
    """Return the visitor, who may send a file now; else raise why not."""
    principal = await principal_of(request)
    if not request.visit.site.accepts_files:
        raise FilesNotAccepted
    await require_ready(request.visit)
    if len(request.body) > settings.MAX_VISITOR_FILE_BYTES:
        raise too_large(settings.MAX_VISITOR_FILE_BYTES)
    await threads.readers.run(count_file, principal, address_for_limits(request))
    return principal
