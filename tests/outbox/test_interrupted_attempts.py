"""A last attempt whose process died is given up, however long ago that was."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from chat.outbox import claim
from chat.outbox.deliver import DeliveryKind, end_interrupted
from chat.outbox.models import Delivery

pytestmark = pytest.mark.django_db(transaction=True)


async def _nothing(_delivery: Delivery) -> None:
    pass


def kind(name: str, given_up: list[UUID]) -> DeliveryKind:
    def note(delivery: Delivery) -> None:
        if delivery.recipient == "broken":
            raise ValueError
        given_up.append(delivery.pk)

    return DeliveryKind(name, _nothing, timedelta(minutes=1), 1, on_given_up=note)


def interrupt(name: str = "work", recipient: str = "", days: int = 8) -> Delivery:
    """Store a delivery whose last attempt was being made so many days ago."""
    then = timezone.now() - timedelta(days=days)
    return Delivery.objects.create(
        kind=name,
        recipient=recipient,
        attempts=claim.MAX_ATTEMPTS,
        due_at=None,
        claimed_until=then,
        created_at=then,
    )


def test_it_is_told_before_it_is_removed() -> None:
    given_up: list[UUID] = []
    old = interrupt()
    claim.remove_old()
    for _ in range(2):
        end_interrupted([kind("work", given_up)])()
    assert given_up == [old.pk]
    assert Delivery.objects.get().last_error == "interrupted"
    claim.remove_old()
    assert not Delivery.objects.exists()


def test_a_kind_that_tells_nobody_is_removed_too() -> None:
    interrupt("letter")
    end_interrupted([DeliveryKind("letter", _nothing, timedelta(minutes=1), 1)])()
    claim.remove_old()
    assert not Delivery.objects.exists()


def test_one_that_breaks_stops_no_other() -> None:
    given_up: list[UUID] = []
    broken, other = interrupt(recipient="broken"), interrupt()
    end_interrupted([kind("work", given_up)])()
    assert given_up == [other.pk]
    assert Delivery.objects.get(claimed_until__isnull=False) == broken


def test_one_that_is_being_made_goes_on() -> None:
    given_up: list[UUID] = []
    interrupt(days=-1)
    end_interrupted([kind("work", given_up)])()
    assert given_up == []
