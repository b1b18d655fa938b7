"""A file that the audit log is sent to, and entries to send."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from chat.accounts.models import User
from chat.review.audit_export import shipping
from chat.review.models import AccessLogEntry


@pytest.fixture(autouse=True)
def _no_waiting_for_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database counts on from the tests before, so the first ID here is after a gap."""
    monkeypatch.setattr(shipping, "GAP_SETTLES", timedelta(0))


@pytest.fixture
def file(settings: Settings, tmp_path: Path, transactional_db: None) -> Path:
    path = tmp_path / "audit.jsonl"
    settings.AUDIT_LOG_TO = str(path)
    return path


def read(reader: User, owner: User, **facts: object) -> AccessLogEntry:
    about: dict[str, Any] = {"reader": reader.pk, "owner": owner.pk, "kind": "read"} | facts
    return AccessLogEntry.objects.create(**about)
