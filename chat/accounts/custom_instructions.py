"""A member's custom instructions: what every model reads first, in all of their chats.

They are stored with the preferences, so that they are read with the account, exported with it and
removed with it. They are private: staff who read a chat see its messages, not these instructions.
Answers to a member's programs and to visitors of a website are given without them.
"""

from chat.accounts.preferences import Preferences

MAX_NAME = 100
MAX_INSTRUCTIONS = 3000


def instructions_text(preferences: Preferences) -> str:
    """Return the first part of the system message; empty if there are none, or they are off."""
    if not preferences.uses_instructions:
        return ""
    parts = []
    if preferences.preferred_name:
        parts.append(f"The user wants to be called {preferences.preferred_name}.")
    if preferences.instructions:
        parts.append(f"The user's instructions for all chats:\n{preferences.instructions}")
    return "\n\n".join(parts)
