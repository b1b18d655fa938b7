"""Changes of the catalogue reach every process without a restart."""

import pytest
from django.db import connection

from chat.accounts.models import User
from chat.errors import UnknownModel
from chat.generations import model_permissions
from chat.generations.billing.pricing import cost_usd
from chat.lib.catalogue import read_catalogue
from chat.upstream import available_models
from chat.upstream.catalogue import current as current_catalogue
from chat.upstream.catalogue.models import ModelOverlay
from chat.upstream.events import Usage

FIRST, SECOND = list(available_models.offered_models())[:2]
GUARD = "@cf/meta/llama-guard-3-8b"

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_change_made_by_hand_counts_from_the_next_message_of_a_member(alice: User) -> None:
    assert FIRST in model_permissions.allowed_to(alice.pk)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO chat_modeloverlay (model, from_service, own, is_offered, position)"
            " VALUES (%s, '{}', '{}', %s, NULL)",
            [FIRST, False],
        )
    assert FIRST not in model_permissions.allowed_to(alice.pk)
    ModelOverlay.objects.all().delete()
    assert FIRST in model_permissions.allowed_to(alice.pk)


def test_each_process_looks_for_changes_in_the_background() -> None:
    ModelOverlay.objects.create(model=FIRST, is_offered=False)
    assert available_models.find(None).id == FIRST
    assert current_catalogue.refresh() is False
    assert available_models.find(None).id == SECOND


def test_nothing_is_read_again_without_a_change(django_assert_num_queries: object) -> None:
    ModelOverlay.objects.create(model=FIRST, own={"name": "First"})
    current_catalogue.refresh()
    with django_assert_num_queries(1):  # type: ignore[operator]
        current_catalogue.refresh()


def test_a_model_that_is_switched_off_answers_not_even_by_its_id() -> None:
    assert available_models.find(GUARD).id == GUARD  # not listed, but not switched off either
    ModelOverlay.objects.create(model=GUARD, is_offered=False)
    current_catalogue.refresh()
    with pytest.raises(UnknownModel):
        available_models.find(GUARD)
    assert available_models.known(GUARD)  # old answers still have a name and a price


def test_an_unlisted_model_can_be_switched_on() -> None:
    ModelOverlay.objects.create(model=GUARD, is_offered=True)
    current_catalogue.refresh()
    assert GUARD in available_models.offered_models()


def test_without_any_model_left_the_files_are_offered() -> None:
    for name in read_catalogue():
        ModelOverlay.objects.create(model=name, is_offered=False)
    current_catalogue.refresh()
    assert FIRST in available_models.offered_models()


def test_a_price_of_ones_own_counts_instead_of_reported_neurons() -> None:
    usage = Usage(1_000_000, 1_000_000, 2_000_000, neurons=1.0)
    assert cost_usd(available_models.known(FIRST), usage) == pytest.approx(0.000011)
    prices = {"input_usd_per_million": 3.0, "output_usd_per_million": 4.0}
    ModelOverlay.objects.create(model=FIRST, own=prices)
    current_catalogue.refresh()
    assert cost_usd(available_models.known(FIRST), usage) == pytest.approx(7.0)
