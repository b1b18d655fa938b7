"""Describe API keys as people see them."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from chat.api_keys import last_used, usage
from chat.api_keys.models import ApiKey
from chat.upstream import available_models


@dataclass(frozen=True, slots=True)
class KeyOut:
    """A key in a list: everything but the key itself."""

    id: int
    name: str
    prefix: str
    created_at: datetime
    expires_at: datetime | None
    is_expired: bool
    last_used_at: datetime | None
    spent_usd: Decimal  # this month
    monthly_usd: Decimal | None
    models: list[str]
    keeps_chats: bool


def shown_keys(keys: list[ApiKey]) -> list[KeyOut]:
    spent = usage.spent_usd([key.pk for key in keys])
    return [
        KeyOut(
            id=key.pk,
            name=key.name,
            prefix=key.prefix,
            created_at=key.created_at,
            expires_at=key.expires_at,
            is_expired=key.is_expired,
            last_used_at=last_used.of(key),
            spent_usd=spent[key.pk],
            monthly_usd=key.monthly_usd,
            models=[available_models.name_of(each) for each in key.allowed_models],
            keeps_chats=key.keeps_chats,
        )
        for key in keys
    ]
