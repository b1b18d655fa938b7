"""Return the text of a file, which the page adds to the question, and keep the file for it."""

from asgiref.sync import sync_to_async
from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_POST

from chat.accounts.principals import principal_of
from chat.documents.errors import too_large, unreadable
from chat.documents.reading import read_for_message
from chat.web.documents.file_text import text_response
from chat.web.http.origin import FORMS
from chat.web.http.shared_limits import arequire_rate

FILES_PER_MINUTE = 30


@require_POST
async def read(request: HttpRequest) -> JsonResponse:
    """Read the body; `name` in the query is the file's, of which only the ending matters.

    With `keep`, the file is stored for the question if the site keeps files.
    """
    principal = await principal_of(request)
    if request.content_type in FORMS:
        raise unreadable("unsupported")  # the CSRF check has read the body as a form
    await arequire_rate("documents", principal.key, FILES_PER_MINUTE)
    content = await sync_to_async(request.read)()  # `body` has the limit of other requests
    if len(content) > settings.MAX_DOCUMENT_BYTES:
        raise too_large()
    text = await read_for_message(content, request.GET.get("name", ""), principal.key)
    return await text_response(request, principal, content, text)
