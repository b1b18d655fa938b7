"""Monitors ask a process by its address; pages are only at the site's own name."""

import pytest
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db
NAME = "chat.example.org"


@pytest.fixture(autouse=True)
def _only_one_name(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = [NAME]
    settings.SITE_URL = f"https://{NAME}"
    settings.SECURE_SSL_REDIRECT = True


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:8000", "10.0.0.5", "[::1]:8001", "[fd00::5]", "localhost:8000", "site:8000", NAME],
)
def test_monitors_may_use_the_address_of_a_process(path: str, host: str, client: Client) -> None:
    response = client.get(path, headers={"Host": host})
    assert response.status_code in {200, 503}  # as healthy as the process is


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "a/b", "x@127.0.0.1"])
def test_names_of_others_are_refused(path: str, host: str, client: Client) -> None:
    """A page of theirs could read the response if their name led to this machine."""
    response = client.get(path, headers={"Host": host})
    assert response.status_code == 400


@pytest.mark.parametrize("path", ["/chat/", "/accounts/login/", "/", "/healthz/", "/metrics/x"])
def test_pages_are_not_at_an_address(path: str, client: Client) -> None:
    secure = {"Host": "10.0.0.5", "X-Forwarded-Proto": "https"}
    assert client.get(path, headers=secure).status_code == 400
