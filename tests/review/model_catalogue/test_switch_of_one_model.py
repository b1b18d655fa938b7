"""On the page of a model, administrators switch it off and on again."""

import re

import pytest
from django.test import Client
from pytest_django import Settings

from chat.review.access_log.staff_actions import StaffAction
from chat.upstream import available_models
from tests.review.conftest import recorded_actions
from tests.support.review.member_pages import text_of

FIRST, SECOND = list(available_models.offered_models())[:2]
WAS_ON = {"initial-is_on": "True"}
WAS_OFF = {"initial-is_on": "False"}


def page_of(model: str) -> str:
    return f"/review/models/edit/{model}/"


def is_checked(page: str) -> bool:
    (box,) = re.findall(r'<input type="checkbox" name="is_on"[^>]*>', page)
    return "checked" in box


def details() -> list[str]:
    found = recorded_actions().filter(kind=StaffAction.Kind.MODELS_CHANGED).order_by("id")
    return list(found.values_list("detail", flat=True))


def test_a_model_is_switched_off_and_on_again(admin_browser: Client) -> None:
    assert is_checked(text_of(admin_browser, page_of(SECOND)))
    assert admin_browser.post(page_of(SECOND), WAS_ON).status_code == 302
    assert SECOND not in available_models.offered_models()
    assert available_models.all_models()[SECOND].switched_off
    shown = text_of(admin_browser, page_of(SECOND))
    assert not is_checked(shown)
    assert 'name="initial-is_on" value="False"' in shown
    assert admin_browser.post(page_of(SECOND), {**WAS_OFF, "is_on": "on"}).status_code == 302
    assert SECOND in available_models.offered_models()
    assert details() == [f"{SECOND}: off", f"{SECOND}: on"]


def test_other_models_stay_as_they_are(admin_browser: Client) -> None:
    before = list(available_models.offered_models())
    admin_browser.post(page_of(SECOND), WAS_ON)
    assert list(available_models.offered_models()) == [each for each in before if each != SECOND]


@pytest.mark.parametrize("sent", [{}, {"is_on": "on", **WAS_ON}, WAS_OFF])
def test_a_switch_that_was_left_alone_changes_nothing(
    admin_browser: Client, sent: dict[str, str]
) -> None:
    """Not even if somebody else has switched the model meanwhile."""
    assert admin_browser.post(page_of(SECOND), {"name": "House llama", **sent}).status_code == 302
    assert available_models.offered_models()[SECOND].name == "House llama"
    assert details() == [f"{SECOND}: name House llama"]


def test_values_and_switch_are_saved_together_or_not_at_all(
    admin_browser: Client, settings: Settings
) -> None:
    settings.DEFAULT_MODEL = FIRST
    response = admin_browser.post(page_of(FIRST), {"name": "House llama", **WAS_ON})
    assert response.status_code == 422
    assert "it can&#x27;t be turned off" in response.content.decode()
    assert 'value="House llama"' in response.content.decode()
    assert available_models.offered_models()[FIRST].name != "House llama"
    assert details() == []


def test_a_retired_model_has_no_switch(admin_browser: Client) -> None:
    models = available_models.all_models().values()
    gone = next(model for model in models if model.is_gone)
    assert 'name="is_on"' not in text_of(admin_browser, page_of(gone.id))
    assert admin_browser.post(page_of(gone.id), {"is_on": "on"}).status_code == 302
    assert gone.id not in available_models.offered_models()
