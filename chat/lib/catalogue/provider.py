"""Define a provider of models, as a catalogue describes it. Its token is in the environment."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from chat.lib.catalogue.field_checks import check_fields, one_of, text, whole_number

MAX_NAME_LENGTH = 40

Protocol = Literal["auto", "workers-ai", "openai"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """An address that answers for some of the models.

    `token_variable` names the environment variable with its token. `account_id` and `gateway`, the
    id of an AI Gateway, are for Workers AI.
    """

    name: str
    base_url: str
    protocol: Protocol = "auto"
    account_id: str = ""
    token_variable: str = ""
    gateway: str = ""
    gateway_token_variable: str = ""
    requests_per_minute: int = 0

    @property
    def is_workers_ai(self) -> bool:
        """Return whether it speaks Workers AI's own protocol, or else OpenAI's."""
        if self.protocol == "auto":
            return self.base_url.endswith("/client/v4")
        return self.protocol == "workers-ai"


def provider_from(name: str, entry: Any) -> Provider:
    """Return the provider that a table of a catalogue describes; raise ValueError."""
    if not isinstance(entry, Mapping):
        raise ValueError("expected a table")
    if not 0 < len(name) <= MAX_NAME_LENGTH:
        raise ValueError(f"its name must have 1 to {MAX_NAME_LENGTH} characters")
    values = check_fields(entry, _CHECKS, required=("base_url",))
    provider = Provider(name=name, **values)
    if provider.is_workers_ai and not provider.account_id:
        raise ValueError("account_id: missing, Workers AI needs it")
    return provider


def _web_address(key: str, value: Any) -> str:
    address = text(key, value).rstrip("/")
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"{key}: expected a web address like https://host/v1")
    if parts.username is not None or parts.password is not None or parts.query:
        raise ValueError(f"{key}: must contain no secret; put it into an environment variable")
    return address


def _protocol(key: str, value: Any) -> str:
    return one_of(key, value, ("auto", "workers-ai", "openai"))


def _variable(key: str, value: Any) -> str:
    name = text(key, value)
    if not name.isascii() or not name.isidentifier() or name != name.upper():
        raise ValueError(f"{key}: expected the name of an environment variable, not its value")
    return name


_CHECKS = {
    "base_url": _web_address,
    "protocol": _protocol,
    "account_id": text,
    "token_variable": _variable,
    "gateway": text,
    "gateway_token_variable": _variable,
    "requests_per_minute": whole_number,
}
