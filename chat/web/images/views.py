"""Store an image for a question that is being written; send members their images and files."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_cookie

from chat.accounts.principals import principal_of
from chat.conversations.images.access import file_of, image_of
from chat.conversations.images.errors import NotAnImage
from chat.database import threads
from chat.web.http.files.image_file import image_response
from chat.web.http.files.saved_file import file_response
from chat.web.http.shared_limits import arequire_rate
from chat.web.images.uploads import stored_response

UPLOADS_PER_MINUTE = 60
FILES_PER_MINUTE = 60
MULTIPART = "multipart/form-data"
#: Nobody else's, as another session has another cookie. Hidden by staff, it stays for so long.
CACHE = "private, max-age=3600, immutable"


@require_POST
async def upload(request: HttpRequest) -> JsonResponse:
    """Store the body, whose type is read from its bytes; return what messages name it by."""
    principal = await principal_of(request)
    if request.content_type == MULTIPART:
        raise NotAnImage  # the CSRF check has read the body as a form, so it is gone
    await arequire_rate("images", principal.key, UPLOADS_PER_MINUTE)
    return await stored_response(principal, request.body)


@require_safe
@vary_on_cookie
async def show(request: HttpRequest, digest: str) -> HttpResponse:
    principal = await principal_of(request)
    return image_response(await threads.readers.run(image_of, principal.user_id, digest), CACHE)


@require_safe
async def download(request: HttpRequest, file: str) -> HttpResponse:
    """Send the original of a file that a question has."""
    principal = await principal_of(request)
    await arequire_rate("question_files", principal.key, FILES_PER_MINUTE)
    return await threads.readers.run(_file, principal.user_id, file)


def _file(user_id: int, digest: str) -> HttpResponse:
    return file_response(file_of(user_id, digest))
