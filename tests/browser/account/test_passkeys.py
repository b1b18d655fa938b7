"""Passkeys with a virtual device in Chromium: add, rename, sign in, remove."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import devtools
from tests.browser.conftest import DESKTOP, PASSWORD
from tests.browser.server import LiveSite
from tests.browser.watch import Watch
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow, too_small
from tests.support.servers.server import free_port

DEVICE = {
    "protocol": "ctap2",
    "ctap2Version": "ctap2_1",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
CONFIRMED = """
from allauth.account.models import EmailAddress
from chat.accounts.models import User
member = User.objects.get(email={email!r})
EmailAddress.objects.create(user=member, email=member.email, verified=True, primary=True)
print("done")
"""


@pytest.fixture(scope="module")
def named_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """Start a site with a host name, because browsers refuse passkeys for IP addresses."""
    port = free_port()
    site = LiveSite(
        tmp_path_factory.mktemp("named"), port=port, SITE_URL=f"http://localhost:{port}"
    )
    site.prepare()
    try:
        site.start()
        yield site
    finally:
        site.end()


@pytest.fixture
def open_named(named_site: LiveSite, browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a watched page of a browser with a virtual passkey device."""
    address, opened = f"http://localhost:{named_site.port}", []

    def open_named(path: str, *, watched: bool = True, **options: Any) -> Page:
        context = browser.new_context(**{"base_url": address, "viewport": DESKTOP} | options)
        context.set_default_timeout(120_000)
        page = context.new_page()
        session = devtools(page)
        session.send("WebAuthn.enable")
        session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
        opened.append(Watch(page, address if watched else None))
        page.goto(path)
        return page

    yield open_named
    for watch in opened:
        watch.close()
    for watch in opened:
        assert watch.complaints == []


def sign_in(page: Page, email: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


@pytest.fixture
def member(named_site: LiveSite, request: pytest.FixtureRequest) -> str:
    email = f"member-{abs(hash(request.node.name))}@example.org"
    named_site.make_member(email, PASSWORD)
    named_site.run(CONFIRMED.format(email=email))
    return email


def add_passkey(page: Page, name: str) -> None:
    page.goto("/accounts/2fa/")
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()


def test_a_passkey_is_added_named_used_and_removed(
    open_named: Callable[..., Page], member: str
) -> None:
    page = open_named("/accounts/login/")
    sign_in(page, member)
    page.wait_for_url("**/chat/")
    add_passkey(page, "My phone")
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name="Sign out").click()

    page.goto("/accounts/login/?next=/settings/devices/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Devices")).to_be_visible()

    page.goto("/accounts/2fa/")
    expect(page.get_by_text("My phone")).to_be_visible()
    expect(page.get_by_text("Last used on")).to_be_visible()
    page.get_by_role("link", name="Rename").click()
    page.get_by_role("link", name="Use a passkey").click()
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_label("Name").fill("My old phone")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("My old phone")).to_be_visible()
    page.get_by_role("link", name="Remove").click()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("You have no passkeys yet.")).to_be_visible()


def test_a_passkey_works_as_the_second_step_after_the_password(
    open_named: Callable[..., Page], member: str
) -> None:
    page = open_named("/accounts/login/")
    sign_in(page, member)
    page.wait_for_url("**/chat/")
    add_passkey(page, "Key")
    page.context.clear_cookies()
    sign_in(page, member)
    expect(page.get_by_role("heading", name="Two-factor authentication")).to_be_visible()
    page.goto("/chat/")
    expect(page.get_by_role("heading", name="Two-factor authentication")).to_be_visible()
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/chat/")


def test_a_device_without_passkeys_gets_a_message(open_named: Callable[..., Page]) -> None:
    page = open_named("/accounts/login/", watched=False)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_have_text(
        "No passkey was used. Try again when you're ready."
    )
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_focused()


def test_adding_a_second_passkey_on_one_device_is_explained(
    open_named: Callable[..., Page], member: str
) -> None:
    page = open_named("/accounts/login/")
    sign_in(page, member)
    page.wait_for_url("**/chat/")
    add_passkey(page, "Key")
    page.goto("/accounts/2fa/webauthn/add/")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("alert")).to_have_text(
        "This device already has a passkey for your account."
    )


def test_without_scripts_the_pages_say_that_passkeys_need_them(
    open_named: Callable[..., Page], member: str
) -> None:
    page = open_named("/accounts/login/", java_script_enabled=False)
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()
    sign_in(page, member)
    page.goto("/accounts/2fa/webauthn/add/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    # Playwright turns scripts off, but the parser still hides the contents of <noscript>.
    assert "<noscript><p>Passkeys need JavaScript." in page.content()
    expect(page.locator("form[data-passkey]")).to_be_hidden()


PAGES = (
    "/accounts/2fa/", "/accounts/2fa/webauthn/", "/accounts/2fa/webauthn/add/",
    "/accounts/2fa/recovery-codes/", "/accounts/2fa/totp/activate/", "/settings/devices/",
)  # fmt: skip


DARK = PHONE | {"color_scheme": "dark"}


@pytest.mark.parametrize("look", [PHONE, {"viewport": DESKTOP}, DARK])
def test_pages_are_accessible_and_fit(
    open_named: Callable[..., Page], member: str, look: dict[str, Any]
) -> None:
    page = open_named("/accounts/login/", **look | BARE)
    assert axe(page) == []
    assert overflow(page) <= 0
    sign_in(page, member)
    page.wait_for_url("**/chat/")
    add_passkey(page, "A phone with a name that is rather long and has averyverylongwordinitaswell")
    rename = page.request.get("/accounts/2fa/").text().partition('/edit/"')[0].rpartition('"')[2]
    for path in (*PAGES, f"{rename}/edit/", f"{rename}/remove/"):
        page.goto(path)
        assert page.url.endswith(path)
        assert axe(page) == [], path
        assert overflow(page) <= 0, path
        assert not look.get("has_touch") or too_small(page) == [], path
