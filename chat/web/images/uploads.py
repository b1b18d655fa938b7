"""Store the images that are added to questions."""

from django.http import JsonResponse

from chat.accounts.principals import Principal
from chat.conversations.images import store
from chat.database import threads


async def stored_response(principal: Principal, content: bytes) -> JsonResponse:
    """Store an image; return what messages name it by."""
    image = await threads.writer.run(store.store, principal.user_id, content, principal.site)
    facts = {"digest": image.digest, "width": image.width, "height": image.height}
    return JsonResponse({**facts, "bytes": image.size_bytes}, status=201)
