"""The widget works in WebKit, the engine of Safari, on a website of another origin."""

from selenium.webdriver.common.keys import Keys

from tests.browser.server import LiveSite
from tests.browser.webkit.webkit_page import WebKitPage
from tests.browser.webkit.webkit_widget import SHADOW, open_widget
from tests.support.browser.widget_people import OFFER, answer


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


def test_an_answer_streams_and_a_reloaded_website_has_a_chat_again(
    website_in_webkit: WebKitPage,
) -> None:
    page = website_in_webkit
    open_widget(page)
    page.ask("/long 1500")
    count = page.wait_for_script(f"{page.LAST_TEXT}?.length")
    page.wait_for_script(f"{page.LAST_TEXT}.length > {count}")
    assert len(page.wait_for_end()) > 1500
    page.driver.switch_to.default_content()
    page.reload()
    page.enter(page.wait_for_script(f"{SHADOW}?.querySelector('iframe')"))
    page.ask("Where do canoes go?")
    assert page.wait_for_end()


def test_a_person_s_words_are_counted_on_the_button_while_the_chat_is_closed(
    website_in_webkit: WebKitPage, site: LiveSite
) -> None:
    site.run(OFFER)
    page = website_in_webkit
    page.reload()
    frame = open_widget(page)
    page.ask("What does a canoe cost?")
    page.wait_for_end()
    page.click("#request-person")
    page.wait_for_script("document.querySelector('#person').textContent.trim()")
    page.driver.switch_to.default_content()
    page.run("Runnel.close()")
    answer(site, "Hello Vera")
    page.wait_for_script(f"{SHADOW}.querySelector('button').ariaLabel === 'Chat (1)'")
    page.run("Runnel.open()")
    page.enter(frame)
    page.wait_for_script("document.querySelector('#thread').innerText.includes('Hello Vera')")
    page.driver.switch_to.default_content()
    page.wait_for_script(f"{SHADOW}.querySelector('button').ariaLabel === 'Chat'")
