"""Projects, tags and many chats at once, in the sidebar."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, StorageState, expect

from tests.browser.chat_list import entry, press
from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, COLOURS, axe
from tests.support.browser.layout import APPEARED, PHONE, overflow

START = "/chat/"
MAKE = """
from datetime import timedelta
from django.utils import timezone
from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.projects.models import ChatTag, Project
owner = User.objects.get(email="orla@example.org")
for kind in (Conversation, Project, ChatTag):
    kind._default_manager.filter(owner=owner).delete()
now = timezone.now()
for number in range(6):
    moment = now - timedelta(seconds=number)
    Conversation.objects.create(owner=owner, title=f"Chat {number}", updated_at=moment)
Project.objects.create(owner=owner, name="Rivers", instructions="Only of rivers.")
ChatTag.objects.create(owner=owner, name="Work", folded_name="work", color="blue")
"""
TAGGED = """
from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.projects.models import ChatTag
owner = User.objects.get(email="orla@example.org")
for name, color in (("One", "red"), ("Two", "orange"), ("Three", "")):
    ChatTag.objects.create(owner=owner, name=name, folded_name=name.lower(), color=color)
for title in ("Chat 2", "Chat 5"):
    Conversation.objects.get(owner=owner, title=title).tags.set(owner.tags.all())
