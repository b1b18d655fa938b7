"""The browser goes to the identity provider and back under the site's content security policy."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP
from tests.browser.server import LiveSite, live_site
from tests.support.browser.accessibility import axe
from tests.support.browser.layout import PHONE, overflow
from tests.support.servers.identity_provider import CLIENT_ID, CLIENT_SECRET, IdentityProvider


@pytest.fixture(scope="module")
def provider() -> Iterator[IdentityProvider]:
    found = IdentityProvider()
    with found.running():
        yield found


@pytest.fixture(scope="module")
def connected_site(
    tmp_path_factory: pytest.TempPathFactory, provider: IdentityProvider
) -> Iterator[LiveSite]:
    folder = tmp_path_factory.mktemp("connected")
    with live_site(
        folder,
        SSO_ISSUER=provider.issuer,
        SSO_CLIENT_ID=CLIENT_ID,
        SSO_CLIENT_SECRET=CLIENT_SECRET,
        SSO_NAME="Example ID",
        SSO_GROUPS="leads=Lead reviewers",
    ) as site:
        yield site


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=DESKTOP)
    page = context.new_page()
    page.set_default_timeout(120_000)
    yield page
    context.close()


def test_somebody_signs_in_with_one_click(
    connected_site: LiveSite, provider: IdentityProvider, new_page: Page
) -> None:
    provider.become("alice", groups=["leads"])
    new_page.goto(f"{connected_site.url}/settings/")
    new_page.get_by_role("button", name="Sign in with Example ID").click()
    expect(new_page).to_have_url(f"{connected_site.url}/settings/")
    found = connected_site.run(
        "from chat.accounts.models import User\n"
        "print([g.name for g in User.objects.get(email='alice@example.org').groups.all()])"
    )
    assert found == "['Lead reviewers']"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_its_pages_are_accessible_and_fit_a_phone(
    connected_site: LiveSite, provider: IdentityProvider, browser: Browser, scheme: Any
) -> None:
    provider.become("mallory", email_verified=False)
    context = browser.new_context(**PHONE, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{connected_site.url}/accounts/login/")
    assert (axe(page), overflow(page) <= 0) == ([], True)
    page.get_by_role("button", name="Sign in with Example ID").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("You aren't signed in")
    assert (axe(page), overflow(page) <= 0) == ([], True)
    context.close()


def test_a_refusal_is_explained_and_leads_back(
    connected_site: LiveSite, provider: IdentityProvider, new_page: Page
) -> None:
    provider.become("mallory", email_verified=False)
    new_page.goto(f"{connected_site.url}/accounts/login/")
    new_page.get_by_role("button", name="Sign in with Example ID").click()
    expect(new_page.get_by_role("heading", level=1)).to_have_text("You aren't signed in")
    expect(new_page.get_by_text("hasn't confirmed your email address")).to_be_visible()
    new_page.get_by_role("link", name="Back to sign-in").click()
    expect(new_page).to_have_url(f"{connected_site.url}/accounts/login/")
