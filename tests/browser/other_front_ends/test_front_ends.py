"""The clients of docs/front_ends.md on another origin: answers, stops, errors and resuming."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser import front_ends
from tests.browser.front_ends import CLIENTS
from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.support.browser.front_ends import Run, state_in_the_end
from tests.support.servers.proxies import cutting

#: OpenAI's protocol has no way to resume.
RESUMING = [name for name in CLIENTS if name != "openai"]


@pytest.fixture
def page(shop: HostSite, site: LiveSite, open_page: Callable[..., Page]) -> Page:
    return _open(shop, site.url, open_page)


def _open(shop: HostSite, chat: str, open_page: Callable[..., Page]) -> Page:
    front_ends.carry(shop, chat, front_ends.client_bundle() if not shop.files else _script(shop))
    page = open_page(shop.origin, watched=False)
    page.wait_for_function("() => window.run")
    return page


def _script(shop: HostSite) -> bytes:
    return shop.files["/bundle.js"][1]


@pytest.mark.quick
def test_each_client_reads_a_whole_answer(
    page: Page, site: LiveSite, shop: HostSite, key: str
) -> None:
    for name in CLIENTS:
        run = Run(page, site, shop, key)
        heard = run.run(name, "/quirks")
        assert heard == {"text": run.log().text, "error": ""} != "", name
        assert len(set(run.generations)) == 1, name


def test_each_client_resumes_after_a_broken_connection(
    site: LiveSite, shop: HostSite, key: str, open_page: Callable[..., Page]
) -> None:
    for name in RESUMING:
        with cutting(site.url, after_bytes=5000) as proxy:
            page = _open(shop, proxy.url, open_page)
            run = Run(page, site, shop, key)
            run.begin(name, "/long 300", chat=proxy.url)
            page.wait_for_function("() => heard.text.length > 0")
            proxy.cut()
            heard = page.evaluate("running")
            assert heard == {"text": run.log().text, "error": ""}, name
            assert len(run.generations) >= 2, name  # it was cut
            assert len(set(run.generations)) == 1, name


def test_each_client_reports_an_error_during_an_answer(
    page: Page, site: LiveSite, shop: HostSite, key: str
) -> None:
    for name in CLIENTS:
        run = Run(page, site, shop, key)
        heard = run.run(name, "/error-after 12")
        log = run.log()
        assert heard["text"] == log.text != "", name
        assert log.key("error")["message"] in heard["error"], name


def test_each_client_reports_a_refusal(
    page: Page, site: LiveSite, shop: HostSite, key: str
) -> None:
    for name in CLIENTS:
        heard = Run(page, site, shop, key).run(name, "  ")
        assert heard["text"] == ""
        said = "No answer" if name.startswith("event-source") else "There's no message to answer"
        if name == "event-source-polyfill":
            continue  # it tries again for ever, unless it is told otherwise
        assert said in heard["error"], name


def test_each_client_stops_the_answer_by_disconnecting(
    page: Page, site: LiveSite, shop: HostSite, key: str
) -> None:
    runs = {}
    for name in CLIENTS:
        run = runs[name] = Run(page, site, shop, key)
        heard = run.run(name, "/slow", stop_after=10)
        assert 10 <= len(heard["text"]) < 100, name
        run.generations = run.generations[-1:]
    for name, run in runs.items():
        assert state_in_the_end(run) == "stopped", name
