"""Change the site's settings: each change is recorded, and applies without a restart.

The audit log has what was entered, except for the provider's token.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from django.db import transaction

from chat.lib.pictures.picture_metadata import without_metadata
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.site_settings import effective, setting_names, stored_settings
from chat.site_settings.models import SiteLogo, SiteSetting
from chat.site_settings.provider_connection import ProviderConnection
from chat.widget_sites.look import pictures

MAX_SHOWN = 80
NONE = "–"


@transaction.atomic
def save(staff_context: StaffContext, values: Mapping[str, Any]) -> None:
    """Store these settings; None removes one, which then has its usual value.

    Those that the environment sets are left out.
    """
    before = stored_settings.read().values
    for name, value in values.items():
        if effective.is_from_environment(name) or before.get(name) == value:
            continue
        _store(name, value)
        _record(staff_context, f"{name}: {_shown(before.get(name))} → {_shown(value)}")
    _refresh_after_commit()


@transaction.atomic
def save_connection(staff_context: StaffContext, connection: ProviderConnection | None) -> None:
    """Store the connection to the provider; None removes it."""
    before = stored_settings.read().connection
    if connection == before:
        return
    _store(setting_names.PROVIDER, connection.stored() if connection else None)
    _record(staff_context, f"{setting_names.PROVIDER}: {_connection_words(before, connection)}")
    _refresh_after_commit()


@transaction.atomic
def save_logo(staff_context: StaffContext, content: bytes) -> None:
    """Show this picture, without its metadata; no content removes the logo."""
    if not content and not stored_settings.read().values.get(setting_names.LOGO):
        return
    digest = None
    if content:
        kind = pictures.checked(content).kind
        content = without_metadata(content)
        digest = sha256(content).hexdigest()[: pictures.DIGEST_CHARACTERS]
        facts = {"kind": kind, "content": content}
        SiteLogo.objects.get_or_create(digest=digest, defaults=facts)
    SiteLogo.objects.exclude(digest=digest or "").delete()
    save(staff_context, {setting_names.LOGO: digest})


@transaction.atomic
def remember(name: str, value: Any) -> None:
    """Store something about the checklist, which is not recorded."""
    _store(name, value)
    _refresh_after_commit()


def _store(name: str, value: Any) -> None:
    if value is None:
        SiteSetting.objects.filter(pk=name).delete()
    else:
        SiteSetting.objects.update_or_create(pk=name, defaults={"value": value})


def _record(staff_context: StaffContext, detail: str) -> None:
    record_action(staff_context, StaffAction.Kind.SITE_CHANGED, detail=detail)


def _refresh_after_commit() -> None:
    transaction.on_commit(stored_settings.refresh)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("text")
    words = ", ".join(map(str, value)) if isinstance(value, list) else str(value or NONE)
    return words if len(words) <= MAX_SHOWN else f"{words[: MAX_SHOWN - 1]}…"


def _connection_words(before: ProviderConnection | None, after: ProviderConnection | None) -> str:
    if after is None:
        return f"{_place(before)} → {NONE}"
    is_same_token = before is not None and before.token == after.token
    token = "same token" if is_same_token else "new token" if after.token else "no token"
    return f"{_place(before)} → {_place(after)}, {token}"


def _place(connection: ProviderConnection | None) -> str:
    if connection is None:
        return NONE
    return _shown(" ".join((connection.protocol, connection.base_url, connection.account_id)))
