"""Clients that repeat requests too fast are refused, and others are not affected."""

import pytest
from django.db import connection
from django.test import AsyncClient, Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.lib.limits import Deadlines, TokenBuckets
from chat.middleware import request_rate
from chat.web.ops import health
from project.asgi.entry_point import http
from tests.support.web.asgi_client import Client as AsgiClient
from tests.support.web.asgi_client import scope_of
from tests.support.web.guarded_bodies import body_guard
from tests.support.web.signed_in import signed_in
from tests.support.widget.pictures import jpeg

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _three_at_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow three requests, then one every quarter of an hour, slower than any machine."""
    settings.MAX_MEMBER_REQUESTS_PER_SECOND = settings.MAX_ADDRESS_REQUESTS_PER_SECOND = 0.001
    monkeypatch.setattr(request_rate, "BURST_SECONDS", 3000)
    monkeypatch.setattr(request_rate, "buckets", TokenBuckets())
    monkeypatch.setattr(request_rate, "retry_deadlines", Deadlines())


def test_only_the_client_with_too_many_requests_waits(alice: User, bob: User) -> None:
    alice_client, bob_client = Client(), Client()
    alice_client.force_login(alice)
    bob_client.force_login(bob)
    chat = Conversation.objects.create(owner=alice, title="Tides")
    path = f"/chat/{chat.pk}/title/"
    for number in range(3):
        assert alice_client.post(path, {"title": f"Title {number}"}).status_code < 400
    refused = alice_client.post(path, {"title": "One more"}, headers={"Accept": "application/json"})
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 1000
    assert refused.json()["error"]["code"] == "rate_limit_exceeded"
    chat.refresh_from_db()
    assert chat.title == "Title 2"
    assert bob_client.get("/settings/").status_code == 200


def test_two_devices_of_one_member_count_together(alice: User) -> None:
    for _ in range(3):
        device = Client()
        device.force_login(alice)
        assert device.get("/settings/").status_code == 200
    assert device.get("/settings/").status_code == 429


def test_refusing_a_client_that_does_not_wait_takes_no_query(alice: User) -> None:
    alice_client = signed_in(alice)
    codes = [alice_client.get("/settings/").status_code for _ in range(4)]
    assert codes == [200, 200, 200, 429]
    with CaptureQueriesContext(connection) as queries:
        again = alice_client.get("/settings/", headers={"Accept": "text/html"})
    assert (again.status_code, len(queries)) == (429, 0)
    assert 0 < int(again["Retry-After"]) <= 1000
    assert alice_client.get("/healthz").status_code == 200


def test_anonymous_clients_are_counted_by_address(client: Client) -> None:
    for _ in range(3):
        assert client.get("/accounts/login/").status_code == 200
    refused = client.get("/accounts/login/", headers={"Accept": "text/html"})
    assert refused.status_code == 429
    assert b"<html" in refused.content
    assert client.get("/accounts/login/", REMOTE_ADDR="192.0.2.7").status_code == 200


def test_members_are_not_counted_with_anonymous_clients_at_their_address(
    client: Client, alice: User
) -> None:
    for _ in range(4):
        client.get("/accounts/login/")
    client.force_login(alice)
    assert client.get("/settings/").status_code == 200


async def test_async_views_are_counted_too(async_client: AsyncClient) -> None:
    codes = [(await async_client.get("/accounts/login/")).status_code for _ in range(4)]
    assert codes == [200, 200, 200, 429]


@pytest.mark.parametrize("path", sorted(request_rate.EXEMPT_PATHS))
def test_health_checks_are_never_refused(
    path: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DATABASE_SECONDS", "WRITER_SECONDS"):
        monkeypatch.setattr(health, name, 0.05)  # whatever they find
    assert 429 not in [client.get(path).status_code for _ in range(6)]


def test_without_a_limit_nothing_is_counted(settings: Settings, client: Client) -> None:
    settings.MAX_ADDRESS_REQUESTS_PER_SECOND = 0
    assert [client.get("/accounts/login/").status_code for _ in range(6)] == [200] * 6


def test_a_long_form_counts_as_several_requests(client: Client) -> None:
    long = {"login": "a" * 40_000}  # two and more; of three, at most half go to one request
    assert client.post("/accounts/login/", long).status_code == 200
    assert client.post("/accounts/login/", long).status_code == 200
    assert client.get("/accounts/login/").status_code == 429


async def test_a_long_body_in_chunks_counts_like_one_that_announces_its_length(
    transactional_db: None,
) -> None:
    """A client that sends `Transfer-Encoding: chunked` sends no `Content-Length`."""
    kind = (b"content-type", b"application/json")
    statuses = []
    for _ in range(3):
        chunks = AsgiClient([b"x" * 20_000] * 4)
        scope = scope_of((b"host", b"localhost"), kind, path="/v1/chat/completions")
        scope["client"] = ("192.0.2.7", 50_000)
        statuses.append((await chunks.ask(body_guard(http), scope)).status)
    assert statuses == [401, 401, 429]


def test_an_image_counts_as_one_request_whatever_its_size(alice: User) -> None:
    client = signed_in(alice)
    large = jpeg(2, 2)[:-2] + b"\0" * 500_000 + b"\xff\xd9"
    for _ in range(3):
        sent = client.post("/chat/images/", large, content_type="image/jpeg")
        assert sent.status_code == 201
    assert client.post("/chat/images/", large, content_type="image/jpeg").status_code == 429
