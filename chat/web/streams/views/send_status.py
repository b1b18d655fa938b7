"""Tell a page that was closed early whether its send arrived."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.accounts.principals import principal_of
from chat.generations.delivery import access


@require_safe
@never_cache
async def show(request: HttpRequest, key: str) -> JsonResponse:
    """Return the conversation that stores the caller's send with this key."""
    principal = await principal_of(request)
    return JsonResponse({"conversation": await access.conversation_of_send(principal, key)})
