"""Hold the settings saved in the page in memory.

They are read again if the version of the configuration has changed, by every process every two
seconds (`background_jobs`), so a change needs no restart and no request reads them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from chat.database.config_version import VersionedValue
from chat.site_settings import setting_names
from chat.site_settings.models import SiteSetting
from chat.site_settings.provider_connection import ProviderConnection, renewed


@dataclass(frozen=True, slots=True)
class StoredSettings:
    """All that is stored, by name, and the connection with its token decrypted."""

    values: Mapping[str, Any] = field(default_factory=dict)
    connection: ProviderConnection | None = None


NOTHING_STORED = StoredSettings()


def current() -> StoredSettings:
    """Return the settings as last read; before the first time, none."""
    return _settings.last() or NOTHING_STORED


def read() -> StoredSettings:
    """Return the settings as they are stored now."""
    values = dict(SiteSetting.objects.values_list("name", "value"))
    connection = ProviderConnection.read(values.get(setting_names.PROVIDER))
    return StoredSettings(values, connection)


_settings = VersionedValue(read)
refresh = _settings.refresh
forget = _settings.forget


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
