"""Walk a task as a person does, and count the clicks."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.chat_list import entry
from tests.browser.chat_page import ChatPage


class Walk:
    """One person on one device. Writing text is free; a click, a key and a drag count as one."""

    def __init__(self, page: Page, *, is_phone: bool, files: Path) -> None:
        self.page = page
        self.is_phone = is_phone
        self.files = files
        self.clicks = 0

    def click(self, target: Locator) -> None:
        target.click()
        self.clicks += 1

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.clicks += 1

    def choose(self, field: Locator, label: str) -> None:
        """Choose from a native menu: one click opens it, one chooses."""
        field.select_option(label=label)
        self.clicks += 2

    def upload(self, button: Locator, file: Path) -> None:
        """Choose a file. The clicks in the system's own dialog are not counted."""
        with self.page.expect_file_chooser() as chooser:
            self.click(button)
        chooser.value.set_files(file)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=isinstance(name, str))

    def link(self, name: str) -> Locator:
        return self.page.get_by_role("link", name=name, exact=True)

    def open_chats(self) -> None:
        """Open the list of chats, which a phone shows on demand."""
        if self.is_phone:
            self.click(self.page.locator("#open-drawer"))

    def open_from_sidebar(self, name: str) -> None:
        self.open_chats()
        self.click(self.page.locator("#sidebar").get_by_role("link", name=name, exact=True))

    def open_options(self, title: str) -> Locator:
        """Open the menu of a chat in the list, and return it."""
        self.open_chats()
        row = entry(self.page, title)
        row.hover()
        self.click(row.get_by_role("button", name=f"Options for {title}"))
        return self.page.locator("#chat-menu:popover-open")

    def open_settings(self, group: str = "") -> None:
        """Open the settings from the menu of the account."""
        self.open_account()
        self.click(self.page.locator("#account-menu").get_by_role("link", name="Settings"))
        if group:
            menu = self.page.get_by_role("navigation", name="Settings")
            self.click(menu.get_by_role("link", name=group, exact=True))

    def open_account(self) -> None:
        self.open_chats()
        self.click(self.page.locator(".account-button"))

    def search(self, text: str) -> None:
        """Search for a chat or a command, and choose the first result."""
        self.open_chats()
        self.click(self.page.locator("#open-palette"))
        palette = self.page.locator("#palette")
        palette.locator("input").fill(text)
        self.click(palette.get_by_role("option", name=re.compile(text)).first)

    def toast(self, text: str) -> None:
        """Expect a notice."""
        expect(self.page.get_by_role("region", name="Notice")).to_contain_text(text)

    @property
    def chat(self) -> ChatPage:
        return ChatPage(self.page)


@dataclass
class Task:
    """Something that people do. `start` prepares it without being counted; `do` does it."""

    name: str
    do: Callable[[Walk], None]
    start: Callable[[Walk], None]
    #: Whose task it is: "member", or "ada", an administrator.
    person: str = "member"
    #: Whether a phone can do it, too.
    has_phone: bool = True


@dataclass
class TaskList:
    person: str = "member"
    tasks: list[Task] = field(default_factory=list)

    def task(
        self, name: str, start: Callable[[Walk], None], *, has_phone: bool = True
    ) -> Callable[[Callable[[Walk], None]], Callable[[Walk], None]]:
        def add(do: Callable[[Walk], None]) -> Callable[[Walk], None]:
            self.tasks.append(Task(name, do, start, self.person, has_phone))
            return do

        return add


def new_chat(walk: Walk) -> None:
    walk.page.goto("/chat/")
    walk.chat.composer.wait_for()


def asked(question: str) -> Callable[[Walk], None]:
    """Return what opens a new chat with an answer to `question`."""

    def start(walk: Walk) -> None:
        new_chat(walk)
        send(walk, question)
        walk.chat.wait_for_end()

    return start


def send(walk: Walk, text: str) -> None:
    """Send without waiting for the answer, and without counting."""
    chat = walk.chat
    chat.composer.fill(text)
    chat.send_button.click()
    expect(chat.questions.last).to_contain_text(text[:20])
