"""A charge names no visitor and no address longer than limits need it, and nobody who is gone."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from chat.accounts.models import User
from chat.generations.deletion.soft_delete import delete_account, delete_site
from chat.quotas import anonymous_charges, ledger
from chat.quotas.amounts import Amount
from chat.quotas.anonymous_charges import PastMonths
from chat.quotas.ledger import Estimate
from chat.quotas.models import Charge, Meter
from chat.quotas.payer import Payer
from chat.widget_sites import visitors
from chat.widget_sites.models import Visitor
from tests.support.generations.purge import sweep
from tests.support.widget.visitor_client import make_site

ADDRESS = "203.0.113.7"
COST = Amount(10, 5, 1)


def charge(payer: Payer, *, is_settled: bool = True, days_ago: int = 0) -> Charge:
    """Charge an answer."""
    charge_id = uuid4()
    with transaction.atomic():
        ledger.reserve(charge_id, payer, Estimate(10, 100, COST, COST), model="m", process=1)
    if is_settled:
        settle(charge_id)
    charges = Charge.objects.filter(pk=charge_id)
    charges.update(created_at=timezone.now() - timedelta(days=days_ago))
    return charges.get()


def settle(charge_id: object) -> None:
    with transaction.atomic():
        ledger.settle([charge_id])  # type: ignore[list-item]


def payer_of(visitor: Visitor) -> Payer:
    return Payer(site=visitor.site.key, visitor=visitor.pk.hex, address=ADDRESS)


def keys_of_all() -> str:
    return json.dumps(list(Charge.objects.values_list("keys", flat=True)))


@pytest.fixture
def vera(bob: User) -> Visitor:
    return visitors.make(make_site(bob))


def test_an_erased_visitor_is_in_no_charge_and_has_no_meter(vera: Visitor) -> None:
    hers = charge(payer_of(vera))
    other = visitors.make(vera.site)
    charge(payer_of(other))
    delete_account(vera.user)
    sweep()
    assert not Visitor.objects.filter(pk=vera.pk).exists()
    assert vera.pk.hex not in keys_of_all()
    assert other.pk.hex in keys_of_all()
    assert not Meter.objects.filter(key=payer_of(vera).visitor_key).exists()
    hers.refresh_from_db()
    assert set(hers.keys) == {"everyone", f"site:{vera.site.key}", "visitors"}
    assert hers.tokens == COST.tokens


def test_an_erased_visitor_stays_until_running_answers_are_settled(vera: Visitor) -> None:
    running = charge(payer_of(vera), is_settled=False)
    delete_account(vera.user)
    sweep()
    assert Visitor.objects.filter(pk=vera.pk).exists()
    settle(running.pk)
    sweep()
    assert not Visitor.objects.filter(pk=vera.pk).exists()
    assert vera.pk.hex not in keys_of_all()


def test_a_deleted_website_leaves_nobody_in_charges(
    vera: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anonymous_charges, "ANONYMISED_AT_ONCE", 1)
    charge(payer_of(vera))
    charge(Payer(site=vera.site.key, address=ADDRESS))  # of a client without a visitor
    delete_site(vera.site)
    sweep()
    assert not Visitor.objects.exists()
    assert vera.pk.hex not in keys_of_all()
    assert ADDRESS not in keys_of_all()


def test_charges_of_past_months_name_no_visitor_and_no_address(
    vera: Visitor, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anonymous_charges, "ANONYMISED_AT_ONCE", 1)
    for days in (32, 32, 400):
        charge(payer_of(vera), days_ago=days)
    hers = charge(Payer(user_id=alice.pk, address=ADDRESS), days_ago=33)
    present = charge(payer_of(vera))
    PastMonths().anonymise(seconds=60)
    named = [each for each in Charge.objects.all() if vera.pk.hex in json.dumps(each.keys)]
    assert [each.pk for each in named] == [present.pk]
    assert [ADDRESS in json.dumps(each.keys) for each in Charge.objects.order_by("created_at")] == [
        False, False, False, False, True,
    ]  # fmt: skip
    hers.refresh_from_db()
    assert (hers.user_id, set(hers.keys)) == (alice.pk, {"everyone", f"user:{alice.pk}"})
