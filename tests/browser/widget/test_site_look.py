"""A website's owner chooses the look beside a live preview, and visitors see it without a change of their page."""

import base64
from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage, make_site
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import overflow
from tests.support.browser.narrow_phone import NARROW
from tests.support.browser.picture import picture
from tests.support.variants import later

OTTO = "otto-looks@example.org"
GIVE = """
from chat.accounts.models import User
from chat.widget_sites.models import WidgetSite
WidgetSite.objects.filter(key={key!r}).update(owner=User.objects.get(email={email!r}))
"""
#: A picture of the browser's own encoder.
DRAW = """([width, height, type]) => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  context.fillStyle = "#0b6e4f";
  context.fillRect(0, 0, width, height);
  return canvas.toDataURL(type).split(",")[1];
}"""


def drawn(page: Page, width: int, height: int, kind: str) -> FilePayload:
    content = base64.b64decode(page.evaluate(DRAW, [width, height, f"image/{kind}"]))
    return {"name": f"picture.{kind}", "mimeType": f"image/{kind}", "buffer": content}


@pytest.fixture(scope="module")
def otto(site: LiveSite) -> StorageState:
    return sign_in(site, OTTO)


@pytest.fixture
def key(site: LiveSite, host: HostSite, otto: StorageState) -> str:
    key = make_site(site, host)
    site.run(GIVE.format(key=key, email=OTTO))
    return key


def test_a_look_is_previewed_saved_and_shown_to_visitors(
    open_page: Callable[..., Page],
    visit: Callable[..., WidgetPage],
    site: LiveSite,
    host: HostSite,
    otto: StorageState,
    key: str,
) -> None:
    page = open_page(f"/sites/{key}/look/", storage_state=otto)
    depth = page.evaluate("history.length")
    page.get_by_label("Logo").set_input_files(drawn(page, 180, 56, "webp"))
    page.get_by_label("Picture beside").set_input_files(drawn(page, 96, 96, "jpeg"))
    page.get_by_label("Button label").first.fill("Ask us")
    page.get_by_label("Button icon").select_option("headset")
    page.get_by_label("Size").select_option("compact")
    page.get_by_label("Play a sound").check()
    page.get_by_text("Text (Deutsch)").first.click()
    german = page.locator("details[open]")
    german.get_by_label("Button label").fill("Fragen?")
    german.get_by_label("Welcome message").fill("Was möchten Sie wissen?")
    page.get_by_text("Message 1").click()
    page.locator("details[data-message='0']").get_by_label("Text", exact=True).fill("Need help?")
    expect(page.locator(".picture-field[data-stored] img")).to_have_count(2)
    shown = page.locator(".picture-field img").first
    assert shown.evaluate("async (image) => (await image.decode(), image.naturalWidth)") == 180
    expect(page.locator("input[type=file]").first).to_have_value("")
    expect(page.frame_locator("iframe.look-preview").locator("script[data-draft]")).to_have_count(1)
    assert page.evaluate("history.length") == depth
    picture(page, "look-page")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. Websites show it within five minutes.")).to_be_visible()

    host.carry(site.url, key)
    widget = visit(locale="de")
    expect(widget.launcher).to_have_accessible_name("Fragen?")
    bubble = widget.page.locator("runnel-chat section")
    expect(bubble.get_by_role("button").first).to_have_text("Need help?")
    widget.launcher.first.click()
    expect(widget.frame.locator(".welcome")).to_have_text("Was möchten Sie wissen?")
    box = widget.iframe.bounding_box()
    assert box
    assert (box["width"], box["height"]) == (340, 520)
    logo = widget.frame.locator(".site-logo")
    assert logo.evaluate("async (image) => (await image.decode(), image.naturalWidth)") == 180
    widget.frame.get_by_role("textbox").fill("Hallo")
    widget.frame.get_by_role("textbox").press("Enter")
    widget.frame.locator(".answer[data-state=complete]").wait_for()
    expect(widget.answers.last.locator(".avatar")).to_be_visible()
    picture(widget.page, "look-widget")


