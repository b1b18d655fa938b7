"""A member gets the text of a file back; nothing of it is stored."""

from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from chat.web.documents import views
from tests.support.documents.samples import WORDS, pdf

PLACE = "/chat/documents/"


async def send(client: AsyncClient, content: bytes, name: str = ".pdf") -> Any:
    kind = "application/octet-stream"
    return await client.post(f"{PLACE}?name={name}", data=content, content_type=kind)


async def test_the_text_comes_back_with_its_pages(alice_client: AsyncClient) -> None:
    response = await send(alice_client, pdf(WORDS, "More"))
    assert response.status_code == 200
    assert response.json() == {
        "text": f"[Page 1]\n{WORDS}\n\n[Page 2]\nMore\n",
        "pages": 2,
        "pages_read": 2,
        "is_cut": False,
    }


async def test_why_a_file_cannot_be_read_is_in_words(alice_client: AsyncClient) -> None:
    response = await send(alice_client, b"%PDF-1.7 and nothing more")
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (422, "document_unreadable")
    assert error["message"] == "This file is damaged, so it can't be read."
    assert error["retryable"] is False


async def test_a_form_is_not_a_file(alice_client: AsyncClient) -> None:
    """As on a real site, where the CSRF check reads forms before the view does."""
    alice_client.handler.enforce_csrf_checks = True
    alice_client.cookies["csrftoken"] = token = "a" * 32
    sent = await alice_client.post(PLACE, {"file": "x"}, headers={"X-CSRFToken": token})
    assert sent.status_code == 422


async def test_a_file_may_be_larger_than_other_requests(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    settings.MAX_DOCUMENT_BYTES = 4096
    assert (await send(alice_client, b"Word " * 700, ".txt")).status_code == 200
    refused = await send(alice_client, b"Word " * 1000, ".txt")
    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (413, "document_too_large")
    assert "4.0\xa0KB" in error["message"]


async def test_files_are_counted(
    alice_client: AsyncClient, bob_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "FILES_PER_MINUTE", 1)
    assert (await send(alice_client, b"Hello", ".txt")).status_code == 200
    assert (await send(alice_client, b"Hello", ".txt")).status_code == 429
    assert (await send(bob_client, b"Hello", ".txt")).status_code == 200
