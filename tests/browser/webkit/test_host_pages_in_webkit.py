"""The widget stays on pages that do unusual things in WebKit, the engine of Safari."""

import pytest
from selenium.webdriver import Remote

from tests.browser import front_ends
from tests.browser.front_ends import CLIENTS
from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.webkit.webkit_page import WebKitPage
from tests.browser.webkit.webkit_widget import SHADOW, open_widget
from tests.browser.widget_page import make_site
from tests.support.browser.replaced_documents import REPLACEMENTS

FRAME = f"{SHADOW}?.querySelector('iframe')"


@pytest.mark.parametrize("what", REPLACEMENTS)
def test_the_chat_comes_back_when_the_document_is_replaced(
    website_in_webkit: WebKitPage, host: HostSite, what: str
) -> None:
    """The visitor is a new one: WebKit keeps secure cookies only of sites with https."""
    host.headers = {}  # so that the page may write HTML
    page = website_in_webkit
    page.reload()
    open_widget(page)
    page.ask("/echo a question")
    page.wait_for_end()
    page.driver.switch_to.default_content()
    page.run(REPLACEMENTS[what])
    page.wait_for_script("document.querySelector('h1')?.textContent === 'New page'")
    page.enter(page.wait_for_script(FRAME))
    page.ask("/echo another")
    assert page.wait_for_end()


def test_the_chat_is_part_of_a_page(
    website_in_webkit: WebKitPage, site: LiveSite, host: HostSite, site_key: str
) -> None:
    host.carry(site.url, site_key, 'data-test-open-root data-inline="#here"')
    host.body = host.body.replace("</main>", '<div id="here"></div></main>')
    page = website_in_webkit
    page.reload()
    frame = page.wait_for_script(FRAME)
    assert page.run("return arguments[0].offsetHeight", frame) == 640
    page.enter(frame)
    page.run("document.querySelector('#starters button').click()")
    assert page.wait_for_end()


@pytest.mark.parametrize("name", CLIENTS)
def test_a_website_s_own_client_reads_a_whole_answer(
    webkit: Remote, site: LiveSite, host: HostSite, name: str
) -> None:
    """WebKit ends a read of a response wherever it likes, within an event, too."""
    key = make_site(site, host)
    front_ends.carry(host, site.url, front_ends.client_bundle())
    page = WebKitPage(webkit)
    page.open(host.origin)
    page.wait_for_script("typeof window.run === 'function'")
    webkit.set_script_timeout(120)
    heard = webkit.execute_async_script(
        "run(arguments[0], arguments[1], '/fast /long 200').then(arguments[2])",
        name,
        f"{site.url}/w/{key}",
    )
    assert heard["error"] == ""
    assert len(heard["text"]) > 200
