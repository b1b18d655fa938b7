"""A large collection is not read anew for each question while files are added to it."""

import pytest
from django.db.models import F

from chat.accounts.models import User
from chat.knowledge import loaded
from chat.knowledge.models import Collection


@pytest.fixture
def collection(alice: User) -> Collection:
    loaded.forget()
    return Collection.objects.create(owner=alice, name="Handbook")


def versions(collection: Collection) -> int:
    return loaded.loaded([collection.pk], "")[0].version


@pytest.mark.django_db
@pytest.mark.parametrize(("slow_seconds", "seen"), [(60.0, 1), (-1.0, 0)])
def test_an_old_copy_is_used_only_if_reading_it_took_long(
    collection: Collection, monkeypatch: pytest.MonkeyPatch, slow_seconds: float, seen: int
) -> None:
    monkeypatch.setattr(loaded, "SLOW_SECONDS", slow_seconds)
    monkeypatch.setattr(loaded, "KEEP_FACTOR", 1_000_000)
    assert versions(collection) == 0
    Collection.objects.filter(pk=collection.pk).update(version=F("version") + 1)
    assert versions(collection) == seen
