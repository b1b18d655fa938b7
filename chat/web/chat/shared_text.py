"""Read what another program has shared with a new chat: the manifest names it as a target."""

from django.http import HttpRequest

#: What a program shares → its name in the query.
SHARED_FIELDS = {"title": "shared_title", "text": "shared_text", "url": "shared_url"}
MAX_SHARED_LENGTH = 8_000


def shared_text(request: HttpRequest) -> str:
    """Return what a program shared with a new chat, as text for the message box; "" if nothing.

    Many programs send the same title as text, or put the address into the text.
    """
    parts: list[str] = []
    for name in SHARED_FIELDS.values():
        part = request.GET.get(name, "").replace("\0", "").strip()
        if part and not any(part in earlier for earlier in parts):
            parts = [earlier for earlier in parts if earlier not in part]
            parts.append(part)
    return "\n".join(parts)[:MAX_SHARED_LENGTH]
