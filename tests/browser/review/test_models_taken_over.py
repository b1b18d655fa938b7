"""Changes of the provider's list are taken over on the page, and the running site uses them."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import MAKE_STAFF, sign_in
from tests.browser.server import LiveSite, live_site
from tests.emulator.server import running_emulator
from tests.support.api.api_site import MAKE_KEY
from tests.support.browser.accessibility import BARE, axe
from tests.support.upstream.changed_emulator import DEARER, GONE, NEW, changed_file

ADMINISTER = """
from django.contrib.auth.models import Permission
from chat.accounts.models import User
ada = User.objects.get(email="ada@example.org")
ada.user_permissions.add(Permission.objects.get(codename="administer_review"))
"""
REASON = "Reason (recorded)"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """Return a site of its own, whose provider's list differs from the catalogue."""

    catalogue = tmp_path_factory.mktemp("models") / "models.toml"
    catalogue.write_text(changed_file())
    with running_emulator("--models", str(catalogue), "--tokens-per-second", "0") as url:
        provider = {"WORKERS_AI_BASE_URL": url, "CLOUDFLARE_ACCOUNT_ID": "any"}
        with live_site(tmp_path_factory.mktemp("site"), **provider) as site:
            yield site


@pytest.fixture(scope="module")
def ada(site: LiveSite) -> StorageState:
    state = sign_in(site, "ada@example.org")
    site.run(MAKE_STAFF.format(email="ada@example.org") + ADMINISTER)
    return state


@pytest.fixture(scope="module")
def program(site: LiveSite) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {site.run(MAKE_KEY)}"}
    with httpx.Client(base_url=f"{site.url}/v1", headers=headers, trust_env=False) as program:
        yield program


def prices(program: httpx.Client) -> dict[str, Any]:
    """Return the price of each model on offer, as a program gets it."""
    found = program.get("/models").json()["data"]
    return {each["id"]: each["pricing"]["completion"] for each in found}


@pytest.fixture
def page(open_page: Callable[..., Page], ada: StorageState) -> Page:
    return open_page("/review/models/", storage_state=ada, **BARE)


def test_a_new_a_gone_and_a_dearer_model_are_taken_over(
    page: Page,
    program: httpx.Client,
    open_page: Callable[..., Page],
    ada: StorageState,
) -> None:
    before = prices(program)
    assert GONE in before
    assert NEW not in before
    assert before[DEARER] == "0.0000003"

    page.get_by_role("link", name="Compare with the provider").click()
    changes = page.locator(".model-changes > li")
    expect(changes).to_have_count(3)
    for words in (NEW, GONE, DEARER):
        expect(changes.filter(has_text=words).get_by_role("checkbox")).to_be_checked()
    expect(changes.filter(has_text=DEARER)).to_contain_text("0.45")
    assert axe(page) == []
    page.get_by_label(REASON).fill("The monthly look")
    page.get_by_role("button", name="Apply selected changes").click()
    expect(page.locator(".model-changes > li")).to_have_count(0)

    page.goto("/review/models/")
    switch = page.get_by_role("checkbox", name="brew-9b is on")
    expect(switch).not_to_be_checked()  # until somebody switches it on
    assert NEW not in prices(program)
    switch.check()
    page.get_by_label(REASON).fill("For the brewery")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label(REASON)).to_have_value("")  # the page has been loaded again
    expect(switch).to_be_checked()

    # The site has not been restarted.
    after = prices(program)
    assert GONE not in after
    assert after[NEW] == "0.0000006"
    assert after[DEARER] == "0.00000045"
    refused = program.post("/chat/completions", json=asking(GONE))
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "model_not_found")
    answer = program.post("/chat/completions", json=asking(NEW))
    assert "“Hello”" in answer.json()["choices"][0]["message"]["content"]

    chat = ChatPage(open_page("/chat/temporary/", storage_state=ada))
    chat.choose_model("brew-9b")
    assert "“Hello”" in chat.ask("Hello")


def asking(model: str) -> dict[str, Any]:
    return {"model": model, "messages": [{"role": "user", "content": "Hello"}]}
