"""The connection to the model provider that an administrator has entered in the page."""

import logging
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from chat.database.encrypted_text import SecretBox, Unreadable

log = logging.getLogger(__name__)

WORKERS_AI, OPENAI = "workers-ai", "openai"
CLOUDFLARE = "https://api.cloudflare.com/client/v4"

_box = SecretBox(b"runnel.provider_token")


@dataclass(frozen=True, slots=True)
class ProviderConnection:
    """An address with its credentials. `repr` never shows the token."""

    protocol: Literal["workers-ai", "openai"]
    base_url: str
    account_id: str = ""
    token: str = field(default="", repr=False)

    @classmethod
    def read(cls, stored: Any) -> Self | None:
        """Return the stored connection; None if there is none.

        If its token cannot be decrypted, it has none, so the provider will refuse it.
        """
        if not stored:
            return None
        return cls(**{**stored, "token": _decrypted(stored.get("token", ""))})

    def stored(self) -> dict[str, str]:
        """Return what to store, with the token encrypted."""
        return {
            "protocol": self.protocol,
            "base_url": self.base_url,
            "account_id": self.account_id,
            "token": _box.encrypt(self.token) if self.token else "",
        }

    @property
    def is_workers_ai(self) -> bool:
        return self.protocol == WORKERS_AI


def renewed(stored: dict[str, str]) -> dict[str, str]:
    """Return the stored connection with its token under the current key; raise `Unreadable`."""
    token = stored.get("token", "")
    if not token or _box.is_current(token):
        return stored
    return {**stored, "token": _box.encrypt(_box.decrypt(token))}


def _decrypted(token: str) -> str:
    try:
        return _box.decrypt(token) if token else ""
    except Unreadable:
        log.error("the provider's token can't be decrypted; SECRET_KEY has changed: enter it again")
        return ""
