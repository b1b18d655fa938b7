"""What a server answers to a webhook decides whether, and how often, it is tried again."""

from collections.abc import AsyncIterator

import pytest
from pytest_django import Settings

from chat.outbox.claim import MAX_ATTEMPTS
from chat.outbox.errors import DeliveryFailed, DeliveryRefused
from chat.webhooks import signed_post
from chat.webhooks.signed_post import ATTEMPTS_IF_REFUSED
from tests.support.browser.website import Website, website


@pytest.fixture
async def server(settings: Settings) -> AsyncIterator[Website]:
    settings.CHECK_LOCAL_SITES = True
    async with website() as found:
        yield found


async def attempts_after(server: Website, status: str) -> int:
    """Return how often a webhook is tried that gets this answer each time."""
    server.show("/hook", status=status)
    try:
        await signed_post.post(f"http://localhost:{server.port}/hook", "secret", {"id": "1"})
    except DeliveryRefused as error:
        return error.attempts
    except DeliveryFailed:
        return MAX_ATTEMPTS
    return 1


@pytest.mark.parametrize("status", ["200 OK", "204 No Content", "299 Fine"])
async def test_any_success_ends_it(server: Website, status: str) -> None:
    assert await attempts_after(server, status) == 1


@pytest.mark.parametrize(
    "status", ["302 Found", "408 Timeout", "429 Too Many", "500 Broken", "503 Busy"]
)
async def test_what_may_pass_is_tried_as_often_as_possible(server: Website, status: str) -> None:
    assert await attempts_after(server, status) == MAX_ATTEMPTS


@pytest.mark.parametrize("status", ["400 Bad", "401 Who", "404 Not Found", "410 Gone"])
async def test_what_is_refused_is_given_up_earlier(server: Website, status: str) -> None:
    assert await attempts_after(server, status) == ATTEMPTS_IF_REFUSED < MAX_ATTEMPTS


async def test_an_error_quotes_neither_address_nor_answer(server: Website) -> None:
    server.show("/hook", "a secret", status="500 secret")
    with pytest.raises(DeliveryFailed) as raised:
        await signed_post.post(f"http://localhost:{server.port}/hook", "secret", {})
    assert str(raised.value) == "status 500"
