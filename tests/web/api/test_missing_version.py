"""A base URL without `/v1` is the most common mistake, so the error says it."""

import pytest
from django.test import AsyncClient

from tests.support.api.api_client import HELLO, ApiClient

PATHS = ["/chat/completions", "/completions", "/responses", "/messages", "/embeddings"]


@pytest.mark.parametrize("path", PATHS)
async def test_a_program_is_told_what_its_base_url_lacks(program: ApiClient, path: str) -> None:
    response = await program.post(path, HELLO)
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (404, "unknown_url")
    assert "ends with /v1" in error["message"]


async def test_so_is_one_that_lists_models(program: ApiClient) -> None:
    assert "ends with /v1" in (await program.get("/models")).json()["error"]["message"]


@pytest.mark.parametrize("path", ["/messages", "/models"])
@pytest.mark.django_db
async def test_a_browser_gets_the_page_for_missing_pages(path: str) -> None:
    response = await AsyncClient().get(path, headers={"Accept": "text/html"})
    assert response.status_code == 404
    assert response["Content-Type"].startswith("text/html")
