"""Attacks in every field that users can fill are shown as text on every staff page.

What is asked of the pages is complete by itself: they are the routes of the review that can be
opened, and a route with a parameter that `Written` does not name fails the test.
"""

import json
import re
from collections.abc import Callable, Iterator
from itertools import compress

import pytest
from playwright.sync_api import Page, StorageState, expect

from chat.web.review import urls
from tests.browser.conftest import sign_in
from tests.browser.payloads import PAYLOADS, dompurify_fixtures
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE
from tests.support.browser.allowed_tags import HARMLESS
from tests.support.browser.dialog_listener import LISTEN
from tests.support.browser.hostile_rows import WRITE

ROUTES = urls.urlpatterns
MODEL = "@cf/openai/gpt-oss-120b"
#: They serve images that were re-encoded, files and archives to save.
NO_PAGES = frozenset({
    "review_image", "review_file", "review_erasure_certificate", "review_dataset_file",
    "review_evaluation_file",
})  # fmt: skip
#: A chat that was used a moment ago has a live view, with the icon of a button to stop its answer.
LIVE = frozenset({"rect"})
#: What these pages are about is in their query, too.
QUERIES = {"review_comparison": "?first={one}&second={other}"}

SEEN = """() => {
  const all = [...document.querySelectorAll("#main *")];
  const isFormula = (each) => each.closest("math[class^=tml-]");  // ours, with a style of its own
  const wrong = all.filter((each) => [...each.attributes].some(({ name, value }) =>
    /^(on|srcdoc$|background$|(data-)?hx-on)/.test(name) || (name === "style" && !isFormula(each)) ||
    (/^(href|src|action|formaction|xlink:href)$/.test(name) && /^\\s*(?!https?:|mailto:|tel:)\\w+:/.test(value))
  ));
  return {
    attacks: window.attacks,
    names: all.filter((each) => !isFormula(each)).map((each) => each.localName),
    wrong: wrong.map((each) => each.outerHTML),
  };
}"""
FOREIGN = {
    "audio", "base", "embed", "iframe", "img", "link", "marquee", "math", "meta", "object", "picture",
    "script", "source", "style", "video", "x",
}  # fmt: skip
Written = dict[str, str | int]


@pytest.fixture(scope="module")
def zara(site: LiveSite) -> StorageState:
    return sign_in(site, "zara@example.org")


@pytest.fixture(scope="module")
def written(site: LiveSite, zara: StorageState) -> list[Written]:
    """Create a chat for each attack, alternately by members and visitors."""
    attacks = [each.replace("\x00", "") for each in ("a word", *PAYLOADS, *dompurify_fixtures())]
    made: list[Written] = json.loads(site.run(WRITE.format(attacks=json.dumps(attacks))))
    assert len(made) > 250
    return made


def paths_about(one: Written) -> Iterator[str]:
    """Return the paths of all staff pages about these objects."""
    for pattern in ROUTES:
        route = str(pattern.pattern)
        if pattern.name in NO_PAGES:
            continue
        if pattern.name == "review_quotas":
            ways = {"person": one["user_id"], "group": one["group_id"], "website": one["site"]}
            chosen = [one | {"kind": kind, "key": key} for kind, key in ways.items()]
        elif "<slug:key>" in route:
            chosen = [one | {"key": one["site" if route.startswith("sites/") else "person"]}]
        else:
            chosen = [one]
        if "<" in route:
            query = QUERIES.get(pattern.name or "", "")
            yield from (_filled(route, each) + query.format_map(each) for each in chosen)


def _filled(route: str, one: Written) -> str:
    # Keys are only posted to.
    known = {**one, "model_id": MODEL, "api_key_id": 1, "service_key_id": 1}
    return "/review/" + re.sub(r"<\w+:(\w+)>", lambda found: str(known[found[1]]), route)


@pytest.fixture
def open_as_zara(
    open_page: Callable[..., Page], zara: StorageState, written: list[Written]
) -> Callable[..., Page]:
    """Open staff pages after giving a reason, and report scripts that ran."""

    def open_as_zara(**options: object) -> Page:
        page = open_page("/review/", storage_state=zara, **options)
        page.context.add_init_script(LISTEN)
        page.goto(f"/review/{written[0]['conversation_id']}/")
        if "/reason/" in page.url:
            page.get_by_label("Reason for access").fill("<img src=x onerror=alert(1)>")
            page.get_by_role("button", name="Continue").click()
        expect(page.get_by_label("Note", exact=True)).to_be_visible()
        return page

    return open_as_zara


def is_page(page: Page, path: str) -> bool:
    """Return False for routes that only accept POST or do not return HTML."""
    answer = page.request.get(path)
    kind = answer.headers["content-type"]
    assert answer.status in {200, 405}, (path, answer.status)
    assert answer.headers["x-content-type-options"] == "nosniff"
    return answer.status == 200 and kind.startswith("text/html")


def look_at(page: Page, path: str) -> set[str]:
    """Return the names of all elements in the page's main part."""
    page.goto(path)
    if page.locator(".answer").count():
        expect(page.locator(".answer .message-text.formatted").first).to_contain_text(
            "The end of it."
        )
    seen = page.evaluate(SEEN)
    assert (seen["attacks"], seen["wrong"]) == ([], []), path
    return set(seen["names"])


POLICIES = {"with the policy": 10, "without any policy": 1}  # test every n-th attack


@pytest.mark.timeout(900)
@pytest.mark.parametrize("policy", POLICIES)
def test_hostile_text_is_shown_as_text_on_detail_pages(
    open_as_zara: Callable[..., Page], written: list[Written], policy: str, site: LiveSite
) -> None:
    page = open_as_zara(**BARE if policy == "without any policy" else {})
    foreign: list[str] = []
    page.context.on("request", lambda one: one.url.startswith(site.url) or foreign.append(one.url))
    harmless, *others = written
    chosen = [is_page(page, path) for path in paths_about(harmless)]
    assert sum(chosen) >= 9
    usual = [look_at(page, path) for path in compress(paths_about(harmless), chosen)]
    for one in others[:: POLICIES[policy]]:
        tab = page.context.new_page()  # one that saw thousands of pages is slow
        for path, names in zip(compress(paths_about(one), chosen), usual, strict=True):
            assert look_at(tab, path) <= names | HARMLESS | LIVE, path
        tab.close()
    assert foreign == []


def test_hostile_text_is_shown_as_text_in_lists(
    open_as_zara: Callable[..., Page], written: list[Written], site: LiveSite
) -> None:
    page = open_as_zara(**BARE)
    foreign: list[str] = []
    page.context.on("request", lambda one: one.url.startswith(site.url) or foreign.append(one.url))
    routes = [f"/review/{each.pattern}" for each in ROUTES if "<" not in str(each.pattern)]
    lists = [each for each in routes if is_page(page, each)]
    assert len(lists) >= 10
    for path in lists:
        names, further = look_at(page, path), True
        while further:
            assert not names & FOREIGN, page.url
            following = page.locator("a[rel=next]")
            further = following.count() > 0
            if further:
                names = look_at(page, following.first.get_attribute("href") or "")
    assert foreign == []


def test_a_hostile_user_agent_is_nowhere_in_the_list_of_devices(
    open_page: Callable[..., Page], zara: StorageState
) -> None:
    page = open_page("/chat/", storage_state=zara, user_agent="Carried-Nowhere <script>alert(1)")
    page.goto("/settings/devices/")
    main = page.get_by_role("main")
    expect(main).to_contain_text("This device")
    assert "Carried-Nowhere" not in main.inner_html()
