"""Use the widget on a website in WebKit."""

from selenium.webdriver import ActionChains
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.webkit.webkit_page import WebKitPage

SHADOW = "document.querySelector('runnel-chat')?.shadowRoot"


def open_widget(page: WebKitPage) -> WebElement:
    """Point at the button, which loads the chat, then click it."""
    button = page.wait_for_script(f"{SHADOW}?.querySelector('button')")
    # From elsewhere: a mouse that is there already doesn't move.
    ActionChains(page.driver).move_to_element(page.find("h1")).move_to_element(button).perform()
    frame: WebElement = page.wait_for_script(f"{SHADOW}.querySelector('iframe')")
    page.enter(frame)
    page.driver.switch_to.default_content()
    button.click()
    page.enter(frame)
    return frame
