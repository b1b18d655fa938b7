"""The chat in a narrow window, in the dark and from right to left in WebKit, the engine of Safari."""

from collections.abc import Callable

from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.browser.webkit.webkit_page import WebKitPage

OpenPage = Callable[..., WebKitPage]
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"
CHOOSE = """
from chat.accounts.models import User
User.objects.filter(email={email!r}).update(preferences={preferences!r})
"""
#: Whether the message box is one line high, and whether anything in it lies outside.
MESSAGE_BOX = """
const box = document.querySelector("#message");
return [box.clientHeight < 2.5 * parseFloat(getComputedStyle(box).lineHeight), box.scrollWidth <= box.clientWidth];
"""
LEFT_OF = "document.querySelector('{selector}').getBoundingClientRect().left"


def open_with(
    open_page: OpenPage, site: LiveSite, name: str, path: str, **preferences: str
) -> WebKitPage:
    """Open a page as a new member with these preferences."""
    email = f"{name}@example.org"
    state = sign_in(site, email)
    site.run(CHOOSE.format(email=email, preferences=preferences))
    return open_page(path, state)


def test_a_narrow_window_shows_an_answer_and_the_list_of_chats_on_request(
    narrow_webkit: WebKitPage,
) -> None:
    page = narrow_webkit
    assert page.run("return innerWidth") < 700
    page.wait_for_script("document.readyState === 'complete'")
    page.click("#message")
    page.press("/markdown")
    page.click(".send-button")
    page.wait_for_script("document.querySelector('.answer')")
    page.wait_for_end()
    assert page.run(f"return {OVERFLOW}") <= 0
    page.click("#open-drawer")
    assert page.find("#sidebar").rect["width"] > 200
    page.find("#sidebar a[aria-current]")


def test_the_dark_theme_is_dark_from_the_first_frame(
    open_in_webkit: OpenPage, site: LiveSite
) -> None:
    page = open_with(open_in_webkit, site, "dunja", "/chat/", theme="dark")
    colours = "getComputedStyle(document.documentElement)"
    assert page.run(f"return {colours}.backgroundColor") == "rgb(22, 24, 23)"
    assert page.run(f"return {colours}.colorScheme") == "dark"


def test_the_settings_in_arabic_run_from_right_to_left(
    open_in_webkit: OpenPage, site: LiveSite
) -> None:
    page = open_with(open_in_webkit, site, "dalila", "/settings/", language="ar")
    assert page.run("return document.documentElement.dir") == "rtl"
    assert page.run(f"return {OVERFLOW}") <= 0


def test_a_message_box_in_arabic_is_one_line_high(open_in_webkit: OpenPage, site: LiveSite) -> None:
    page = open_with(open_in_webkit, site, "dima", "/chat/", language="ar")
    page.wait_for_script("document.readyState === 'complete'")
    assert page.run(MESSAGE_BOX) == [True, True]
    sidebar, composer = (
        page.run(f"return {LEFT_OF.format(selector=each)}") for each in ("#sidebar", "#composer")
    )
    assert composer < sidebar
    page.ask("لماذا تنحني الأنهار؟")
    page.wait_for_script("!document.querySelector('.composer [data-stop]')")
    assert page.run(f"return {OVERFLOW}") <= 0
