"""Respond with the text of a file that is added to a question, and keep the file for it."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, JsonResponse

from chat.accounts.principals import Principal
from chat.conversations.errors import StorageFull
from chat.conversations.images import store
from chat.database import threads
from chat.documents.reader.document_text import DocumentText


async def text_response(
    request: HttpRequest, principal: Principal, content: bytes, text: DocumentText
) -> JsonResponse:
    """Return a file's text, and keep the file if that was asked for."""
    facts: dict[str, Any] = {
        "text": text.text,
        "pages": text.pages,
        "pages_read": text.pages_read,
        "is_cut": text.is_cut,
    }
    if "keep" in request.GET and settings.KEEP_QUESTION_FILES:
        facts |= await threads.writer.run(_kept, principal, content)
    return JsonResponse(facts)


def _kept(principal: Principal, content: bytes) -> dict[str, Any]:
    """Store the file; return what the question names it by, or that there is no room for it.

    Its text is of use without it.
    """
    try:
        file = store.store_file(principal.user_id, content, principal.site)
    except StorageFull:
        return {"storage_full": True}
    return {"file": file.digest}