def test_what_cannot_be_shown_is_explained_at_once(
    open_page: Callable[..., Page], otto: StorageState, key: str
) -> None:
    page = open_page(f"/sites/{key}/look/", storage_state=otto)
    page.get_by_label("Color").first.fill("#ffff66")
    problems = page.locator("#look-problems")
    expect(problems).to_contain_text("hard to see")
    vector: FilePayload = {
        "name": "logo.png",
        "mimeType": "image/png",
        "buffer": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    }
    page.get_by_label("Logo").set_input_files(vector)
    expect(problems).to_contain_text("Choose a PNG, JPEG or WebP picture")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".field-error")).to_contain_text("Choose a PNG, JPEG or WebP picture")
    page.get_by_label("Logo").set_input_files(drawn(page, 60, 60, "png"))
    expect(problems).not_to_contain_text("Choose a PNG")
    expect(page.get_by_label("Remove").first).to_be_visible()
    page.get_by_label("Remove").first.check()
    expect(page.locator(".picture-field").first.locator("img")).to_be_hidden()


def test_the_preview_opens_the_chat_with_the_unsaved_texts(
    open_page: Callable[..., Page], otto: StorageState, key: str
) -> None:
    # Chromium warns that the sandbox has little effect if page and frame have the same origin.
    page = open_page(f"/sites/{key}/look/", storage_state=otto, watched=False)
    with page.expect_event("framenavigated", lambda each: "/w/" in each.url) as found:
        page.get_by_label("Welcome message").first.fill("Unsaved words")
    expect(found.value.get_by_text("Unsaved words")).to_be_visible()
    page.get_by_text("Text (Deutsch)").first.click()
    german = page.locator("details[open]").get_by_label("Welcome message")
    with page.expect_event("framenavigated", lambda each: "/w/" in each.url) as found:
        german.fill("Nicht gespeichert")
    expect(found.value.get_by_text("Nicht gespeichert")).to_be_visible()
    expect(german).to_be_focused()
    expect(found.value.get_by_placeholder("Nachricht schreiben")).to_be_visible()


@pytest.mark.parametrize("theme", ["dark", *later("light")])
def test_the_page_is_accessible_and_fits_a_phone(
    open_page: Callable[..., Page], otto: StorageState, key: str, theme: str
) -> None:
    page = open_page(
        f"/sites/{key}/look/", storage_state=otto, color_scheme=theme, **NARROW, **BARE
    )
    page.get_by_label("Logo").set_input_files(drawn(page, 180, 56, "png"))
    expect(page.locator(".picture-field[data-stored]")).to_have_count(1)
    for each in page.locator("summary").all():
        each.evaluate("summary => (summary.parentElement.open = true)")
    for direction in ("ltr", "rtl"):
        page.evaluate("direction => (document.documentElement.dir = direction)", direction)
        assert overflow(page) <= 0, direction
        assert axe(page) == [], direction


@pytest.mark.parametrize(
    "options",
    [
        {"color_scheme": "dark"},
        {"viewport": {"width": 390, "height": 800}, "locale": "ar"},
        {"viewport": {"width": 800, "height": 360}},
    ],
)
def test_the_chat_with_a_look_is_accessible(
    open_page: Callable[..., Page],
    visit: Callable[..., WidgetPage],
    site: LiveSite,
    host: HostSite,
    otto: StorageState,
    key: str,
    options: dict[str, object],
) -> None:
    page = open_page(f"/sites/{key}/look/", storage_state=otto)
    page.get_by_label("Logo").set_input_files(drawn(page, 180, 56, "png"))
    page.get_by_label("Picture beside").set_input_files(drawn(page, 96, 96, "png"))
    page.get_by_label("Header", exact=True).select_option("color")
    page.get_by_label("Color").first.fill("#0b6e4f")
    page.get_by_label("Play a sound").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    host.carry(site.url, key, direction="rtl" if "locale" in options else "ltr")
    widget = visit(watched=False, bypass_csp=True, **options)
    widget.open()
    assert axe(widget.page.frames[1]) == []
    widget.frame.get_by_role("textbox").fill("Hello")
    widget.frame.locator(".send-button").click()
    widget.frame.locator(".answer[data-state=complete]").wait_for()
    assert axe(widget.page.frames[1]) == []
    box = widget.frame.locator(".site-brand h1").bounding_box()
    assert box
    picture(widget.page, f"look-{len(options)}-{options.get('locale', 'en')}")
