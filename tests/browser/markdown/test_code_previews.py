"""Code of an answer is shown as a page, an image or a diagram, in a frame that reaches nothing."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import FrameLocator, Locator, Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.history import conversation
from tests.browser.markdown_page import ask_for
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, COLOURS, axe, tab_to
from tests.support.browser.layout import PHONE

END = "\n\nEnd.\n\nReally."
PAGE = (
    "<!doctype html>\n<title>x</title>\n<style>h1 { color: rgb(1, 2, 3) }</style>\n<h1>Rivers</h1>"
)
IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><circle r="9" cx="20" cy="10"/></svg>'
DIAGRAM = "graph TD\n  Spring --> Brook\n  Brook --> River"


@pytest.fixture(scope="module")
def ottilie(site: LiveSite) -> StorageState:
    return sign_in(site, "ottilie@example.org")


def fenced(language: str, code: str) -> str:
    return f"Here:\n\n```{language}\n{code}\n```{END}"


def button(chat: ChatPage) -> Locator:
    return chat.last_text.get_by_role("button", name="Preview of the code")


def shown(chat: ChatPage, language: str, code: str) -> FrameLocator:
    ask_for(chat, fenced(language, code))
    button(chat).click()
    return chat.last_text.frame_locator("iframe")


@pytest.mark.quick
def test_a_page_is_shown_on_a_click_and_its_code_again(chat: ChatPage) -> None:
    frame = shown(chat, "html", PAGE)
    expect(frame.get_by_role("heading", name="Rivers")).to_have_css("color", "rgb(1, 2, 3)")
    assert frame.locator("body").evaluate("() => origin") == "null"
    expect(chat.last_text.locator("pre")).to_be_hidden()
    expect(button(chat)).to_have_attribute("aria-pressed", "true")
    expect(chat.last_text).to_contain_text("Written by the model.")
    button(chat).click()
    expect(chat.last_text.locator("iframe")).to_have_count(0)
    expect(chat.last_text.locator("pre")).to_be_visible()


def test_an_image_is_shown(chat: ChatPage) -> None:
    image = shown(chat, "svg", IMAGE).locator("img")
    expect(image).to_have_js_property("complete", True)
    assert image.evaluate("image => image.naturalHeight") > 0


def test_a_diagram_is_drawn(chat: ChatPage) -> None:
    frame = shown(chat, "mermaid", DIAGRAM)
    expect(frame.locator("svg")).to_contain_text("Brook")
    space = chat.last_text.locator("iframe").evaluate("frame => frame.clientHeight")
    assert 0 <= space - frame.locator("svg").evaluate("svg => svg.clientHeight") < 40


@pytest.mark.parametrize(
    ("language", "code"), [("mermaid", "graph TD\n A[[["), ("svg", "<svg><g>")]
)
def test_code_with_a_mistake_says_so(chat: ChatPage, language: str, code: str) -> None:
    shown(chat, language, code)
    expect(chat.last_text.get_by_role("status")).to_contain_text("The code may have a mistake.")
    expect(chat.last_text.locator("iframe")).to_have_count(0)


def test_what_is_missing_is_said(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat(watched=False)  # the browser reports the handler before it is removed
    status = chat.last_text.get_by_role("status")
    shown(chat, "html", PAGE)
    expect(chat.last_text.frame_locator("iframe").get_by_role("heading")).to_be_visible()
    expect(status).to_be_empty()
    shown(chat, "html", "<button onclick='f()'>Go</button><script>f = () => 1</script>")
    expect(status).to_have_text("Scripts and files from the network are left out.")


def test_links_lead_to_parts_of_the_page_only(chat: ChatPage) -> None:
    frame = shown(
        chat,
        "html",
        "<a href='#end'>Down</a> <a href=/accounts/>Out</a><p style='height: 3000px'><p id=end>End</p>",
    )
    steps = chat.page.evaluate("history.length")
    frame.get_by_text("Out").click()
    frame.get_by_text("Down").click()
    expect(frame.get_by_text("End")).to_be_in_viewport()
    assert chat.page.evaluate("history.length") == steps


def test_a_preview_is_made_large_and_small_again_without_loading_anew(chat: ChatPage) -> None:
    frame = shown(chat, "html", "<input aria-label=Name>")
    frame.get_by_label("Name").fill("Rhine")
    size = chat.last_text.locator(".code-preview-size")
    tab_to(chat.page, size, "Shift+Tab")
    chat.page.keyboard.press("Enter")
    dialog = chat.page.locator("dialog:modal")
    expect(dialog).to_have_accessible_name("Preview")
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    assert dialog.evaluate("dialog => dialog.clientHeight > innerHeight * 0.9")
    chat.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(chat.last_text.get_by_role("button", name="Enlarge")).to_be_focused()
    expect(frame.get_by_label("Name")).to_have_value("Rhine")


def test_a_growing_block_has_no_preview(chat: ChatPage) -> None:
    counts = chat.page.evaluate(
        """async () => {
          const { Markdown } = await import("markdown");
          const box = document.createElement("div");
          document.getElementById("main").append(box);
          const markdown = new Markdown(box);
          const count = async () => {
            await new Promise((resolve) => setTimeout(resolve, 1500));
            return box.querySelectorAll(".show-preview").length;
          };
          markdown.append("```html\\n<p>One");
          const before = await count();
          markdown.append("</p>\\n```\\n");
          markdown.end();
          return [before, await count()];
        }"""
    )
    assert counts == [0, 1]


def test_other_code_and_other_pages_have_none(chat: ChatPage) -> None:
    ask_for(chat, fenced("py", "def f(): pass"))
    expect(chat.last_text.locator(".hljs-keyword").first).to_have_text("def")
    expect(button(chat)).to_have_count(0)
    chat.page.evaluate("document.querySelector('main').removeAttribute('data-previews')")
    ask_for(chat, fenced("html", PAGE))
    expect(chat.last_text.locator(".hljs-tag").first).to_be_attached()
    expect(button(chat)).to_have_count(0)


def test_a_stored_chat_and_its_shared_copy_have_previews(
    site: LiveSite, open_page: Callable[..., Page], ottilie: StorageState, tmp_path: Path
) -> None:
    path = conversation(site, tmp_path, "ottilie@example.org", [fenced("html", PAGE)])
    stored = open_page(path, storage_state=ottilie)
    stored.goto(f"{path}sharing/")
    stored.get_by_role("button", name="Create link").click()
    shared = re.sub(r"^https?://[^/]+", "", stored.get_by_label("Link address").input_value())
    stored.goto(path)
    for page in (stored, open_page(shared)):
        page.get_by_role("button", name="Preview of the code").click()
        frame = page.frame_locator("iframe")
        expect(frame.get_by_role("heading", name="Rivers")).to_be_visible()


def test_without_a_connection_it_says_so(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat(watched=False)
    chat.page.clock.install()
    chat.page.route("**/code-preview/", lambda route: route.abort())
    shown(chat, "html", PAGE)
    expect(chat.last_text.locator("iframe")).to_have_count(1)
    chat.page.clock.run_for(25_000)
    expect(chat.last_text.get_by_role("status")).to_contain_text("Couldn't load this.")


def test_a_preview_whose_script_fails_to_load_says_so_and_is_tried_again(
    open_chat: Callable[..., ChatPage],
) -> None:
    chat = open_chat(watched=False)
    chat.page.route("**/code_preview.*.js*", lambda route: route.abort(), times=1)
    shown(chat, "html", PAGE)
    expect(chat.hint).to_contain_text("Couldn't load this.")
    button(chat).click()
    expect(chat.last_text.frame_locator("iframe").get_by_role("heading")).to_be_visible()


@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_previews_are_accessible(
    open_page: Callable[..., Page],
    site: LiveSite,
    ottilie: StorageState,
    tmp_path: Path,
    colours: dict[str, str],
    device: dict[str, object],
) -> None:
    codes = [("html", PAGE), ("svg", IMAGE), ("mermaid", DIAGRAM)]
    answer = "\n\n".join(fenced(*each) for each in codes)
    path = conversation(site, tmp_path, "ottilie@example.org", [answer])
    page = open_page(path, storage_state=ottilie, **device, **colours, **BARE)
    buttons = page.get_by_role("button", name="Preview of the code")
    expect(buttons).to_have_count(3)
    for each in buttons.all():
        each.click()
    expect(page.frame_locator("iframe >> nth=2").locator("svg")).to_contain_text("Brook")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
