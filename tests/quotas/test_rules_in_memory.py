"""Each process caches limits, groups and pauses, and notices every change."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Group
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.accounts.models import User
from chat.database import config_version
from chat.generations.model_permissions import allowed_to
from chat.generations.models import AllowedModel
from chat.quotas import rules as quota_rules
from chat.quotas.models import ConfigVersion, Limit, UpstreamPause
from chat.quotas.payer import Payer


@pytest.fixture
def payer(alice: User) -> Payer:
    Limit.objects.create(
        scope="everyone", measure="tokens", amount=1000
    )  # so that there is a version
    return Payer(user_id=alice.pk)


def amounts(payer: Payer) -> dict[str, int]:
    present, reading = quota_rules.read(payer)
    return {each.key: each.most for each in present.effective_limits(payer, reading.now)}


def test_unchanged_rules_are_not_read_again(payer: Payer) -> None:
    before = amounts(payer)
    with CaptureQueriesContext(connection) as queries:
        assert amounts(payer) == before
    assert len(queries) == 1  # the meters, and with them the version


def test_a_changed_limit_applies_at_once(payer: Payer) -> None:
    assert amounts(payer) == {"everyone": 1000}
    Limit.objects.update(amount=Decimal(7))  # this sends no signal
    assert amounts(payer) == {"everyone": 7}
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {Limit._meta.db_table} SET amount = 8")
    assert amounts(payer) == {"everyone": 8}
    Limit.objects.all().delete()
    assert amounts(payer) == {}


def test_a_new_group_member_gets_its_limits_at_once(payer: Payer, alice: User) -> None:
    pupils = Group.objects.create(name="pupils")
    Limit.objects.create(scope="group", group=pupils, measure="tokens", amount=5)
    assert amounts(payer) == {"everyone": 1000}
    alice.groups.add(pupils)
    assert amounts(payer) == {"everyone": 1000, f"group:{pupils.pk}": 5}
    pupils.delete()
    assert amounts(payer) == {"everyone": 1000}


def test_a_pause_starts_and_ends_at_once(payer: Payer) -> None:
    def paused() -> bool:
        present, reading = quota_rules.read(payer)
        return present.paused_until(reading.now) is not None

    assert not paused()
    pause = UpstreamPause.objects.create(until=timezone.now() + timedelta(hours=1))
    assert paused()
    pause.delete()
    assert not paused()


def test_allowed_models_of_a_group_change_at_once(payer: Payer, alice: User) -> None:
    everything = allowed_to(alice.pk)
    one = next(iter(everything))
    pupils = Group.objects.create(name="pupils")
    alice.groups.add(pupils)
    named = AllowedModel.objects.create(group=pupils, model=one)
    assert list(allowed_to(alice.pk)) == [one]
    named.delete()
    assert allowed_to(alice.pk) == everything


def test_rules_of_a_rolled_back_transaction_are_not_cached(payer: Payer) -> None:
    """Its version is never used again."""
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        Limit.objects.update(amount=1)
        assert amounts(payer) == {"everyone": 1}
        _ = 1 / 0
    assert amounts(payer) == {"everyone": 1000}
    Limit.objects.update(amount=2)
    assert amounts(payer) == {"everyone": 2}


def test_without_a_version_nothing_is_cached(payer: Payer) -> None:
    ConfigVersion.objects.all().delete()
    assert config_version.current() is None
    assert amounts(payer) == {"everyone": 1000}
    with connection.cursor() as cursor:  # as if no trigger had seen it
        cursor.execute(f"UPDATE {Limit._meta.db_table} SET amount = 3")
    ConfigVersion.objects.all().delete()
    assert amounts(payer) == {"everyone": 3}
