"""The chat works in WebKit, the engine of Safari."""

from collections.abc import Callable
from pathlib import Path

from tests.browser.chat_page import UNTIL_STOPPED
from tests.browser.history import conversation
from tests.browser.server import LiveSite
from tests.browser.webkit.webkit_page import WebKitPage

OpenPage = Callable[[str], WebKitPage]
PREVIEWED = "```html\n<h1>Canoes</h1><script>document.querySelector('h1').remove()</script>\n```"


def test_an_answer_is_there_after_a_reload(open_in_webkit: OpenPage) -> None:
    page = open_in_webkit("/chat/")
    page.ask("Where do rivers bend?")
    text = page.wait_for_end()
    assert len(text) > 20
    page.reload()
    page.wait_for(lambda: page.last_text() == text, "the answer")


def test_an_answer_goes_on_after_a_reload_and_can_be_stopped(open_in_webkit: OpenPage) -> None:
    page = open_in_webkit("/chat/")
    page.ask(UNTIL_STOPPED)
    page.wait_for_script(f"{page.LAST_TEXT}?.length > 20")
    page.reload()
    count = len(page.wait_for_script(page.LAST_TEXT))
    page.wait_for_script(f"{page.LAST_TEXT}.length > {count}")
    page.find("[aria-label='Stop the answer']").click()
    page.wait_for_end()
    assert page.find(".answer .outcome").text.startswith("Stopped.")


def test_a_page_is_previewed_without_its_scripts(
    open_in_webkit: OpenPage, site: LiveSite, tmp_path: Path
) -> None:
    path = conversation(site, tmp_path, "alice@example.org", [PREVIEWED])
    page = open_in_webkit(path)
    page.find(".show-preview").click()
    page.driver.switch_to.frame(page.find(".code-preview-frame"))
    page.wait_for_script("document.querySelector('h1')?.textContent === 'Canoes'")
    page.driver.switch_to.default_content()


def test_another_chat_is_shown_in_the_same_page(
    open_in_webkit: OpenPage, site: LiveSite, tmp_path: Path
) -> None:
    paths = [
        conversation(site, tmp_path, "alice@example.org", [f"**Rivers** of {name}"])
        for name in ("Aland", "Beland")
    ]
    page = open_in_webkit(paths[0])
    page.run("window.isSame = true")
    page.find(f"#conversations a[href='{paths[1]}']").click()
    page.wait_for_script(f"{page.LAST_TEXT}.trim() === 'Rivers of Beland'")
    page.driver.back()
    page.wait_for_script(f"{page.LAST_TEXT}.trim() === 'Rivers of Aland'")
    assert page.run("return window.isSame")
