"""The page where members manage their API keys."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.api_keys import keys
from chat.api_keys.models import ApiKey
from chat.upstream import available_models
from chat.web.api_keys import snippets
from tests.support.api.api_client import MODEL
from tests.support.web.personas import page
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db

PATH = "/settings/api/"
FORM = {"name": "Alices", "lifetime": "90"}
KEY = re.compile(r"rnl_[0-9A-Za-z]{42}")


def created(browser: Client, **fields: object) -> str:
    shown = browser.post(PATH, {**FORM, **fields})
    assert shown.status_code == 200
    (text,) = KEY.findall(shown.content.decode())
    return str(text)


def test_a_new_key_is_shown_once_and_works(browser: Client, alice: User) -> None:
    text = created(browser)
    assert keys.find(text).owner == alice
    shown = page(browser, PATH)
    assert text not in shown
    assert ApiKey.objects.get().prefix in shown
    assert "Alices" in shown


def test_the_page_with_a_new_key_is_not_cached(browser: Client) -> None:
    assert "no-store" in browser.post(PATH, FORM)["Cache-Control"]


def test_a_key_has_the_chosen_options(browser: Client) -> None:
    created(browser, lifetime="30", monthly_usd="2.50", allowed_models=[MODEL])
    key = ApiKey.objects.get()
    assert key.expires_at
    assert timedelta(days=29) < key.expires_at - timezone.now() < timedelta(days=31)
    assert (str(key.monthly_usd), key.allowed_models) == ("2.50", [MODEL])
    shown = page(browser, PATH)
    assert "of $2.50 this month" in shown


def test_a_key_can_have_no_end(browser: Client) -> None:
    created(browser, lifetime="never")
    assert ApiKey.objects.get().expires_at is None
    assert "Valid until you revoke it" in page(browser, PATH)


@pytest.mark.parametrize(
    "fields",
    [{"name": ""}, {"lifetime": "7"}, {"monthly_usd": "-1"}, {"allowed_models": ["@cf/none"]}],
)
def test_an_invalid_form_creates_nothing(browser: Client, fields: dict[str, object]) -> None:
    assert browser.post(PATH, {**FORM, **fields}).status_code == 422
    assert not ApiKey.objects.exists()


def test_too_many_keys_are_refused_with_a_reason(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "MAX_KEYS", 0)
    refused = browser.post(PATH, FORM)
    assert refused.status_code == 422
    assert "maximum number of API keys" in refused.content.decode()


def test_a_revoked_key_disappears(browser: Client) -> None:
    created(browser)
    done = browser.post(f"{PATH}{ApiKey.objects.get().pk}/revocation/", follow=True)
    assert "Key revoked." in done.content.decode()
    assert "You have no API keys yet." in page(browser, PATH)


def test_members_see_only_their_own_keys(browser: Client, bob: User) -> None:
    created(browser)
    assert "Alices" not in page(signed_in(bob), PATH)


def test_a_hostile_name_is_shown_as_text(browser: Client) -> None:
    created(browser, name="<script>alert(1)</script>")
    assert "<script>alert" not in page(browser, PATH)


def test_the_page_shows_what_to_paste_into_each_client(browser: Client, settings: Settings) -> None:
    settings.SITE_URL = "https://chat.example/"
    shown = unescape(page(browser, PATH))
    assert 'value="https://chat.example/v1"' in shown
    for each in snippets.snippets_for(next(iter(available_models.offered_models()))):
        assert each.text in shown, each.client
        assert snippets.SITE not in each.text
        assert snippets.MODEL not in each.text


def test_the_page_is_hidden_where_the_site_has_no_api(browser: Client, settings: Settings) -> None:
    assert PATH in page(browser, "/settings/")
    settings.API_KEYS = "staff"
    assert PATH not in page(browser, "/settings/")
    assert browser.get(PATH).status_code == 404


def test_a_key_keeps_chats_only_if_chosen(browser: Client) -> None:
    created(browser)
    assert "Calls are saved as chats" not in page(browser, PATH)
    created(browser, keeps_chats="on")
    assert list(ApiKey.objects.values_list("keeps_chats", flat=True)) == [True, False]
    assert "Calls are saved as chats" in page(browser, PATH)
