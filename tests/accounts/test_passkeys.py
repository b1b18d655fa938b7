"""Passkeys, without a device (tests/browser/account/test_passkeys.py uses one)."""

import json
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from tests.accounts.second_factor import PASSWORD, member_with_address
from tests.support.servers.settings_process import read
from tests.support.web.signed_in import signed_in

ADD, LOGIN = "/accounts/2fa/webauthn/add/", "/accounts/2fa/webauthn/login/"
JSON = {"Accept": "application/json"}
#: Invalid credentials, some of which are not even JSON.
NONSENSE = [
    "", "x", "null", "[]", "{}", "7", '"x"', '{"id": 1}', '{"response": []}',
    json.dumps({"id": "AA", "rawId": "AA", "type": "public-key", "response": {}}),
    json.dumps({
        "id": "AA", "rawId": "AA", "type": "public-key", "clientExtensionResults": {},
        "response": {"clientDataJSON": "AAAA", "attestationObject": "AAAA", "userHandle": "OTk5",
                     "authenticatorData": "AAAA", "signature": "AAAA"},
    }),
    json.dumps({
        "id": "AA", "rawId": "AA", "type": "public-key", "clientExtensionResults": {},
        "response": {"clientDataJSON": "e30", "attestationObject": "oA", "userHandle": "-",
                     "authenticatorData": "_" * 60, "signature": ""},
    }),
]  # fmt: skip


@pytest.fixture
def hers(alice: User) -> Client:
    """Return alice's browser, in which she has just confirmed her password."""
    client = member_with_address(alice)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


@pytest.mark.parametrize("credential", NONSENSE)
def test_an_invalid_credential_is_not_added(hers: Client, credential: str) -> None:
    assert hers.get(ADD).status_code == 200
    page = hers.post(ADD, {"name": "Phone", "credential": credential})
    assert page.status_code == 200
    assert page.context["form"].errors
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize("credential", NONSENSE)
def test_an_invalid_credential_does_not_sign_in(db: None, credential: str) -> None:
    browser = Client()
    assert browser.get(LOGIN, headers=JSON).status_code == 200
    answer = browser.post(LOGIN, {"credential": credential})
    assert answer["Location"] == "/accounts/login/"
    assert browser.get("/chat/").status_code == 302


def test_a_passkey_is_bound_to_the_host_of_site_url(hers: Client, settings: Settings) -> None:
    settings.SITE_URL = "https://chat.example.org"
    settings.ALLOWED_HOSTS = ["*"]
    page = hers.get(ADD, headers={"Host": "other.example.net"})
    options: dict[str, Any] = page.context["js_data"]["creation_options"]["publicKey"]
    assert options["rp"] == {"id": "chat.example.org", "name": "Runnel"}
    found = Client().get(LOGIN, headers=JSON | {"Host": "other.example.net"}).json()
    assert found["request_options"]["publicKey"]["rpId"] == "chat.example.org"
    assert found["request_options"]["publicKey"]["userVerification"] == "required"


def test_pages_offer_passkeys_only_where_they_work(hers: Client, settings: Settings) -> None:
    for works in (True, False):
        settings.PASSKEYS = works
        assert (
            "Sign in with a passkey" in Client().get("/accounts/login/").content.decode()
        ) is works
        assert ("Add a passkey" in hers.get("/accounts/2fa/").content.decode()) is works


@pytest.mark.parametrize(
    ("site_url", "works"),
    [
        ("https://chat.example.org", True),
        ("http://localhost:8000", True),
        ("http://chat.localhost:8000", True),
        ("http://127.0.0.1:8000", False),
        ("https://203.0.113.9", False),
        ("https://[2001:db8::1]", False),
        ("http://chat.example.org", False),
    ],
)
def test_passkeys_work_with_https_and_a_host_name(
    tmp_path: Any, site_url: str, works: bool
) -> None:
    said = read(tmp_path, "PASSKEYS", SITE_URL=site_url)
    assert said.stdout == f"{works}\n", said.stderr


def test_a_member_cannot_rename_or_remove_another_members_passkey(
    hers: Client, alice: User, bob: User
) -> None:
    his = Authenticator.objects.create(
        user=bob, type="webauthn", data={"name": "Phone", "credential": {}}
    )
    for verb in ("edit", "remove"):
        path = f"/accounts/2fa/webauthn/keys/{his.pk}/{verb}/"
        assert hers.get(path).status_code == 404
        assert hers.post(path, {"name": "Mine"}).status_code == 404
    his.refresh_from_db()
    assert his.data["name"] == "Phone"


def test_changing_passkeys_asks_for_the_password_first(alice: User) -> None:
    browser = signed_in(alice)
    assert browser.get(ADD)["Location"].startswith("/accounts/reauthenticate/")
    assert PASSWORD not in browser.get("/accounts/2fa/").content.decode()
