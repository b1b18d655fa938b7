"""Helpers for the browser tests of stored chats."""

import json
import re
from typing import Any

from playwright.sync_api import Page

from tests.browser.chat_page import ChatPage
from tests.browser.firefox import needs_request_bodies

MESSAGES = re.compile(r"/messages$")


def second_tab(chat: ChatPage) -> ChatPage:
    page = chat.page.context.new_page()
    page.goto(chat.page.url)
    return ChatPage(page)


def bodies(page: Page) -> list[dict[str, Any]]:
    """Collect the bodies of messages that are sent from now on."""
    needs_request_bodies(page)
    found: list[dict[str, Any]] = []

    def take(request: Any) -> None:
        if request.method == "POST" and MESSAGES.search(request.url):
            found.append(json.loads(request.post_data))

    page.on("request", take)
    return found