"""
IN_PROJECT = "from chat.conversations.models import Conversation as C; print(C.objects.filter(project__name='Rivers').count())"


@pytest.fixture(scope="module")
def orla(site: LiveSite) -> StorageState:
    return sign_in(site, "orla@example.org")


@pytest.fixture
def page(open_chat: Callable[..., ChatPage], site: LiveSite, orla: StorageState) -> Page:
    site.run(MAKE)
    return open_chat(storage_state=orla).page


def test_chats_are_selected_and_filtered_once_there_are_some(
    open_chat: Callable[..., ChatPage], site: LiveSite
) -> None:
    chat = open_chat(storage_state=sign_in(site, "noor@example.org"))
    select = chat.page.get_by_role("button", name="Select", exact=True)
    expect(chat.page.get_by_text("Your chats will appear here.")).to_be_visible()
    expect(select).to_be_hidden()
    chat.ask("First.")
    expect(select).to_be_visible()


def toast(page: Page) -> Locator:
    return page.get_by_role("region", name="Notice")


def move_to(page: Page, target: Locator) -> None:
    """Move the mouse there in steps, as a drag needs it."""
    box = target.bounding_box()
    assert box
    page.mouse.move(box["x"] + 30, box["y"] + 10, steps=5)


def select(page: Page) -> Locator:
    """Begin to select, and return the bar of actions."""
    page.get_by_role("button", name="Select", exact=True).click()
    bar = page.get_by_role("form", name="Selected chats")
    expect(bar).to_contain_text("0 chats selected")
    return bar


def test_a_range_of_chats_moves_to_a_project_and_back(page: Page, site: LiveSite) -> None:
    bar = select(page)
    expect(bar.get_by_role("button", name="Archive")).to_be_disabled()
    entry(page, "Chat 1").get_by_role("link").click()  # selects, and opens nothing
    page.get_by_role("checkbox", name="Chat 4").click(modifiers=["Shift"])
    expect(bar).to_contain_text("4 chats selected")
    expect(page.locator("#announcer")).to_contain_text("4 chats selected")
    entry(page, "Chat 2").get_by_role("link").click()
    expect(bar).to_contain_text("3 chats selected")
    bar.get_by_role("button", name="Move to project…").click()
    dialog = page.get_by_role("dialog", name="Move to project")
    dialog.get_by_role("button", name="Rivers").click()
    expect(toast(page)).to_contain_text("3 chats moved to “Rivers”.")
    expect(dialog).to_be_hidden()
    expect(bar).to_be_hidden()
    expect(page.get_by_role("checkbox")).to_have_count(0)
    assert site.run(IN_PROJECT).strip() == "3"
    toast(page).get_by_role("button", name="Undo").click()
    expect(toast(page)).to_contain_text("Undone.")
    assert site.run(IN_PROJECT).strip() == "0"
    assert page.url.endswith("/chat/")


def test_many_chats_are_deleted_and_restored_by_keyboard(page: Page) -> None:
    select_button = page.get_by_role("button", name="Select", exact=True)
    select_button.focus()
    page.keyboard.press("Enter")
    first = page.get_by_role("checkbox", name="Chat 0")
    expect(first).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("checkbox", name="Chat 1")).to_be_focused()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Delete", exact=True).press("Enter")
    expect(toast(page)).to_contain_text("2 chats deleted.")
    expect(entry(page, "Chat 0")).to_have_count(0)
    toast(page).get_by_role("button", name="Undo").press("Enter")
    expect(entry(page, "Chat 0")).to_have_count(1)


def test_escape_ends_selecting_and_chats_open_again(page: Page) -> None:
    bar = select(page)
    entry(page, "Chat 0").get_by_role("link").click()
    page.keyboard.press("Escape")
    expect(bar).to_be_hidden()
    expect(page.get_by_role("button", name="Select", exact=True)).to_be_focused()
    entry(page, "Chat 0").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Chat 0")


def test_the_list_is_filtered_by_a_tag_given_from_the_menu(page: Page) -> None:
    press(page, "Chat 2", "Tags…")
    dialog = page.get_by_role("dialog", name="Tags")
    expect(dialog.get_by_role("textbox", name="New tag")).to_be_focused()
    page.keyboard.type("work")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("already have a tag")
    dialog.get_by_role("textbox", name="New tag").fill("")
    dialog.get_by_role("checkbox", name="Work").check()
    dialog.get_by_role("button", name="Save").click()
    expect(toast(page)).to_contain_text("Tags saved.")
    expect(entry(page, "Chat 2").get_by_role("link", name="Chat 2 Tags: Work")).to_be_focused()
    page.get_by_role("button", name="Tags", exact=True).click()
    page.get_by_role("dialog").get_by_role("link", name="Work").click()
    expect(page.locator(".entry")).to_have_count(1)
    entry(page, "Chat 2").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Chat 2")
    expect(page.locator(".entry")).to_have_count(1)  # on the next page, too
    page.get_by_role("link", name="Show all chats").click()
    expect(page.locator(".entry")).to_have_count(6)
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("combobox").fill("tag:work")
    expect(page.get_by_role("option", name="Chat 2")).to_be_visible()


@pytest.mark.parametrize(
    ("target", "words"), [("Rivers", "Moved to “Rivers”."), ("Work", "Tagged “Work”.")]
)
def test_a_chat_is_dragged_to_a_project_or_a_tag(page: Page, target: str, words: str) -> None:
    move_to(page, entry(page, "Chat 3").get_by_role("link"))
    page.mouse.down()
    move_to(page, entry(page, "Chat 4").get_by_role("link"))
    button = page.locator("#drop-targets").get_by_role("button", name=target)
    expect(button).to_be_visible()
    page.wait_for_function(APPEARED)
    move_to(page, button)
    move_to(page, button)
    expect(button).to_have_attribute("data-over", "")
    page.mouse.up()
    expect(toast(page)).to_contain_text(words)
    expect(page.locator("#drop-targets")).to_be_hidden()


def test_a_chat_starts_in_a_project(page: Page, site: LiveSite) -> None:
    page.get_by_role("link", name="Projects", exact=True).click()
    page.get_by_role("link", name="Rivers", exact=True).click()
    page.get_by_role("link", name="New chat in this project").click()
    chat = ChatPage(page)
    chat.ask("Of water.")
    assert site.run(IN_PROJECT).strip() == "1"
    page.reload()
    head = page.locator("#chat-head")
    for name in ("No project", "Rivers"):
        page.get_by_role("button", name="Chat options").click()
        page.locator("#chat-menu").get_by_text("Move to project…").click()
        page.get_by_role("dialog").get_by_role("button", name=name).click()
        expect(head.get_by_role("link", name="Rivers")).to_have_count(int(name == "Rivers"))
    head.get_by_role("link", name="Rivers").click()
    expect(page.get_by_role("listitem").filter(has_text="Of water")).to_be_visible()


@pytest.mark.parametrize("colours", COLOURS)
def test_all_of_it_is_accessible(
    open_chat: Callable[..., ChatPage], site: LiveSite, orla: StorageState, colours: dict[str, str]
) -> None:
    site.run(MAKE)
    site.run(TAGGED)
    page = open_chat(storage_state=orla, **colours, **BARE).page
    tags = entry(page, "Chat 5").get_by_role("img", name="Tags: One, Three, Two, Work")
    expect(tags).to_contain_text("+2")
    tags.hover()
    expect(page.locator(".tooltip")).to_have_text("Tags: One, Three, Two, Work")
    assert axe(page) == []
    bar = select(page)
    page.get_by_role("checkbox", name="Chat 1").check()
    assert axe(page) == []
    bar.get_by_role("button", name="Add tag…").click()
    expect(page.get_by_role("dialog", name="Add tag")).to_be_visible()
    assert axe(page) == []
    for path in ("/projects/", "/projects/archive/", "/projects/new/", "/tags/"):
        page.goto(path)
        assert axe(page) == []
    page.goto("/projects/")
    page.get_by_role("link", name="Rivers", exact=True).click()
    assert axe(page) == []


def test_it_fits_a_phone(
    open_chat: Callable[..., ChatPage], site: LiveSite, orla: StorageState
) -> None:
    site.run(MAKE)
    site.run(TAGGED)
    page = open_chat(storage_state=orla, **PHONE).page
    page.get_by_role("button", name="Chats", exact=True).click()
    bar = select(page)
    entry(page, "Chat 1").get_by_role("link").click()
    bar.get_by_role("button", name="Add tag…").click()
    page.get_by_role("dialog").get_by_role("button", name="Work").click()
    expect(toast(page)).to_contain_text("Tagged “Work”.")
    for path in ("/projects/", "/projects/archive/", "/tags/", "/projects/new/"):
        page.goto(path)
        assert overflow(page) == 0
