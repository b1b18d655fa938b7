"""Store an image for a question that is being written, and show members their images."""

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_cookie

from chat.accounts.principals import principal_of
from chat.conversations.images import image_store
from chat.conversations.images.image_access import image_of
from chat.database import threads
from chat.web.http.files.image_file import image_response
from chat.web.http.throttle import require_rate

UPLOADS_PER_MINUTE = 60
#: Nobody else's, as another session has another cookie. Hidden by staff, it stays for so long.
CACHE = "private, max-age=3600, immutable"


@require_POST
async def upload(request: HttpRequest) -> JsonResponse:
    """Store the body, whose type is read from its bytes; return what messages name it by."""
    principal = await principal_of(request)
    await sync_to_async(require_rate)("images", principal.key, UPLOADS_PER_MINUTE)
    image = await threads.writer.run(image_store.store, principal.user_id, request.body)
    facts = {"digest": image.digest, "width": image.width, "height": image.height}
    return JsonResponse({**facts, "bytes": image.size_bytes}, status=201)


@require_safe
@vary_on_cookie
async def show(request: HttpRequest, digest: str) -> HttpResponse:
    principal = await principal_of(request)
    return image_response(await threads.readers.run(image_of, principal.user_id, digest), CACHE)
