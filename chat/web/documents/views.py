"""Return the text of a file, which the page adds to the question, and keep the file for it."""

from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_POST

from chat.accounts.principals import principal_of
from chat.conversations.errors import StorageFull
from chat.conversations.images import store
from chat.database import threads
from chat.documents.errors import too_large, unreadable
from chat.documents.reading import read_for_message
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
    facts: dict[str, Any] = {
        "text": text.text,
        "pages": text.pages,
        "pages_read": text.pages_read,
        "is_cut": text.is_cut,
    }
    if "keep" in request.GET and settings.KEEP_QUESTION_FILES:
        facts |= await threads.writer.run(_kept, principal.user_id, content)
    return JsonResponse(facts)


def _kept(user_id: int, content: bytes) -> dict[str, Any]:
    """Store the file; return what the question names it by, or that there is no room for it.

    Its text is of use without it.
    """
    try:
        return {"file": store.store_file(user_id, content).digest}
    except StorageFull:
        return {"storage_full": True}
