"""An administrator finds the model servers of this machine, and uses one with a click."""

from urllib.parse import urlsplit

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from pytest_django import Settings

from chat.upstream import available_models, factory, local_servers
from tests.support.upstream.openai_server import openai_server
from tests.support.upstream.raw_upstream import always, plain, raw_upstream

PAGE = "/review/site/model/"
SEARCH = "/review/site/model/local/"


def listen_at(url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Look only where the test's server is, and where nothing is. Return the server's address."""
    port = urlsplit(url).port or 0
    monkeypatch.setattr(local_servers, "PORTS", {1: "Nothing", port: "Ollama"})
    monkeypatch.setattr(local_servers, "HOSTS", ("localhost",))
    return f"http://localhost:{port}/v1"


async def test_a_server_is_found_and_used(
    admin_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with raw_upstream(openai_server) as raw:
        address = listen_at(raw.url, monkeypatch)
        page = (await sync_to_async(admin_browser.post)(SEARCH)).content.decode()
        assert f'value="{address}"' in page
        assert "<bdi>llama-local</bdi>" in page
        assert "text-embed-1" not in page
        assert "Nothing" not in page
        assert not factory.endpoint().base_url.startswith("http://localhost")
        chosen = {"protocol": "openai", "base_url": address, "offer": "all"}
        response = await sync_to_async(admin_browser.post)(PAGE, chosen)
    assert response["Location"] == PAGE
    assert factory.endpoint().base_url == address
    assert list(available_models.offered_models()) == ["llama-local", "qwen-local"]


async def test_what_is_no_model_server_is_not_found(
    admin_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with raw_upstream(always(plain(200, b"<html>a printer</html>"))) as raw:
        listen_at(raw.url, monkeypatch)
        page = (await sync_to_async(admin_browser.post)(SEARCH)).content.decode()
    assert "No model server answered." in page


def test_nothing_is_looked_for_where_private_servers_are_not_allowed(
    admin_browser: Client, settings: Settings
) -> None:
    settings.PRIVATE_PROVIDERS = False
    assert admin_browser.post(SEARCH).status_code == 404
    assert SEARCH not in admin_browser.get(PAGE).content.decode()
