"""A message from the administrators above the message box, which each person can dismiss."""

from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal, Self, get_args

from django.utils import timezone

Level = Literal["info", "warning", "urgent"]
LEVELS: tuple[str, ...] = get_args(Level)
ID_CHARACTERS = 16


@dataclass(frozen=True, slots=True)
class Announcement:
    """A notice to all members.

    Without `starts_at` it is shown at once, without `ends_at` until it is removed.
    """

    text: str
    level: Level = "info"
    starts_at: datetime | None = None
    ends_at: datetime | None = None

    @classmethod
    def read(cls, stored: Any) -> Self | None:
        if not stored:
            return None
        times = {
            name: datetime.fromisoformat(stored[name]) if stored.get(name) else None
            for name in ("starts_at", "ends_at")
        }
        return cls(text=stored["text"], level=stored["level"], **times)

    def stored(self) -> dict[str, str | None]:
        return {
            name: value.isoformat() if isinstance(value, datetime) else value
            for name, value in asdict(self).items()
        }

    @property
    def id(self) -> str:
        """Identify the text: another one is shown again to those who dismissed this one."""
        return sha256(f"{self.level} {self.text}".encode()).hexdigest()[:ID_CHARACTERS]

    def is_current(self) -> bool:
        now = timezone.now()
        has_begun = self.starts_at is None or self.starts_at <= now
        return has_begun and (self.ends_at is None or now < self.ends_at)
