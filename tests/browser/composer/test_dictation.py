"""Dictate a message. The browser's microphone is a fake one that beeps."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Request, Route, expect

from tests.browser.chat_page import ChatPage
from tests.browser.screenshots import PHONE
from tests.support.browser.accessibility import BARE, axe

#: The Chromium from npm has no devices, not even fake ones: it hears a tone.
TONE_WITHOUT_DEVICES = """() => {
  const devices = navigator.mediaDevices;
  const open = devices.getUserMedia.bind(devices);
  devices.getUserMedia = (wanted) => open(wanted).catch((error) => {
    if (error.name !== "NotSupportedError") throw error;
    const context = new AudioContext();
    const destination = context.createMediaStreamDestination();
    const tone = new OscillatorNode(context);
    tone.connect(destination);
    tone.start();
    return destination.stream;
  });
}"""
HEARD = re.compile("^This is the built-in emulator, which can't hear")
HELD_MS = 700
REFUSE = """() => {
  navigator.mediaDevices.getUserMedia = async () => { throw new DOMException("", "NotAllowedError"); };
}"""


def with_microphone(open_chat: Callable[..., ChatPage], **options: Any) -> ChatPage:
    chat = open_chat(permissions=["microphone"], **options)
    chat.page.evaluate(TONE_WITHOUT_DEVICES)
    return chat


def dictate(chat: ChatPage) -> Locator:
    return chat.page.get_by_role("button", name="Dictate")


def strip(chat: ChatPage) -> Locator:
    return chat.page.locator(".dictation")


def start(chat: ChatPage) -> None:
    dictate(chat).click()
    expect(strip(chat)).to_contain_text("0:01")


def recordings(chat: ChatPage) -> list[Request]:
    """Return the list to which requests with recordings are added."""
    sent: list[Request] = []
    chat.page.on("request", lambda each: sent.append(each) if "transcription" in each.url else None)
    return sent


@pytest.mark.quick
def test_what_is_said_is_added_to_the_message(open_chat: Callable[..., ChatPage]) -> None:
    chat = with_microphone(open_chat, **BARE)
    sent = recordings(chat)
    chat.composer.fill("Please note:")
    start(chat)
    expect(dictate(chat)).to_have_attribute("aria-pressed", "true")
    expect(chat.announcement).to_contain_text("Listening…")
    assert axe(chat.page) == []
    dictate(chat).click()
    expect(chat.composer).to_have_value(re.compile("^Please note: This is the built-in emulator"))
    expect(strip(chat)).to_be_hidden()
    expect(chat.composer).to_be_focused()
    expect(chat.announcement).to_contain_text("Added to the message.")
    (request,) = sent
    assert request.url.endswith("?language=en")
    assert request.headers["content-type"].startswith("audio/")
    size = re.search(r"received (\d+) bytes", chat.composer.input_value())
    assert size
    assert int(size[1]) > 1000
    chat.composer.press("Control+z")
    expect(chat.composer).to_have_value("Please note:")


def test_it_records_while_the_button_is_held(open_chat: Callable[..., ChatPage]) -> None:
    chat = with_microphone(open_chat)
    start(chat)  # loads the script, as a click
    strip(chat).get_by_role("button", name="Cancel").click()
    dictate(chat).hover()
    chat.page.mouse.down()
    expect(strip(chat)).to_be_visible()
    chat.page.wait_for_timeout(HELD_MS)
    chat.page.mouse.up()
    expect(chat.composer).to_have_value(HEARD)


def test_it_works_by_keyboard(open_chat: Callable[..., ChatPage]) -> None:
    chat = with_microphone(open_chat)
    dictate(chat).focus()
    chat.page.keyboard.press("Enter")
    expect(strip(chat)).to_contain_text("0:01")
    chat.page.keyboard.press("Space")
    expect(chat.composer).to_have_value(HEARD)


def test_a_cancelled_dictation_goes_nowhere(open_chat: Callable[..., ChatPage]) -> None:
    chat = with_microphone(open_chat, **PHONE)
    sent = recordings(chat)
    start(chat)
    strip(chat).get_by_role("button", name="Cancel").tap()
    expect(strip(chat)).to_be_hidden()
    expect(dictate(chat)).to_have_attribute("aria-pressed", "false")
    expect(chat.composer).to_have_value("")
    assert sent == []


def test_what_was_said_is_kept_until_it_is_written_down(open_chat: Callable[..., ChatPage]) -> None:
    chat = with_microphone(open_chat, **BARE)  # the browser complains about the cut connection
    sent = []

    def cut(route: Route) -> None:
        sent.append(route.request.post_data_buffer)
        route.abort()

    chat.page.route("**/chat/transcription/**", cut)
    start(chat)
    dictate(chat).click()
    again = strip(chat).get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    assert axe(chat.page) == []
    chat.page.unroute("**/chat/transcription/**", cut)
    again.click()
    expect(chat.composer).to_have_value(re.compile(f"received {len(sent[0] or b'')} bytes"))


def test_without_permission_the_reason_is_told(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat()
    chat.page.evaluate(REFUSE)
    dictate(chat).click()
    expect(chat.hint).to_contain_text("doesn't let this site use the microphone")
    expect(dictate(chat)).to_have_attribute("aria-pressed", "false")
