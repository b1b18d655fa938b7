"""Respond with the text of a file that is added to a question, and keep the file for it."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, JsonResponse

from chat.accounts.principals import Principal
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
        digest = await threads.writer.run(
            store.store_file_if_room, principal.user_id, content, principal.site
        )
        facts |= {"file": digest} if digest else {"storage_full": True}
    return JsonResponse(facts)
