"""Each response has the id of its request in the logs: ours, or a trusted proxy's."""

import re

import pytest
from django.test import AsyncClient
from pytest_django import Settings


@pytest.mark.parametrize(
    ("proxies", "given", "is_taken"),
    [
        (1, "from-our-proxy", True),
        (0, "from-anybody-else", False),
        (1, "short", False),
        (1, "two words are not an id", False),
        (1, "x" * 65, False),
    ],
)
async def test_a_response_has_its_request_id(
    proxies: int, given: str, is_taken: bool, anonymous_client: AsyncClient, settings: Settings
) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    response = await anonymous_client.get("/healthz", headers={"X-Request-ID": given})
    if is_taken:
        assert response["X-Request-ID"] == given
    else:
        assert re.fullmatch(r"[0-9a-f]{32}", response["X-Request-ID"])


async def test_request_ids_are_unique(anonymous_client: AsyncClient) -> None:
    ids = {(await anonymous_client.get("/healthz"))["X-Request-ID"] for _ in range(5)}
    assert len(ids) == 5


async def test_a_refused_request_is_logged_with_its_error(
    anonymous_client: AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    await anonymous_client.get("/accounts/login/")
    await anonymous_client.post("/chat/messages", data={}, content_type="application/json")
    fields = [vars(line)["fields"] for line in caplog.records if line.name == "runnel.requests"]
    assert [each.get("error") for each in fields] == [None, "not_authenticated"]
