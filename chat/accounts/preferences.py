"""A member's preferences, stored as JSON with the account, so reading them costs nothing extra.

Stored values may be older than this code, or not available any more; invalid ones are ignored.
"""

from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User

Choices = tuple[tuple[str, str | Promise], ...]

THEMES: Choices = (
    ("system", _("System")),
    ("light", _("Light")),
    ("dark", _("Dark")),
)
TEXT_SIZES: Choices = (
    ("small", _("Small")),
    ("normal", _("Normal")),
    ("large", _("Large")),
    ("larger", _("Extra large")),
)
LANGUAGES: Choices = (("", _("Browser default")), *settings.LANGUAGES)
ANNOUNCEMENTS: Choices = (
    ("streaming", _("Read each paragraph as it arrives")),
    ("done", _("Read the full answer when it's complete")),
    ("off", _("Announce only the start and the end")),
)
ENTER_KEYS: Choices = (
    ("send", _("Send message")),
    ("newline", _("New line (Ctrl+Enter or ⌘+Enter sends)")),
)
SCROLLING: Choices = (
    ("question", _("Keep my message in place")),
    ("end", _("Follow the answer")),
)
ANSWER_NOTICES: Choices = (
    ("off", _("Off")),
    ("title", _("With the chat's title")),
    ("plain", _("Without the title")),
)
FOLLOW_UPS: Choices = (
    ("show", _("Show")),
    ("hide", _("Hide")),
)
CHOICES = {
    "theme": THEMES,
    "text_size": TEXT_SIZES,
    "language": LANGUAGES,
    "announcements": ANNOUNCEMENTS,
    "enter_key": ENTER_KEYS,
    "scrolling": SCROLLING,
    "answer_notices": ANSWER_NOTICES,
    "follow_ups": FOLLOW_UPS,
}
SWITCHES = frozenset({"uses_instructions", "uses_memories", "allows_evaluation"})


@dataclass(frozen=True, slots=True)
class Preferences:
    """The choices of a member.

    An empty language means the browser's, an empty model the site's.
    """

    theme: str = "system"
    text_size: str = "normal"
    language: str = ""
    announcements: str = "done"
    enter_key: str = "send"
    scrolling: str = "question"
    answer_notices: str = "off"
    follow_ups: str = "show"
    default_model: str = ""
    default_persona: str = ""
    pinned_models: str = ""  # their ids, with spaces between them
    recent_models: str = ""  # the same, the one used last first
    # What models read before each chat: custom_instructions.py.
    preferred_name: str = ""
    instructions: str = ""
    uses_instructions: bool = True
    memories: str = ""  # one a line: memories.py
    uses_memories: bool = True
    # Tools that are on in new chats, and those that may be called without asking.
    default_tools: str = ""
    allowed_tools: str = ""
    dismissed_announcement: str = ""  # its id
    received_links_seen: str = ""  # when: chat/sharing/recipients.py
    # Staff may copy turns of the member's chats to test models: chat/evaluation/consent.py.
    allows_evaluation: bool = False

    @classmethod
    def of(cls, user: User | AnonymousUser) -> Self:
        """Return the user's preferences; the defaults for anonymous users."""
        return cls.read(getattr(user, "preferences", None))

    @classmethod
    def read(cls, stored: Any) -> Self:
        values = stored if isinstance(stored, dict) else {}
        names = {field.name for field in fields(cls)}
        return cls(
            **{name: values[name] for name in names & values.keys() if _fits(name, values[name])}
        )

    @property
    def shows_follow_ups(self) -> bool:
        return self.follow_ups == "show"

    @transaction.atomic
    def save(self, user: User) -> None:
        """Store what differs from the preferences that `user` was loaded with.

        What another request has changed meanwhile stays, such as a consent that was withdrawn, and
        so does what a newer version has added. Nothing is stored for an account that was closed.
        """
        before, now = asdict(Preferences.of(user)), asdict(self)
        changed = {name: value for name, value in now.items() if value != before[name]}
        row = User.all_objects.select_for_update(no_key=True).filter(pk=user.pk, closed_at=None)
        stored = row.values_list("preferences", flat=True).first()
        if stored is None:
            return
        kept = stored if isinstance(stored, dict) else {}
        user.preferences = kept | asdict(Preferences.read(kept)) | changed
        user.save(update_fields=["preferences"])


def _fits(name: str, value: Any) -> bool:
    if name in CHOICES:
        return value in dict(CHOICES[name])
    return isinstance(value, bool if name in SWITCHES else str)
