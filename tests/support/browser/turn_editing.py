"""Helpers for the browser tests of turns."""

from playwright.sync_api import Locator

from tests.browser.chat_page import ChatPage


def editor(chat: ChatPage) -> Locator:
    return chat.page.get_by_role("textbox", name="Edit question")


def edit(chat: ChatPage, number: int, text: str) -> None:
    chat.questions.nth(number).get_by_role("button", name="Edit question").click()
    editor(chat).fill(text)


def arrows(turn: Locator) -> tuple[Locator, Locator, Locator]:
    return (
        turn.get_by_role("button", name="Previous version"),
        turn.locator(".versions [data-part=place]"),
        turn.get_by_role("button", name="Next version"),
    )
