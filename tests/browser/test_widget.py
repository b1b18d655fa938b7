"""The widget on somebody's website: strict, of another origin, and with nothing of it there before it is wanted."""

import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import jwt
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import DESKTOP
from tests.browser.host_site import HostSite, host_site
from tests.browser.server import LiveSite
from tests.browser.test_accessibility import AXE, RUN
from tests.browser.watch import Watch
from tests.browser.widget_page import WidgetPage, make_site

PHONE = {"width": 390, "height": 800}
MAKE_KEY = """
from chat.sites import identity_keys
from chat.sites.models import Site
key, secret = identity_keys.make_secret(Site.objects.get(key={key!r}))
print(key.pk, secret)
"""
COUNT = """
window.heard = [];
for (const name of ["loaded", "ready", "open", "close", "message", "unread", "error"]) {
  Runnel.on(name, (detail) => heard.push([name, detail]));
}
"""


@pytest.fixture(scope="module")
def host() -> Iterator[HostSite]:
    with host_site() as host:
        yield host


@pytest.fixture(scope="module")
def key(site: LiveSite, host: HostSite) -> str:
    return make_site(site, host)


@pytest.fixture
def visit(
    site: LiveSite, host: HostSite, key: str, browser: Browser
) -> Iterator[Callable[..., WidgetPage]]:
    """vera opens a page of the website in a browser of her own; what it does is watched."""
    watches = []
    host.carry(site.url, key)

    def visit(*, watched: bool = True, **options: Any) -> WidgetPage:
        context = browser.new_context(**{"viewport": DESKTOP} | options)
        context.set_default_timeout(10_000)
        page = context.new_page()
        watches.append(Watch(page, site.url if watched else None, host.origin))
        page.goto(host.origin)
        return WidgetPage(page)

    yield visit
    for watch in watches:
        watch.close()
    for watch in watches:
        assert watch.complaints == []


def test_before_the_first_click_there_is_one_script_and_no_cookie(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite
) -> None:
    asked: list[str] = []
    widget = visit(viewport=PHONE)
    widget.page.on("request", lambda request: asked.append(request.url))
    widget.page.reload()
    expect(widget.launcher).to_have_accessible_name("Chat")
    widget.page.wait_for_load_state("networkidle")
    assert [each for each in asked if each.startswith(site.url)] in ([f"{site.url}/w.js"], [])
    assert widget.page.context.cookies() == []
    expect(widget.iframe).to_have_count(0)


def test_a_visitor_asks_on_a_strict_page_and_reads_an_answer_that_is_announced_once(
    visit: Callable[..., WidgetPage], host: HostSite
) -> None:
    host.headers["Cross-Origin-Embedder-Policy"] = "require-corp"
    widget = visit()
    widget.open()
    expect(widget.composer).to_be_focused()
    expect(widget.frame.locator(".welcome")).to_have_text("What would you like to know?")
    answer = widget.ask("Where does the river bend?")
    assert len(answer) > 20
    said = widget.announcement.locator("p")
    expect(said.last).to_have_text("The answer is complete.")
    assert sum(answer[:20] in each for each in said.all_text_contents()) == 1
    thumb = widget.frame.get_by_role("button", name="Good answer")
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "true")
    expect(widget.hint).to_have_text("Thank you. Your opinion is kept.")


def test_escape_closes_it_and_the_focus_goes_back(visit: Callable[..., WidgetPage]) -> None:
    widget = visit()
    widget.launcher.focus()
    widget.page.keyboard.press("Enter")
    widget.wait_until_usable()
    expect(widget.composer).to_be_focused()
    expect(widget.launcher).to_have_attribute("aria-expanded", "true")
    widget.page.keyboard.press("Escape")
    expect(widget.iframe).to_be_hidden()
    expect(widget.launcher).to_be_focused()
    expect(widget.launcher).to_have_attribute("aria-expanded", "false")


