"""Security headers of every response, and security.txt."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.test import AsyncClient, Client
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.middleware.content_security import ACCOUNTS, DATA_POLICY
from tests.support.servers.settings_process import read
from tests.support.upstream.upstream_override import ask
from tests.support.web.front_end import HELLO
from tests.support.web.signed_in import signed_in
from tests.support.widget.visitor_client import make_site

pytestmark = pytest.mark.django_db
CSP = "Content-Security-Policy"
PATH = "/.well-known/security.txt"


@pytest.mark.parametrize(
    "path",
    ["/settings/", "/accounts/login/", "/s/none/", "/healthz", "/w.js", "/admin/", "/nowhere"],
)
def test_device_features_are_disabled(path: str, alice: User) -> None:
    client = signed_in(alice)
    policy = client.get(path)["Permissions-Policy"]
    parts = {name: value for name, _, value in (each.partition("=") for each in policy.split(", "))}
    assert {parts[name] for name in ("camera", "microphone", "geolocation", "payment")} == {"()"}
    assert parts["publickey-credentials-get"] == parts["clipboard-write"] == "(self)"


@pytest.mark.parametrize("path", ["/chat/", "/chat/temporary/"])
def test_pages_with_a_message_box_may_ask_for_the_microphone(path: str, alice: User) -> None:
    client = signed_in(alice)
    policy = client.get(path)["Permissions-Policy"]
    assert "microphone=(self)" in policy
    assert "camera=()" in policy


def test_device_features_are_disabled_in_the_widgets_frame_too(alice: User) -> None:
    site = make_site(alice)
    assert "camera=()" in Client().get(f"/w/{site.key}/")["Permissions-Policy"]


async def test_data_allows_nothing_and_needs_no_nonce(alice_client: AsyncClient) -> None:
    for asked, kind in ((HELLO, "text/event-stream"), ({}, "application/json")):
        answer = await ask(alice_client, asked)
        assert answer["Content-Type"].partition(";")[0] == kind
        assert answer[CSP] == DATA_POLICY


def test_the_directives_are_in_the_same_order_in_every_process(client: Client) -> None:
    policy = client.get("/accounts/login/")[CSP]
    assert [part.split(" ")[0] for part in policy.split("; ")] == list(ACCOUNTS)


def test_pages_keep_theirs(alice: User) -> None:
    client = signed_in(alice)
    first, second = (client.get("/chat/")[CSP] for _ in range(2))
    assert "'nonce-" in first
    assert first != second


def test_without_a_contact_there_is_no_security_txt(client: Client) -> None:
    assert client.get(PATH).status_code == 404


def test_security_txt_has_the_contacts_and_a_future_expiry(
    client: Client, settings: Settings
) -> None:
    settings.SITE_URL = "https://chat.example.org"
    settings.SECURITY_CONTACTS = ["mailto:security@example.org", "https://example.org/report"]
    response = client.get(PATH)
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    *contacts, expires, canonical = response.content.decode().splitlines()
    assert contacts == [
        "Contact: mailto:security@example.org",
        "Contact: https://example.org/report",
    ]
    assert canonical == f"Canonical: https://chat.example.org{PATH}"
    expires_at = datetime.fromisoformat(expires.removeprefix("Expires: "))
    left = expires_at - timezone.now()
    assert timedelta(days=30) < left < timedelta(days=365)


@pytest.mark.parametrize(
    ("contact", "is_fine"),
    [
        ("security@example.org, https://example.org/x", True),
        ("http://example.org", False),
        ("me", False),
    ],
)
def test_an_invalid_contact_aborts_startup(contact: str, is_fine: bool, tmp_path: Path) -> None:
    result = read(tmp_path, "SECURITY_CONTACTS", SECURITY_CONTACT=contact)
    assert (result.returncode == 0) == is_fine
    assert is_fine or "SECURITY_CONTACT" in result.stderr
