"""The frame that shows code of answers: its headers, and the administrator's switch."""

import re

import pytest
from django.conf import LazySettings
from django.test import Client

from chat.accounts.models import User
from chat.conversations.turns import start_conversation
from chat.sharing.links import Choices, make
from tests.sharing.conftest import ask
from tests.support.widget.visitor_client import make_site

pytestmark = pytest.mark.django_db

FRAME = "/code-preview/"
POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'nonce-…'; style-src 'unsafe-inline'; "
    "img-src data:; font-src data:; media-src data:; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'"
)


def test_the_frame_has_an_origin_of_its_own_and_loads_two_scripts(client: Client) -> None:
    response = client.get(FRAME)
    policy = response["Content-Security-Policy"]
    (nonce,) = re.findall(r"'nonce-([^']{20,})'", policy)
    assert policy.replace(nonce, "…") == POLICY
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert response["Referrer-Policy"] == "no-referrer"
    assert response["X-DNS-Prefetch-Control"] == "off"
    assert not response.cookies
    page = response.content.decode()
    assert re.findall(r"<script[^>]* nonce=\"([^\"]+)\"", page) == [nonce]
    assert page.count("<script") == 1


def test_each_response_has_another_nonce(client: Client) -> None:
    policies = {client.get(FRAME)["Content-Security-Policy"] for _ in range(3)}
    assert len(policies) == 3


def test_it_is_the_same_for_everybody(client: Client, browser: Client) -> None:
    pages = [
        re.sub(r'nonce="[^"]+"', "", each.get(FRAME).content.decode()) for each in (client, browser)
    ]
    assert pages[0] == pages[1]


@pytest.mark.parametrize("is_on", [True, False])
def test_an_administrator_can_turn_previews_off(
    browser: Client, alice: User, settings: LazySettings, *, is_on: bool
) -> None:
    settings.CODE_PREVIEWS = is_on
    assert browser.get(FRAME).status_code == (200 if is_on else 404)
    chat = start_conversation(alice.pk)
    ask(chat, "What is water?", "It is wet.")
    for path in ("/chat/", f"/chat/{chat.pk}/", f"/s/{make(chat, Choices()).token}/"):
        page = browser.get(path)
        assert ("data-previews" in page.content.decode()) == is_on, path
        assert ("frame-src 'self'" in page["Content-Security-Policy"]) == is_on, path


def test_staff_and_visitors_get_no_previews(browser: Client, alice: User) -> None:
    alice.is_superuser = alice.is_staff = True
    alice.save()
    chat = start_conversation(alice.pk)
    ask(chat, "What is water?", "It is wet.")
    browser.post("/review/reason/", {"reason": "A report of today"})
    for path in (f"/review/{chat.pk}/", f"/w/{make_site(alice).key}/"):
        page = browser.get(path)
        assert page.status_code == 200, path
        assert "data-previews" not in page.content.decode(), path
