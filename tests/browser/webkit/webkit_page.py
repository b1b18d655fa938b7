"""Use a page in WebKit, as a person does: by the mouse and the keyboard."""

import time
from typing import Any

from playwright.sync_api import StorageState
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import ActionChains, Remote
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.support.patience import PATIENCE_SECONDS

POLL_SECONDS = 0.1
#: What WebKit says when an observer's work is left to the next frame.
HARMLESS = "ResizeObserver loop completed with undelivered notifications"
#: Collects what goes wrong from here on, across pages that scripts open.
COLLECT_ERRORS = """
if (!window.errors) {
  window.errors = [];
  addEventListener("error", ({message}) => errors.push(message));
  addEventListener("unhandledrejection", ({reason}) => errors.push(String(reason)));
  document.addEventListener("securitypolicyviolation", (event) =>
    errors.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));
}
"""


class WebKitPage:
    #: The text of the last answer, as an expression.
    LAST_TEXT = "[...document.querySelectorAll('.answer > .message-text')].at(-1)?.textContent"

    def __init__(self, driver: Remote) -> None:
        self.driver = driver

    def open(self, url: str) -> None:
        self.driver.get(url)
        self.run(COLLECT_ERRORS)

    def open_as(self, state: StorageState, site: str, path: str) -> None:
        """Open a page of the site as the person whose state this is."""
        self.driver.get(f"{site}/healthz")  # cookies are set on a page of their site
        for each in state["cookies"]:
            self.driver.add_cookie({"name": each["name"], "value": each["value"], "path": "/"})
        self.open(site + path)

    def reload(self) -> None:
        self.open(self.driver.current_url)

    def errors(self) -> list[str]:
        errors: list[str] = self.run("return window.errors || []")
        return [each for each in errors if not each.startswith(HARMLESS)]

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str) -> WebElement:
        """Wait for an element that is visible."""
        found: WebElement = self.wait_for(
            lambda: next(
                (
                    each
                    for each in self.driver.find_elements(By.CSS_SELECTOR, selector)
                    if each.is_displayed()
                ),
                None,
            ),
            selector,
        )
        return found

    def wait_for(self, look: Any, what: str) -> Any:
        """Call `look` until it returns something true, which is returned."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                if found := look():
                    return found
            except WebDriverException:  # what was found has just been replaced
                pass
            time.sleep(POLL_SECONDS)
        raise AssertionError(f"{what}: not found on {self.driver.current_url}")

    def wait_for_script(self, condition: str) -> Any:
        """Wait until an expression of JavaScript is true, and return its value."""
        return self.wait_for(lambda: self.run(f"return {condition}"), condition)

    def click(self, selector: str) -> None:
        self._find_in_the_middle(selector).click()

    def hover(self, selector: str) -> None:
        element = self._find_in_the_middle(selector)
        ActionChains(self.driver).move_to_element(element).perform()

    def _find_in_the_middle(self, selector: str) -> WebElement:
        """Return an element after scrolling to it, so that nothing at the edges covers it."""
        element = self.find(selector)
        self.run("arguments[0].scrollIntoView({ block: 'center' })", element)
        return element

    def press_with_control(self, key: str) -> None:
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys(key).key_up(
            Keys.CONTROL
        ).perform()

    def press(self, *keys: str) -> None:
        """Press keys where the focus is."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def ask(self, text: str) -> None:
        """Send a message, and wait until it is on the page."""
        count = self.run("return document.querySelectorAll('.question').length")
        self.wait_for_script("document.readyState === 'complete'")  # so its scripts have run
        self.find("#message").click()
        self.press(text, Keys.ENTER)
        self.wait_for_script(f"document.querySelectorAll('.question').length > {count}")

    def wait_for_end(self) -> str:
        """Wait for the end of the answer and its formatting, and return its text."""
        self.wait_for_script("!document.querySelector('[aria-label=\"Stop the answer\"]')")
        self.wait_for_script(
            "document.querySelector('.answer:last-of-type > .message-text.formatted')"
        )
        return self.last_text()

    def last_text(self) -> str:
        """Return the words of the last answer: formatting changes the space between them."""
        return " ".join(str(self.run(f"return {self.LAST_TEXT} ?? ''")).split())

    def enter(self, frame: WebElement) -> None:
        """Go on in a frame, once it has loaded."""

        def is_loaded() -> bool:
            self.driver.switch_to.default_content()
            self.driver.switch_to.frame(frame)
            is_there = "location.protocol !== 'about:' && document.readyState === 'complete'"
            return bool(self.run(f"return {is_there}"))

        self.wait_for(is_loaded, "the frame's page")
