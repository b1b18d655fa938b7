"""Hold the settings saved in the page in memory.

They are read again if the version of the rules has changed, by every process every two seconds
(`background_jobs`), so a change needs no restart and no request reads them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from chat.quotas import rules_version
from chat.site_settings import setting_names
from chat.site_settings.models import SiteSetting
from chat.site_settings.provider_connection import ProviderConnection, renewed


@dataclass(frozen=True, slots=True)
class StoredSettings:
    """All that is stored, by name, and the connection with its token decrypted."""

    values: Mapping[str, Any] = field(default_factory=dict)
    connection: ProviderConnection | None = None


_known: tuple[int | None, StoredSettings] = (None, StoredSettings())


def current() -> StoredSettings:
    """Return the settings as last read; before the first time, none."""
    return _known[1]


def refresh() -> None:
    """Read the settings again if they may be outdated."""
    global _known
    version = rules_version.current()
    if version is None or _known[0] != version:
        _known = (version, read())


def read() -> StoredSettings:
    """Return the settings as they are stored now."""
    values = dict(SiteSetting.objects.values_list("name", "value"))
    connection = ProviderConnection.read(values.get(setting_names.PROVIDER))
    return StoredSettings(values, connection)


def refresh_in_background() -> bool:
    """Refresh, as a background job of each server process."""
    refresh()
    return False


@transaction.atomic
def reencrypt() -> bool:
    """Encrypt the provider's token under the current SECRET_KEY; return whether it changed.

    Raise `Unreadable` if no known key decrypts it.
    """
    row = SiteSetting.objects.select_for_update().filter(pk=setting_names.PROVIDER).first()
    if row is None or (value := renewed(row.value)) == row.value:
        return False
    row.value = value
    row.save(update_fields=["value"])
    return True


def forget() -> None:
    """Forget what was read, for tests."""
    global _known
    _known = (None, StoredSettings())
