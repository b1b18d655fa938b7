"""The menu of an answer offers to read it aloud to those who may use the site's speech model."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from chat.generations import model_permissions
from tests.support.api.api_client import MODEL
from tests.support.api.media_client import AURA

pytestmark = pytest.mark.django_db
PAGES = ("/chat/", "/chat/temporary/")
ENTRY, MENU, BUTTON = b'data-turn="read"', b'id="turn-menu"', b'popovertarget="turn-menu"'


@pytest.mark.parametrize("path", PAGES)
def test_a_site_with_a_speech_model_offers_it(browser: Client, path: str) -> None:
    page = browser.get(path).content
    assert all(each in page for each in (ENTRY, MENU, BUTTON))


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("model", ["", "nowhere"])
def test_a_site_without_one_does_not(
    browser: Client, settings: Settings, path: str, model: str
) -> None:
    settings.SPEECH_MODEL = model
    page = browser.get(path).content
    assert ENTRY not in page
    is_temporary = path != "/chat/"  # whose menu has nothing else
    assert (MENU not in page) == (BUTTON not in page) == is_temporary


def test_members_whose_groups_name_their_models_are_not_offered_it(
    alice: User, browser: Client, settings: Settings
) -> None:
    settings.SPEECH_MODEL = AURA
    group = Group.objects.create(name="Readers")
    alice.groups.add(group)
    assert ENTRY in browser.get("/chat/").content
    model_permissions.set_for(group, [MODEL])
    assert ENTRY not in browser.get("/chat/").content
