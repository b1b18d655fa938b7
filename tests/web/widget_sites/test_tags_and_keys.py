"""A site's tag, its preview page, and its identity keys."""

from html import unescape

import pytest
from cryptography.hazmat.primitives import serialization as forms
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from chat.widget_sites.models import IdentityKey, WidgetSite
from tests.browser.payloads import HTML
from tests.support.variants import some_now
from tests.support.web.personas import page
from tests.support.widget.site_forms import SMALL, made

pytestmark = pytest.mark.django_db


def test_the_tag_has_the_site_key(browser: Client, settings: Settings) -> None:
    settings.SITE_URL = "https://chat.example"
    site = made(browser, SMALL)
    tag = f"&lt;script async src=&quot;https://chat.example/w.js&quot; data-site=&quot;{site.key}&quot;"
    assert f"{tag}&gt;&lt;/script&gt;</textarea>" in page(browser, f"/sites/{site.key}/")


@pytest.mark.parametrize("name", some_now(each[:60] for each in HTML))
def test_a_hostile_name_is_shown_as_text_everywhere(
    browser: Client, alice: User, name: str
) -> None:
    site = WidgetSite.objects.create(owner=alice, name=name, welcome=name, starters=[name])
    plain = WidgetSite.objects.create(owner=alice, name="Plain")
    for rest in ("", "settings/", "deletion/", "preview/", "keys/", "look/"):
        harmless = page(browser, f"/sites/{plain.key}/{rest}").count("<script")
        shown = browser.get(f"/sites/{site.key}/{rest}", {"draft": name}).content.decode()
        assert name not in shown, rest
        assert shown.count("<script") == harmless, rest
    assert name not in page(browser, "/sites/")


def test_the_preview_page_has_the_tag_and_may_embed_the_chat(browser: Client) -> None:
    site = made(browser, SMALL)
    response = browser.get(f"/sites/{site.key}/preview/?draft=%22+onload%3D%22x")
    shown = response.content.decode()
    assert f'data-site="{site.key}"></script>' in shown
    policy = response["Content-Security-Policy"]
    assert "frame-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-src" not in browser.get(f"/sites/{site.key}/")["Content-Security-Policy"]


def test_a_secret_is_shown_once(browser: Client) -> None:
    path = f"/sites/{made(browser, SMALL).key}/keys/"
    response = browser.post(path, {"algorithm": "HS256"})
    key = IdentityKey.objects.get()
    assert f'value="{key.verifier}"' in response.content.decode()
    assert "no-store" in response["Cache-Control"]
    shown = page(browser, path)
    assert key.verifier not in shown
    assert str(key.pk) in shown
    browser.post(f"{path}{key.pk}/revocation/")
    assert str(key.pk) not in page(browser, path)
    assert browser.post(f"{path}{key.pk}/revocation/").status_code == 404


def test_a_public_key_is_accepted_and_a_private_one_is_not_sent_back(browser: Client) -> None:
    path = f"/sites/{made(browser, SMALL).key}/keys/"
    pair = Ed25519PrivateKey.generate()
    private = pair.private_bytes(
        forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption()
    ).decode()
    public = pair.public_key().public_bytes(
        forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo
    )
    for wrong, words in (
        (private, "This is a private key"),
        ("", "This isn't an Ed25519 public key."),
    ):
        response = browser.post(path, {"algorithm": "EdDSA", "public_key": wrong})
        assert response.status_code == 422
        shown = response.content.decode()
        assert words in unescape(shown)
        assert "BEGIN PRIVATE" not in shown
    assert not IdentityKey.objects.exists()
    assert (
        browser.post(path, {"algorithm": "EdDSA", "public_key": public.decode()}).status_code == 302
    )
    assert IdentityKey.objects.get().verifier == public.decode()


def test_a_site_has_ten_keys_at_most(browser: Client) -> None:
    site = made(browser, SMALL)
    for _ in range(10):
        assert browser.post(f"/sites/{site.key}/keys/", {"algorithm": "HS256"}).status_code == 200
    response = browser.post(f"/sites/{site.key}/keys/", {"algorithm": "HS256"})
    assert response.status_code == 422
    assert "This website has reached the limit of 10 keys." in response.content.decode()
