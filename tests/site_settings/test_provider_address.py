"""An address typed in the page can't make the server send a token or a chat to the wrong place."""

import pytest
from asgiref.sync import async_to_sync
from django.core.exceptions import ValidationError
from pytest_django import Settings

from chat.errors import UpstreamUnreachable
from chat.site_settings.provider_address import checked_address, may_connect
from chat.site_settings.provider_connection import OPENAI, ProviderConnection
from chat.upstream.connection_check import try_connection


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("https://api.example.org/v1/", "https://api.example.org/v1"),
        (" https://8.8.8.8/v1", "https://8.8.8.8/v1"),
        ("http://localhost:11434/v1", "http://localhost:11434/v1"),
        ("http://10.1.2.3:8000/v1", "http://10.1.2.3:8000/v1"),
        ("https://[::1]:8000/v1", "https://[::1]:8000/v1"),
    ],
)
def test_a_model_server_has_an_address(given: str, stored: str) -> None:
    assert checked_address(given) == stored


@pytest.mark.parametrize(
    "address",
    [
        "api.example.org", "ftp://example.org", "https://", "http://8.8.8.8/v1",
        "https://user:pass@example.org", "https://example.org/?key=1", "https://example.org/#a",
        "http://169.254.169.254/latest", "https://169.254.169.254", "https://[fd00:ec2::254]",
        "https://example.org:99999", "https://example.org:0", "https://[::ffff:169.254.169.254]",
        f"https://example.org/{'x' * 400}", "https://168.63.129.16", "http://0.0.0.0",
    ],
)  # fmt: skip
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(ValidationError):
        checked_address(address)


@pytest.mark.parametrize(
    "address", ["http://localhost:11434/v1", "https://127.0.0.1", "https://10.0.0.1/v1"]
)
def test_private_networks_need_a_setting(address: str, settings: Settings) -> None:
    settings.PRIVATE_PROVIDERS = False
    with pytest.raises(ValidationError):
        checked_address(address)


def test_a_connection_without_encryption_never_leaves_the_private_network() -> None:
    assert may_connect("192.168.1.5", is_tls=False)
    assert may_connect("8.8.8.8", is_tls=True)
    assert not may_connect("8.8.8.8", is_tls=False)
    assert not may_connect("169.254.169.254", is_tls=True)


def test_a_name_that_leads_into_the_private_network_is_not_connected_to(
    settings: Settings,
) -> None:
    settings.PRIVATE_PROVIDERS = False
    found = async_to_sync(try_connection)(
        ProviderConnection(OPENAI, "https://localhost:1/v1", token="secret")
    )
    assert isinstance(found.error, UpstreamUnreachable)
    assert found.is_address_refused
