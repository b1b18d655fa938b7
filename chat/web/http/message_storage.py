"""Keep few of the messages that a redirect leaves for the next page.

Django keeps any number. A client that opens no page collects them, and the cookie is compressed: in
two kilobytes there is room for thousands, which each page that the cookie is sent to would show.
"""

from typing import Any

from django.contrib.messages.storage.fallback import FallbackStorage

MAX_MESSAGES = 20


class NewestMessages(FallbackStorage):
    """Django's usual storage, of the newest messages only."""

    def _get(self, *args: Any, **options: Any) -> tuple[list[Any], bool]:
        messages, all_retrieved = super()._get(*args, **options)  # type: ignore[misc]
        return messages[-MAX_MESSAGES:], all_retrieved

    def _store(self, messages: list[Any], response: Any, *args: Any, **options: Any) -> list[Any]:
        newest = messages[-MAX_MESSAGES:]
        left: list[Any] = super()._store(newest, response, *args, **options)  # type: ignore[misc]
        return left
