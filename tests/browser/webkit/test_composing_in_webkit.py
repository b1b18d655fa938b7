"""Messages are written, sent, edited and copied in WebKit, the engine of Safari."""

from collections.abc import Callable
from pathlib import Path

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.browser.chat_page import UNTIL_STOPPED
from tests.browser.webkit.webkit_page import WebKitPage

OpenPage = Callable[..., WebKitPage]
ATTACHED = "document.querySelector('#composer .attachment')?.textContent.includes('notes.csv')"
LAST_QUESTION = (
    "[...document.querySelectorAll('.question > .message-text')].at(-1)?.textContent.trim()"
)


def test_text_appears_while_an_answer_streams_and_the_next_message_can_be_typed(
    open_in_webkit: OpenPage,
) -> None:
    page = open_in_webkit("/chat/temporary/")
    page.ask(UNTIL_STOPPED)
    lengths = []
    for count in (10, 40, 80):
        page.wait_for_script(f"{page.LAST_TEXT}?.length > {count}")
        lengths.append(page.run(f"return {page.LAST_TEXT}.length"))
    assert lengths == sorted(set(lengths))
    page.find("#message").click()
    page.press("And lakes")
    count = page.run(f"return {page.LAST_TEXT}.length")
    page.wait_for_script(f"{page.LAST_TEXT}.length > {count}")
    assert page.run("return document.querySelector('#message').value") == "And lakes"
    page.click("[aria-label='Stop the answer']")
    page.wait_for_end()
    assert page.run("return document.querySelector('#message').value") == "And lakes"


def test_an_edited_question_is_answered_and_the_first_version_stays(
    open_in_webkit: OpenPage,
) -> None:
    page = open_in_webkit("/chat/")
    page.ask("Why do rivers bend?")
    page.wait_for_end()
    page.hover(".question > .message-text")
    page.click("[aria-label='Edit question']")
    page.wait_for_script("document.activeElement.closest('.editor')")
    page.press(" And glaciers?")
    page.wait_for_script("document.activeElement.value === 'Why do rivers bend? And glaciers?'")
    page.press(Keys.ENTER)
    page.wait_for_script(f"{LAST_QUESTION} === 'Why do rivers bend? And glaciers?'")
    page.wait_for_end()
    page.hover(".question > .message-text")
    page.click(".question [aria-label='Previous version']")
    page.wait_for_script(f"{LAST_QUESTION} === 'Why do rivers bend?'")


def test_an_answer_is_copied(open_in_webkit: OpenPage) -> None:
    page = open_in_webkit("/chat/temporary/")
    page.ask("/echo canoes")
    page.wait_for_end()
    page.click("[aria-label='Copy answer']")
    page.wait_for_script("document.querySelector('#hint').textContent === 'Copied.'")


def test_a_chosen_file_goes_with_the_question_and_survives_a_reload(
    open_in_webkit: OpenPage, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.csv"
    notes.write_text("river,km\nNile,6650\n")
    page = open_in_webkit("/chat/")
    page.wait_for_script("document.readyState === 'complete'")
    field = page.driver.find_element(By.CSS_SELECTOR, "#composer input[type=file]")
    field.send_keys(str(notes))
    page.wait_for_script(ATTACHED)
    page.reload()
    page.wait_for_script(ATTACHED)
    page.ask("Which river is longest?")
    page.wait_for_end()
    page.click(".question summary")
    assert "Nile,6650" in page.find(".question pre").text


def test_the_palette_finds_a_command_by_keyboard(open_in_webkit: OpenPage) -> None:
    page = open_in_webkit("/chat/temporary/")
    page.wait_for_script("document.readyState === 'complete'")
    page.click("#message")
    page.press_with_control("k")
    page.wait_for_script("document.activeElement.id === 'palette-field'")
    page.press("settings")
    page.wait_for_script(
        "/settings/i.test(document.querySelector('#palette [aria-selected=true]')?.innerText)"
    )
    page.press(Keys.ENTER)
    page.wait_for(lambda: "/settings/" in page.driver.current_url, "the settings")
