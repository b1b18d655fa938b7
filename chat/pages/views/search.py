"""What the palette finds."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.accounts.principals import principal_of
from chat.conversations.search.titles import find_by_title
from chat.lib.text import clean
from chat.relay import threads


@require_safe
@never_cache
async def titles(request: HttpRequest) -> JsonResponse:
    """The caller's conversations with these words in the title; the newest ones without any."""
    principal = await principal_of(request)
    query = clean(request.GET.get("q", ""))
    found = await threads.readers.run(find_by_title, principal.user_id, query)
    chats = [{"id": each.pk, "title": each.title, "updated_at": each.updated_at} for each in found]
    return JsonResponse({"chats": chats})
