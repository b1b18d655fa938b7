"""The widget works in WebKit, the engine of Safari, on a website of another origin."""

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.webkit.webkit_page import WebKitPage

SHADOW = "document.querySelector('runnel-chat')?.shadowRoot"


def open_widget(page: WebKitPage) -> WebElement:
    """Point at the button, which loads the chat, then click it."""
    button = page.wait_for_script(f"{SHADOW}?.querySelector('button')")
    ActionChains(page.driver).move_to_element(button).perform()
    frame: WebElement = page.wait_for_script(f"{SHADOW}.querySelector('iframe')")
    page.enter(frame)
    page.driver.switch_to.default_content()
    button.click()
    page.enter(frame)
    return frame


def test_what_a_visitor_types_goes_into_the_message_box(website_in_webkit: WebKitPage) -> None:
    """WebKit gives the focus only to frames that hear of the click itself."""
    page = website_in_webkit
    open_widget(page)
    page.wait_for_script("document.activeElement?.id === 'message'")
    page.press("Canoes", Keys.ENTER)
    page.wait_for_script("document.querySelector('.question')?.innerText.includes('Canoes')")


def test_an_answer_is_there_when_the_chat_is_opened_again(website_in_webkit: WebKitPage) -> None:
    page = website_in_webkit
    frame = open_widget(page)
    page.ask("Where do canoes go?")
    text = page.wait_for_end()
    page.driver.switch_to.default_content()
    page.run("Runnel.close()")
    page.run("Runnel.open()")
    page.enter(frame)
    assert page.last_text() == text
