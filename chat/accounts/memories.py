"""What models keep about a member for later chats, at the member's request, one fact a line.

Like custom instructions, it is stored with the preferences: it is read with the account, exported
with it and removed with it. The member sees and changes it in their settings.
"""

from dataclasses import replace

from django.db import transaction

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.lib.text import one_line

MAX_MEMORY = 300
MAX_MEMORIES_CHARS = 4000


class MemoryOff(Exception):
    """The member has switched memory off."""


class MemoryFull(Exception):
    """There is no room for another fact."""


def memory_text(preferences: Preferences) -> str:
    """Return what models read about a member; empty if it is nothing, or off."""
    if not (preferences.uses_memories and preferences.memories):
        return ""
    return f"What the user has asked you to remember:\n{preferences.memories}"


@transaction.atomic
def remember(user_id: int, text: str) -> None:
    """Keep a fact, unless it is known. Raise `MemoryOff` or `MemoryFull`."""
    user = User.objects.select_for_update().get(pk=user_id)
    preferences = Preferences.of(user)
    if not preferences.uses_memories:
        raise MemoryOff
    known = preferences.memories.splitlines()
    fact = one_line(text)[:MAX_MEMORY]
    if fact in known:
        return
    memories = "\n".join([*known, fact])
    if len(memories) > MAX_MEMORIES_CHARS:
        raise MemoryFull
    replace(preferences, memories=memories).save(user)
