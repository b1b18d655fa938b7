"""Opening and creating links is rate-limited."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache
from django.db import connections
from django.test import Client
from pytest_django import Settings

from chat.errors import RateLimitExceeded
from chat.lib import limits
from chat.sharing.models import SharedLink
from chat.web.http import shared_limits
from chat.web.sharing.views import owner, public
from tests.sharing.conftest import page_of
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db


def test_one_address_opens_thirty_links_a_minute(
    link: SharedLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits.clock, "wall", lambda: 6010.5)
    assert public.OPENINGS_PER_MINUTE == 30
    for _ in range(30):
        page_of(link)
    refused = Client().get(f"/s/{link.token}/", headers={"Accept": "text/html"})
    assert refused.status_code == 429
    assert "Too many attempts. Wait a moment." in refused.content.decode()
    assert refused["Retry-After"] == "50"
    assert Client().head(f"/s/{link.token}/").status_code == 429
    link.refresh_from_db()
    assert link.opened == 30
    assert Client(REMOTE_ADDR="192.0.2.7").get(f"/s/{link.token}/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_concurrent_requests_are_all_counted(settings: Settings) -> None:
    settings.CACHES = {
        "default": {
            "BACKEND": "chat.database.table_cache.TableCache", "LOCATION": "chat_cache",
        }
    }  # fmt: skip

    def is_let_in(_number: int) -> bool:
        try:
            shared_limits.require_rate("shared", "192.0.2.7", 10)
        except RateLimitExceeded:
            return False
        else:
            return True
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(is_let_in, range(40))) == 10
    cache.clear()


def test_invalid_tokens_are_counted_too(link: SharedLink, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public, "OPENINGS_PER_MINUTE", 1)
    assert Client().get("/s/guess/").status_code == 404
    assert Client().get(f"/s/{link.token}/").status_code == 429


def test_creating_links_is_rate_limited(link: SharedLink, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, "LINKS_PER_MINUTE", 2)
    alice_client = signed_in(link.owner)
    chat = f"/chat/{link.conversation_id}/sharing/"
    form = {"last": link.conversation.messages.latest("id").pk}
    paths = [chat, chat, f"/shared/{link.pk}/update/", chat]
    assert [alice_client.post(path, form).status_code for path in paths] == [302, 302, 429, 429]
