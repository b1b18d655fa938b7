"""What is saved in the page counts in every process, unless the environment says otherwise."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import DjangoAssertNumQueries, Settings

from chat.accounts import mail
from chat.site_settings import effective, setting_names, stored_settings
from chat.site_settings.models import SiteSetting
from chat.site_settings.provider_connection import CLOUDFLARE, WORKERS_AI, ProviderConnection
from chat.upstream import factory

pytestmark = pytest.mark.django_db(transaction=True)
TOKEN = "cf-very-secret"
ENTERED = ProviderConnection(WORKERS_AI, CLOUDFLARE, "abc", TOKEN)


def store(**values: object) -> None:
    for name, value in values.items():
        SiteSetting.objects.update_or_create(pk=name, defaults={"value": value})
    stored_settings.refresh()


def store_connection() -> None:
    store(PROVIDER=ENTERED.stored())


def test_without_any_the_environment_and_its_defaults_count() -> None:
    assert effective.site_name() == "Runnel"
    assert effective.sign_up() == "open"
    assert effective.connection() is None
    assert effective.announcement() is None


def test_a_setting_saved_by_hand_counts_after_the_next_look() -> None:
    stored_settings.refresh()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO chat_sitesetting (name, value) VALUES ('SITE_NAME', %s)", ['"Brook"']
        )
    assert effective.site_name() == "Runnel"
    assert stored_settings.refresh() is False
    assert effective.site_name() == "Brook"
    SiteSetting.objects.all().delete()
    stored_settings.refresh()
    assert effective.site_name() == "Runnel"


def test_nothing_is_read_again_without_a_change(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    store(SITE_NAME="Brook")
    with django_assert_num_queries(1):
        stored_settings.refresh()
    with django_assert_num_queries(0):
        assert effective.site_name() == "Brook"


def test_the_environment_wins(settings: Settings) -> None:
    store(SITE_NAME="Brook", SIGN_UP="closed")
    settings.SET_IN_ENVIRONMENT = frozenset({"SITE_NAME"})
    assert effective.site_name() == "Runnel"
    assert effective.sign_up() == "closed"


def test_a_provider_in_the_environment_wins(settings: Settings) -> None:
    store_connection()
    settings.WORKERS_AI_BASE_URL = "https://models.example.org/v1"
    assert effective.connection() is None
    assert factory.endpoint().base_url == "https://models.example.org/v1"
    assert factory.endpoint().token == ""


def test_the_entered_provider_is_asked_instead_of_the_emulator() -> None:
    assert factory.uses_emulator()
    store_connection()
    assert not factory.uses_emulator()
    endpoint = factory.endpoint()
    assert (endpoint.base_url, endpoint.account_id, endpoint.token) == (CLOUDFLARE, "abc", TOKEN)
    assert factory.requests_per_minute("") == factory.USUAL_REQUEST_LIMIT
    assert TOKEN not in repr(endpoint) + repr(stored_settings.current())


def test_the_token_is_encrypted_in_the_database() -> None:
    store_connection()
    stored = json.dumps(list(SiteSetting.objects.values_list("value", flat=True)))
    assert TOKEN not in stored


def test_the_token_survives_a_change_of_the_secret_key(settings: Settings) -> None:
    store_connection()
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "n" * 50
    said = StringIO()
    call_command("reencrypt_second_factors", stdout=said)
    assert "Re-encrypted the model provider's token." in said.getvalue()
    settings.SECRET_KEY_FALLBACKS = []
    assert stored_settings.read().connection == ENTERED


def test_without_the_old_key_the_provider_gets_no_token(settings: Settings) -> None:
    store_connection()
    settings.SECRET_KEY = "n" * 50
    found = stored_settings.read().connection
    assert found
    assert found.token == ""
    with pytest.raises(CommandError, match="token can't be decrypted"):
        call_command("reencrypt_second_factors", stdout=StringIO())


def test_domains_without_confirmation_let_nobody_in_by_typing_an_address() -> None:
    store(SIGN_UP_DOMAINS=["example.org"])
    assert effective.sign_up() == "approval"


@pytest.mark.parametrize(("name", "sender"), [("Brook", "Brook <"), ('A, "B"', '"A, \\"B\\"" <')])
def test_mails_come_from_the_site_under_its_name(name: str, sender: str) -> None:
    store(SITE_NAME=name)
    assert mail.sender().startswith(sender)


def test_a_sender_in_the_environment_stays(settings: Settings) -> None:
    store(SITE_NAME="Brook")
    settings.SET_IN_ENVIRONMENT = frozenset({"EMAIL_FROM"})
    assert mail.sender() == settings.DEFAULT_FROM_EMAIL


def test_setting_names_fit_their_column() -> None:
    names = [each for each in vars(setting_names).values() if isinstance(each, str)]
    assert max(map(len, (each for each in names if each.isupper()))) <= 40
