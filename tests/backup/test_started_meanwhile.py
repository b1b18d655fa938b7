"""A site that is started while a backup of PostgreSQL is read loses nothing to the restore."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import connection

from chat.accounts.models import User
from chat.backup import archive, postgres_copy, restore
from chat.backup.errors import BackupError
from chat.generations.process import workers

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has files"),
]


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is noted if the tables are replaced."""
    noted: list[str] = []
    monkeypatch.setattr(postgres_copy, "load", lambda *_: noted.append("replaced"))
    for check in ("require_compatible", "require_restorable"):
        monkeypatch.setattr(restore, check, lambda _: None)
    return noted


def test_a_process_that_starts_while_the_backup_is_read_keeps_its_tables(
    monkeypatch: pytest.MonkeyPatch, loaded: list[str]
) -> None:
    def read(*_: object) -> SimpleNamespace:
        workers.register()
        return SimpleNamespace(secret_key_digest="")

    monkeypatch.setattr(archive, "read", read)
    with pytest.raises(BackupError, match="is running"):
        restore.restore(Path("backup"), "", replace=True)
    assert loaded == []


def test_an_account_that_is_made_while_the_backup_is_read_is_kept(
    monkeypatch: pytest.MonkeyPatch, loaded: list[str]
) -> None:
    def read(*_: object) -> SimpleNamespace:
        User.objects.create_user("alice@example.org")
        return SimpleNamespace(secret_key_digest="")

    monkeypatch.setattr(archive, "read", read)
    with pytest.raises(BackupError, match="add --replace"):
        restore.restore(Path("backup"), "", replace=False)
    assert loaded == []
