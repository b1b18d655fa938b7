"""The notice that an emulator answers is shown only where it does."""

from collections.abc import Iterator

import pytest
from django.test import Client
from pytest_django import Settings

from chat.lib.catalogue import Provider
from chat.personas.models import Persona
from chat.upstream.catalogue import current as current_catalogue
from chat.widget_sites.models import WidgetSite
from tests.support.upstream.two_providers import FIRST, SECOND

NOTICE = "Answers come from an emulator."


@pytest.fixture(autouse=True)
def _second_provider(settings: Settings) -> Iterator[None]:
    settings.PROVIDERS = {
        "second": Provider(name="second", base_url="https://x.example/v1", token_variable="T")
    }
    settings.PROVIDER_TOKENS = {"T": "x"}
    yield
    current_catalogue.forget()


@pytest.mark.parametrize(
    ("default", "other", "chosen", "is_shown"),
    [
        (FIRST, SECOND, "", True),
        (SECOND, FIRST, "", False),
        (FIRST, SECOND, SECOND.id, False),
        (SECOND, FIRST, FIRST.id, True),
    ],
)
def test_visitors_are_told_if_the_emulator_answers_them(
    default: object,
    other: object,
    chosen: str,
    is_shown: bool,
    shop: WidgetSite,
    settings: Settings,
) -> None:
    settings.MODELS = {each.id: each for each in (default, other)}  # type: ignore[attr-defined]
    current_catalogue.forget()
    if chosen:
        shop.persona = Persona.objects.create(owner=shop.owner, name="Guide", model=chosen)
        shop.save()
    page = Client().get(f"/w/{shop.key}/").content.decode()
    assert (NOTICE in page) == is_shown