def test_an_answer_goes_on_when_the_website_is_reloaded_under_it(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    widget.open()
    widget.send("/long 3000")
    widget.frame.locator(".answer[data-text]").wait_for()
    widget.page.reload()
    widget.wait_until_usable()  # it was open, so it is again
    expect(widget.composer).not_to_be_focused()
    expect(widget.questions).to_have_count(1)
    assert len(widget.wait_for_end()) > 3000
    expect(widget.answers).to_have_count(1)


def test_it_works_where_cookies_of_others_are_blocked(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    session = widget.page.context.new_cdp_session(widget.page)
    session.send("Network.enable")
    session.send(
        "Network.setCookieControls",
        {
            "enableThirdPartyCookieRestriction": True,
            "disableThirdPartyCookieMetadata": True,
            "disableThirdPartyCookieHeuristics": True,
        },
    )
    widget.page.reload()
    widget.open()
    assert widget.ask("/echo still here")
    widget.page.reload()
    widget.wait_until_usable()
    expect(widget.questions).to_have_text(["/echo still here"])


def test_a_website_that_is_not_on_the_list_shows_nothing(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite
) -> None:
    host.carry(site.url, make_site(site, host, origins=["https://elsewhere.example"]))
    widget = visit(watched=False)
    failure = "new Promise((failed) => { Runnel.on('error', failed); Runnel.open(); })"
    assert widget.page.evaluate(failure) == {"code": "refused"}
    expect(widget.iframe).to_have_count(0)
    expect(widget.launcher).to_have_attribute("aria-expanded", "false")


def test_words_from_elsewhere_are_not_listened_to(visit: Callable[..., WidgetPage]) -> None:
    """A hello counts from the frame itself and from the chat's origin, both."""
    widget = visit()
    widget.open()
    widget.page.evaluate(COUNT)
    widget.page.evaluate(
        """() => {
          const frame = document.querySelector("runnel-chat").shadowRoot.querySelector("iframe");
          const hello = { runnel: 1, type: "hello" };
          const source = frame.contentWindow;
          const origin = new URL(frame.src).origin;
          postMessage(hello, "*");
          dispatchEvent(new MessageEvent("message", { data: hello, origin, source: window }));
          dispatchEvent(new MessageEvent("message", { data: hello, origin: location.origin, source }));
        }"""
    )
    frame = widget.page.frames[1]
    frame.evaluate("postMessage({ runnel: 1, type: 'port' }, '*', [new MessageChannel().port2])")
    widget.page.keyboard.press("Escape")
    expect(widget.iframe).to_be_hidden()  # the old channel still is the channel
    assert widget.page.evaluate("heard.map(([name]) => name)") == ["loaded", "ready", "close"]


def test_an_answer_that_ends_while_it_is_closed_is_counted(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    widget.page.evaluate(COUNT)
    widget.open()
    widget.send("/long 1500")
    widget.frame.get_by_role("button", name="Close").click()
    expect(widget.launcher).to_have_accessible_name("Chat (1)")
    widget.page.evaluate("Runnel.toggle()")
    expect(widget.launcher).to_have_accessible_name("Chat")
    heard = widget.page.evaluate("heard")
    names = [name for name, _ in heard if name != "message"]
    assert names == ["loaded", "open", "ready", "close", "unread", "unread", "open"]
    assert [detail for name, detail in heard if name == "unread"] == [{"count": 1}, {"count": 0}]
    said = [detail for name, detail in heard if name == "message"]
    assert said == [{"role": "user"}, {"role": "assistant"}]


def test_a_page_may_speak_before_the_loader_is_there(
    visit: Callable[..., WidgetPage], host: HostSite, site: LiveSite, key: str
) -> None:
    """As docs/widget.md has it: calls wait in a list."""
    early = "(window.Runnel ||= { q: [] }).q.push(['on', 'loaded', () => (window.isLoaded = true)], ['open'])"
    widget = visit()
    widget.page.add_init_script(early)
    widget.page.reload()
    widget.wait_until_usable()
    assert widget.page.evaluate("isLoaded")
    widget.page.evaluate("Runnel.q.push(['close'])")
    expect(widget.iframe).to_be_hidden()


def test_a_visitor_finds_earlier_conversations_and_begins_another(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    widget.open()
    widget.ask("First things first")
    widget.frame.get_by_role("button", name="New chat").click()
    expect(widget.questions).to_have_count(0)
    widget.frame.get_by_role("button", name="What does a day cost?").click()
    widget.wait_for_end()
    widget.frame.get_by_role("button", name="Earlier conversations").click()
    entries = widget.frame.locator("#history li")
    expect(entries).to_have_count(2)
    expect(entries.first.locator("button")).to_have_attribute("aria-current", "true")
    entries.filter(has_text="First things first").get_by_role("button").click()
    expect(widget.questions).to_have_text(["First things first"])


def test_nothing_can_be_said_before_it_is_agreed_to(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite
) -> None:
    host.carry(site.url, make_site(site, host, consent="It goes to a model."))
    widget = visit()
    widget.launcher.click()
    expect(widget.frame.get_by_text("It goes to a model.")).to_be_visible()
    expect(widget.composer).to_be_hidden()
    widget.frame.get_by_role("button", name="I agree").click()
    expect(widget.composer).to_be_focused()
    assert widget.ask("Agreed")
    widget.page.reload()
    widget.wait_until_usable()
    expect(widget.composer).to_be_visible()
    expect(widget.questions).to_have_count(1)
    widget.page.evaluate("Runnel.shutdown()")
    widget.launcher.click()
    expect(widget.frame.get_by_text("It goes to a model.")).to_be_visible()
    expect(widget.questions).to_have_count(0)
    expect(widget.composer).to_be_hidden()


def test_what_comes_after_a_shutdown_knows_nothing_of_before(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    widget.open()
    widget.ask("A secret")
    widget.page.evaluate("Runnel.shutdown()")
    expect(widget.iframe).to_be_hidden()
    widget.page.reload()
    widget.open()
    expect(widget.questions).to_have_count(0)
    widget.frame.get_by_role("button", name="Earlier conversations").click()
    expect(widget.frame.get_by_text("There are no conversations yet.")).to_be_visible()


def test_who_is_named_by_the_website_finds_their_conversations_anywhere(
    visit: Callable[..., WidgetPage], site: LiveSite, key: str
) -> None:
    name = signer(site, key)
    first = visit()
    first.open()
    first.ask("Do I need a paddle?")
    first.page.evaluate("jwt => Runnel.identify(jwt)", name("customer-7"))
    first.page.evaluate("jwt => Runnel.identify(() => Promise.resolve(jwt))", name("customer-7"))
    expect(first.questions).to_have_text(["Do I need a paddle?"])
    second = visit()
    second.page.evaluate("jwt => Runnel.identify(jwt)", name("customer-7"))
    second.open()
    second.ask("And a vest?")
    second.frame.get_by_role("button", name="Earlier conversations").click()
    expect(second.frame.locator("#history li")).to_have_count(2)
    second.page.keyboard.press("Escape")
    second.page.evaluate("jwt => Runnel.identify(jwt)", name("customer-8"))
    expect(second.questions).to_have_count(0)
    failure = (
        "jwt => new Promise((failed) => { Runnel.on('error', failed); Runnel.identify(jwt); })"
    )
    assert second.page.evaluate(failure, "not one")["code"] == "identity_refused"


def test_the_tag_may_say_which_language_the_chat_speaks(
    visit: Callable[..., WidgetPage], host: HostSite, site: LiveSite, key: str
) -> None:
    host.carry(site.url, key, 'data-test-open-root data-lang="ar"', "rtl")
    widget = visit()
    widget.launcher.click()
    expect(widget.frame.locator("html")).to_have_attribute("dir", "rtl")
    composer = widget.frame.locator("#message[enterkeyhint]")
    composer.fill("/error 4006")
    composer.press("Enter")
    expect(widget.frame.locator(".outcome")).to_contain_text("حصة")
    box = widget.launcher.bounding_box()
    assert box
    assert box["x"] < 100
    host.carry(site.url, key, 'data-test-open-root data-lang="<x>"')
    widget = visit()
    widget.open()


def test_on_a_phone_it_fills_the_window_and_its_own_button_closes_it(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    widget.open()
    box = widget.iframe.bounding_box()
    assert box == {"x": 0, "y": 0, "width": PHONE["width"], "height": PHONE["height"]}
    expect(widget.launcher).to_be_hidden()
    widget.frame.get_by_role("button", name="Close").click()
    expect(widget.launcher).to_be_visible()
    size = widget.launcher.bounding_box()
    assert size
    assert min(size["width"], size["height"]) >= 44


def test_axe_finds_nothing_on_the_website_and_in_the_frame(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit(watched=False, bypass_csp=True, color_scheme="dark")
    assert _axe(widget.page) == []
    widget.open()
    assert _axe(widget.page.frames[1]) == []
    widget.ask("/markdown")
    widget.frame.get_by_role("button", name="Earlier conversations").click()
    expect(widget.frame.locator("#history li")).to_have_count(1)
    assert _axe(widget.page.frames[1]) == []


def signer(site: LiveSite, key: str) -> Callable[[str], str]:
    """What the website's own server does: it signs who its user is."""
    key_id, secret = site.run(MAKE_KEY.format(key=key)).split()

    def name(subject: str) -> str:
        now = int(time.time())
        claims = {"sub": subject, "aud": key, "iat": now, "exp": now + 300, "jti": uuid4().hex}
        return jwt.encode(claims, secret, algorithm="HS256", headers={"kid": key_id})

    return name


def _axe(page: Any) -> list[str]:
    page.evaluate(AXE.read_text())
    violations: list[str] = page.evaluate(RUN)
    return violations
