"""Websites built as docs/widget.md describes, served with a strict policy."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.built_site import BuiltSite, built_site
from tests.browser.server import LiveSite
from tests.browser.watch import Watch
from tests.browser.widget_page import WidgetPage, make_site
from tests.support.browser.guides import FOLDER, block, build
from tests.support.widget.identity_tokens import signer

TAG = "<!-- the tag -->"
#: Opens the launcher's closed shadow root for tests, so that the copied tag needs no change.
OPEN_ROOT = """
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function () {
  return attach.call(this, { mode: "open" });
};
"""


class Guide(NamedTuple):
    """A website in tests/guides: the code blocks to copy (language, word, file), and its build."""

    folder: str
    copied: tuple[tuple[str, str, str], ...]
    command: tuple[str, ...] = ()
    output: str = "."


PLAIN = Guide(
    "plain", (("js", "\n(window.Runnel", "identity.js"), ("js", "#sign-out", "sign-out.js"))
)
REACT = Guide("react", (("js", "// src/chat.js", "src/chat.js"),), ("vite", "build"), "dist")
VUE = Guide(
    "vue",
    (("js", "// composables/chat.js", "src/composables/chat.js"),),
    ("vite", "build"),
    "dist",
)
NUXT = Guide(
    "nuxt",
    (
        ("js", "// composables/chat.js", "app/composables/chat.js"),
        ("ts", "// nuxt.config.ts", "nuxt.config.ts"),
    ),
    ("nuxt", "generate"),
    ".output/public",
)


@pytest.fixture(scope="module")
def built() -> Iterator[BuiltSite]:
    with built_site() as host:
        yield host


@contextmanager
def website(guide: Guide, chat: str, key: str) -> Iterator[Path]:
    """Build a website and return the folder to serve. It is built below tests/guides, with its packages."""

    def told(code: str) -> str:
        return code.replace("https://chat.example.org", chat).replace("<site key>", key)

    (FOLDER / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER / "build", prefix=guide.folder) as name:
        folder = Path(name)
        shutil.copytree(FOLDER / guide.folder, folder, dirs_exist_ok=True)
        for page in folder.glob("*.html"):
            page.write_text(page.read_text().replace(TAG, told(block("html", "w.js"))))
        for language, word, file in guide.copied:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(told(block(language, word)))
        if guide.command:
            build(folder, *guide.command)
        yield folder / guide.output


@pytest.fixture
def visit_built(built: BuiltSite, site: LiveSite, browser: Browser) -> Iterator[Callable[[], Page]]:
    watches = []

    def visit() -> Page:
        context = browser.new_context()
        context.set_default_timeout(120_000)
        context.add_init_script(OPEN_ROOT)
        page = context.new_page()
        watches.append(Watch(page, site.url, built.origin))
        page.goto(built.origin)
        return page

    yield visit
    for watch in watches:
        watch.close()
    assert [each for watch in watches for each in watch.complaints] == []


@pytest.mark.parametrize(
    "guide",
    [
        pytest.param(PLAIN, id="plain"),
        *(
            pytest.param(each, id=each.folder, marks=[pytest.mark.long, pytest.mark.timeout(600)])
            for each in (REACT, VUE, NUXT)
        ),
    ],
)
def test_a_website_built_from_the_guide_shows_the_chat(
    guide: Guide, site: LiveSite, built: BuiltSite, visit_built: Callable[[], Page]
) -> None:
    key = make_site(site, built)
    sign = signer(site, key)
    with website(guide, site.url, key) as folder:
        built.carry_build(site.url, folder, lambda: sign("customer-7"))
        page = visit_built()
        widget = WidgetPage(page)
        page.get_by_text("Sign in").click()
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()
        with page.expect_response("**/identity") as told:
            widget.open()
        assert told.value.json()["known"]
        assert len(widget.ask("Where does the river bend?")) > 20
        page.get_by_role("link", name="Prices").click()
        expect(page.get_by_role("heading")).to_have_text("Prices")
        expect(widget.questions).to_have_text(["Where does the river bend?"])
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_text("Sign in")).to_be_visible()
        expect(widget.iframe).to_be_hidden()
        widget.open()
        expect(widget.questions).to_have_count(0)
