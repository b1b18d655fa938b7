"""Checking a page: the owner sees what prevents the chat from appearing."""

import threading
from collections.abc import AsyncIterator
from html import unescape
from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.widget_sites.models import WidgetSite
from tests.support.browser.website import HTML, Website, website


@pytest.fixture
async def shop() -> AsyncIterator[Website]:
    async with website() as found:
        yield found


@pytest.fixture
async def site(alice: User, shop: Website, settings: Settings) -> WidgetSite:
    settings.CHECK_LOCAL_SITES = True
    settings.SITE_URL = "https://chat.invalid"  # nobody answers there
    origins = [f"http://localhost:{shop.port}", "https://*.shop.example"]
    return await WidgetSite.objects.acreate(owner=alice, name="Shop", origins=origins)


async def checked(client: AsyncClient, site: WidgetSite, address: str, status: int = 200) -> str:
    response = await client.post(f"/sites/{site.key}/check/", {"address": address})
    assert response.status_code == status
    return unescape(response.content.decode())


async def test_the_first_listed_website_is_suggested(
    alice_client: AsyncClient, site: WidgetSite, shop: Website
) -> None:
    response = await alice_client.get(f"/sites/{site.key}/check/")
    assert f'value="http://localhost:{shop.port}/"' in response.content.decode()


async def test_a_correct_page_is_reported_as_correct(
    alice_client: AsyncClient, site: WidgetSite, shop: Website
) -> None:
    shop.show(
        "/", f'<script async src="https://chat.invalid/w.js" data-site="{site.key}"></script>'
    )
    shown = await checked(alice_client, site, f"http://localhost:{shop.port}")
    for words in (
        "The tag is in the page.",
        "is allowed to show the chat.",
        "content security policy allows",
    ):
        assert words in shown
    assert "To fix:" not in shown


async def test_all_problems_are_reported_at_once(
    alice_client: AsyncClient, site: WidgetSite, shop: Website
) -> None:
    shop.show("/", "<p>Hello", *HTML, "Content-Security-Policy: default-src 'self'")
    shown = await checked(alice_client, site, f"http://127.0.0.1:{shop.port}/")
    for words in (
        f"http://127.0.0.1:{shop.port} isn't an allowed website",
        "The tag isn't in the page",
        "Add https://chat.invalid to script-src",
        "Add https://chat.invalid to frame-src",
    ):
        assert words in shown


async def test_a_page_that_cannot_be_fetched_is_reported_at_the_address_field(
    alice_client: AsyncClient, site: WidgetSite, shop: Website
) -> None:
    for address, words in (
        ("", "This field is required."),
        ("javascript:alert(1)", "Enter a web address"),
        ("ftp://shop.example/", "Enter a web address"),
        ("10.0.0.1/shop", "isn't on the public internet"),
        ("nowhere.invalid", "No website was found at this address."),
        (
            f"http://localhost:{shop.port}/nonsense",
            "The server at this address isn't a web server.",
        ),
    ):
        assert words in await checked(alice_client, site, address, 422), address
    assert len(shop.requests) == 1


async def test_nothing_of_the_page_is_shown_as_html(
    alice_client: AsyncClient, site: WidgetSite, shop: Website
) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    shop.show("/", f'<script src="//x.example/w.js?{hostile[1:-1]}" data-site="{hostile[1:-1]}">')
    response = await alice_client.post(
        f"/sites/{site.key}/check/", {"address": f"http://localhost:{shop.port}/?{hostile}"}
    )
    shown = response.content.decode()
    assert hostile not in shown
    assert "<img" not in shown


async def test_another_member_cannot_check_a_page(
    bob_client: AsyncClient, site: WidgetSite, shop: Website
) -> None:
    response = await bob_client.post(
        f"/sites/{site.key}/check/", {"address": f"http://localhost:{shop.port}/"}
    )
    assert response.status_code == 404
    assert shop.requests == []


async def test_checks_are_limited_to_ten_a_minute(
    alice_client: AsyncClient, site: WidgetSite, shop: Website
) -> None:
    shop.show("/", "x")
    for _ in range(10):
        await checked(alice_client, site, f"http://localhost:{shop.port}/")
    await checked(alice_client, site, f"http://localhost:{shop.port}/", 429)
    assert len(shop.requests) == 10


@pytest.mark.parametrize(
    "digits", [pytest.param("9" * 5000, id="5000 digits"), "\u0663", "65536", "00443"]
)
async def test_an_invalid_port_is_not_a_server_error(
    digits: str, alice_client: AsyncClient, site: WidgetSite, shop: Website
) -> None:
    policy = f"Content-Security-Policy: script-src https://chat.invalid:{digits}"
    tag = f'<script src="https://chat.invalid/w.js" data-site="{site.key}"></script>'
    shop.show("/", tag, *HTML, policy)
    shown = await checked(alice_client, site, f"http://localhost:{shop.port}/")
    assert "Add https://chat.invalid to script-src" in shown
    shop.show("/on", "", f"Location: http://localhost:{digits}/", status="302 Found")
    await checked(alice_client, site, f"http://localhost:{shop.port}/on", 422)


async def test_a_page_is_parsed_off_the_event_loop(
    alice_client: AsyncClient, site: WidgetSite, shop: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    def noting(*given: Any) -> list[Any]:
        threads.append(threading.current_thread())
        return []

    monkeypatch.setattr("chat.web.widget_sites.views.check.findings_of", noting)
    shop.show("/", "<p>Hello")
    await checked(alice_client, site, f"http://localhost:{shop.port}/")
    assert threads != [threading.main_thread()]
    assert len(threads) == 1
