"""The site can be installed as an app, and other programs can share text with it."""

import json
from html import unescape
from urllib.parse import urlencode

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from pytest_django import Settings

from chat.conversations.models import Conversation
from chat.web.chat.shared_text import MAX_SHARED_LENGTH

pytestmark = pytest.mark.django_db
BOX = '<textarea id="message"'


def box(browser: Client, **shared: str) -> str:
    """Return what is in the message box of a new chat."""
    page = browser.get(f"/chat/?{urlencode(shared)}").content.decode()
    return unescape(page.partition(BOX)[2].partition(">")[2].partition("</textarea>")[0])


def test_the_manifest_has_the_sites_name_and_all_that_installing_needs(
    client: Client, settings: Settings
) -> None:
    settings.SITE_NAME = 'Quiet "River"'
    response = client.get("/manifest.webmanifest")
    manifest = json.loads(response.content)
    assert response["Content-Type"] == "application/manifest+json"
    assert "public" in response["Cache-Control"]
    assert manifest["name"] == manifest["short_name"] == 'Quiet "River"'
    assert (manifest["start_url"], manifest["display"]) == ("/chat/", "standalone")
    assert {each["sizes"] for each in manifest["icons"]} == {"192x192", "512x512"}
    assert {each["purpose"] for each in manifest["icons"]} == {"any", "maskable"}


def test_every_icon_exists_in_its_size(client: Client) -> None:
    for icon in json.loads(client.get("/manifest.webmanifest").content)["icons"]:
        path = finders.find(icon["src"].removeprefix("/static/"))
        assert isinstance(path, str)
        with open(path, "rb") as file:
            header = file.read(24)
        width, height = (int.from_bytes(header[at : at + 4]) for at in (16, 20))
        assert (header[:4], f"{width}x{height}") == (b"\x89PNG", icon["sizes"])


def test_the_chat_page_links_to_the_manifest(browser: Client) -> None:
    assert (
        '<link rel="manifest" href="/manifest.webmanifest">'
        in browser.get("/chat/").content.decode()
    )


def test_shared_text_is_written_in_the_message_box_and_not_sent(browser: Client) -> None:
    shared = {
        "shared_title": "Rivers",
        "shared_text": "Why do </textarea><script> bend?",
        "shared_url": "https://example.org/?a=b&c",
    }
    assert box(browser, **shared) == "\n".join(shared.values())
    assert not Conversation.objects.exists()


def test_what_is_shared_twice_is_written_once(browser: Client) -> None:
    url = "https://example.org/"
    assert box(browser, shared_title="Rivers", shared_text=f"Rivers {url}", shared_url=url) == (
        f"Rivers {url}"
    )
    assert box(browser, shared_title="Rivers", shared_url="Rivers") == "Rivers"


def test_shared_text_is_bounded(browser: Client) -> None:
    assert box(browser, shared_text="a" * 9_000) == "a" * MAX_SHARED_LENGTH
    assert box(browser, shared_text="a\0b") == "ab"
    assert box(browser) == ""


def test_shared_text_survives_signing_in(client: Client) -> None:
    response = client.get("/chat/?shared_text=Why")
    assert response.status_code == 302
    assert "shared_text%3DWhy" in response["Location"]
