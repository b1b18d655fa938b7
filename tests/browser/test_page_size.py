"""How much a browser has to load."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState

from tests.browser.conftest import sign_in
from tests.browser.history import conversation
from tests.browser.server import LiveSite
from tests.browser.visit import Visit
from tests.support.variants import later

KB = 1024
MAX_BYTES = {"Script": 64 * KB, "Stylesheet": 15 * KB}  # as they are sent
MAX_REQUESTS, DEEPEST = 30, 2
HASHED = re.compile(r"/static/.+\.[0-9a-f]{12}\.\w+$")


@pytest.fixture(scope="module")
def wanda(site: LiveSite) -> StorageState:
    return sign_in(site, "wanda@example.org")


@pytest.fixture(scope="module")
def paths(
    site: LiveSite, wanda: StorageState, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("history")
    stored = conversation(site, folder, "wanda@example.org", ["**Rivers** bend.", "- one\n- two"])
    return {
        "new": "/chat/",
        "stored": stored,
        "temporary": "/chat/temporary/",
        "settings": "/settings/",
    }


@pytest.mark.quick
@pytest.mark.parametrize("name", ["stored", *later("new", "temporary", "settings")])
def test_a_first_visit_is_small_and_the_next_one_loads_only_the_page(
    open_page: Callable[..., Page], wanda: StorageState, paths: dict[str, str], name: str
) -> None:
    page = open_page("/healthz", storage_state=wanda)
    first = Visit(page, paths[name]).loaded
    for kind, most in MAX_BYTES.items():
        assert 0 < sum(each.size for each in first if each.kind == kind) <= most, first
    assert len(first) <= MAX_REQUESTS
    assert max(each.depth for each in first) <= DEEPEST
    files = [each for each in first if each.kind != "Document"]  # some are there before it is
    assert [
        each for each in files if not HASHED.match(each.path) or "immutable" not in each.cache
    ] == []
    again = Visit(page.context.new_page(), paths[name]).loaded
    assert [each.path for each in again] == [paths[name]]


def test_modules_for_the_first_answer_load_while_the_user_types(
    open_page: Callable[..., Page], wanda: StorageState
) -> None:
    page = open_page("/chat/", storage_state=wanda)
    with page.expect_request("**/markdown.*.js"), page.expect_request("**/remend/*.js"):
        page.get_by_role("textbox", name="Message").press("W")
