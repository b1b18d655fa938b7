"""Use the chat page in a browser."""

from playwright.sync_api import Locator, Page, expect

PATIENCE_MS = 240_000
#: Runs for minutes, so that it's still running whatever the test does in between on a busy machine.
UNTIL_STOPPED = "/long 4000 10"
#: Safari's Enter that ends the composition of a word.
COMPOSED = {"key": "Enter", "keyCode": 229, "bubbles": True}


class ChatPage:
    def __init__(self, page: Page) -> None:
        self.page = page
        page.locator("#message[enterkeyhint]").wait_for()  # the scripts have run
        self.composer = page.get_by_role("textbox", name="Message")
        self.send_button = page.get_by_role("button", name="Send", exact=True)
        self.stop_button = page.get_by_role("button", name="Stop the answer")
        self.questions = page.locator(".question")
        self.answers = page.locator(".answer")
        self.hint = page.locator("#hint")
        self.announcement = page.locator("#announcer")

    @property
    def last_answer(self) -> Locator:
        return self.answers.last

    @property
    def last_text(self) -> Locator:
        return self.last_answer.locator("> .message-text.formatted")

    @property
    def outcome(self) -> Locator:
        return self.last_answer.locator(".outcome")

    def send(self, text: str) -> None:
        """Send a message, and wait only until the question is on the page."""
        count = self.questions.count()
        self.composer.fill(text)
        self.composer.press("Enter")
        expect(self.questions).to_have_count(count + 1)

    def start_answer(self) -> None:
        """Have an answer in progress, with some text, that runs until it is stopped."""
        self.send(UNTIL_STOPPED)
        self.wait_for_text()

    def ask(self, text: str) -> str:
        """Send a message, wait for the end of the answer, and return its text."""
        self.send(text)
        return self.wait_for_end()

    def wait_for_end(self) -> str:
        expect(self.stop_button).to_have_count(0, timeout=PATIENCE_MS)
        return self.last_text.text_content() or ""

    def wait_for_text(self, count: int = 20) -> None:
        """Wait until the running answer has at least so many characters."""
        self.page.wait_for_function(
            "count => [...document.querySelectorAll('.answer > .message-text')].at(-1)"
            "?.textContent.length >= count",
            arg=count,
        )

    def read_details(self) -> str:
        """Return the details of the last answer."""
        self.last_answer.get_by_role("button", name="Answer details").click()
        card = self.page.locator("#facts-card")
        card.locator("dt").first.wait_for()
        details = card.inner_text()
        self.page.keyboard.press("Escape")
        expect(card).to_be_hidden()
        return details

    def choose_model(self, name: str) -> None:
        self.page.locator("#open-models").click()
        menu = self.page.locator("#model-menu")
        unfold(menu, menu.get_by_text(name, exact=True)).click()
        expect(menu).to_be_hidden()

    def retry(self, number: int) -> None:
        """Request another answer from the same model."""
        self.answers.nth(number).get_by_role("button", name="Retry").click()
        self.page.locator("#retry-menu").get_by_role("button", name="Try again", exact=True).click()

    def press_stop(self) -> None:
        # A click right after sending would count as a double click.
        self.page.wait_for_timeout(320)
        self.stop_button.click()


def unfold(menu: Locator, model: Locator) -> Locator:
    """Return a model of a menu, after opening the group that hides it."""
    model.wait_for(state="attached")
    if not model.is_visible():
        menu.locator("summary").click()
    return model
