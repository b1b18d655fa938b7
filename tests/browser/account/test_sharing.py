"""Share a chat as its owner, and read it as anyone with the link."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, StorageState, expect

from tests.browser import history
from tests.browser.chat_page import ChatPage
from tests.browser.conftest import PASSWORD, sign_in
from tests.browser.payloads import PAYLOADS
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe, tab_to
from tests.support.browser.layout import PHONE, overflow, too_small
from tests.support.browser.markdown_safety import LISTEN, PRESS_EVERYTHING
from tests.support.variants import later

START = "/chat/"
EMAIL = "shirin@example.org"
LINK = """
from chat.conversations.models import Conversation
from chat.sharing.links import Choices, make
print(make(Conversation.objects.get(pk={pk!r}), Choices(with_models=True)).token)
"""
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft " * 2
MARKDOWN = (
    f"**Wet**, and {LONG}\n\n- one\n- two\n\n```python\nprint('water')\n```\n\n|a|b|\n|-|-|\n|1|2|"
)


@pytest.fixture(scope="module")
def shirin(site: LiveSite) -> StorageState:
    return sign_in(site, EMAIL)


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], shirin: StorageState) -> ChatPage:
    return open_chat(storage_state=shirin)


@pytest.fixture
def share(site: LiveSite, shirin: StorageState, tmp_path: Path) -> Callable[[list[str]], str]:
    """Return the path of a link to a chat with these answers."""

    def share(answers: list[str]) -> str:
        path = history.conversation(site, tmp_path, EMAIL, answers)
        return f"/s/{site.run(LINK.format(pk=path.split('/')[2]))}/"

    return share


def dialog_of(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Share chat")


def open_dialog(page: Page, title: str) -> Locator:
    entry = page.get_by_role("listitem").filter(
        has=page.get_by_role("link", name=title, exact=True)
    )
    entry.hover()
    entry.get_by_role("button").click()
    page.get_by_role("link", name="Share…").click()
    expect(dialog_of(page)).to_be_visible()
    return dialog_of(page)


def path_in(dialog: Locator, site: LiveSite) -> str:
    return dialog.get_by_label("Link address").first.input_value().removeprefix(site.url)


@pytest.mark.quick
def test_a_chat_is_shared_read_and_revoked(
    site: LiveSite, chat: ChatPage, open_page: Callable[..., Page]
) -> None:
    chat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    chat.ask("/markdown")
    dialog = open_dialog(chat.page, "/markdown")
    expect(dialog).to_contain_text("the chat title: /markdown")
    expect(dialog).to_contain_text("your question and its answer as they are now")
    dialog.get_by_label("Model names").check()
    dialog.get_by_role("button", name="Create link").click()
    expect(dialog.get_by_text("Link created.")).to_be_focused()
    dialog.get_by_role("button", name="Copy").click()
    expect(dialog.get_by_text("Copied.")).to_be_visible()
    expect(
        dialog.get_by_text("Copied.")
    ).to_be_hidden()  # the next one would be seen and read again
    path = path_in(dialog, site)
    assert chat.page.evaluate("navigator.clipboard.readText()") == site.url + path

    reader = open_page(path)
    expect(reader).to_have_title("Shared chat – /markdown")
    expect(reader.get_by_role("heading", level=1)).to_have_text("/markdown")
    expect(reader.locator(".message-text.formatted").first).to_be_visible()
    expect(reader.locator(".hljs-keyword").first).to_be_attached()
    expect(reader.locator("math").first).to_be_attached()
    reader.get_by_role("button", name="Copy").first.click()
    reader.get_by_text("Copied.").or_(reader.get_by_text("blocked copying")).wait_for()
    assert reader.context.cookies() == []

    dialog.get_by_role("link", name="Close").click()
    chat.ask("Nobody else sees this.")
    reader.reload()
    expect(reader.get_by_text("Nobody else sees this.")).to_have_count(0)
    dialog = open_dialog(chat.page, "/markdown")
    expect(dialog).to_contain_text("Opened 2 times.")
    dialog.get_by_role("button", name="Update").click()
    expect(dialog.get_by_text("The link shows the chat as it is now.")).to_be_focused()
    expect(dialog.get_by_label("Link address")).to_have_count(1)
    reader.reload()
    expect(reader.get_by_text("Nobody else sees this.").first).to_be_visible()

    dialog.get_by_role("button", name="Revoke").click()
    expect(dialog.get_by_text("Link revoked.")).to_be_focused()
    expect(dialog.get_by_label("Link address")).to_have_count(0)
    answer = reader.reload()
    assert answer
    assert answer.status == 404
    expect(reader.get_by_role("heading", level=1)).to_have_text("Page not found")


def test_sharing_works_by_keyboard(chat: ChatPage) -> None:
    chat.ask("By keyboard.")
    press = chat.page.keyboard.press
    press("Control+k")
    chat.page.keyboard.type("share chat")
    expect(chat.page.get_by_role("option", name="Share chat…")).to_be_visible()
    press("Enter")
    dialog = dialog_of(chat.page)
    expect(dialog.get_by_role("heading", name="Share chat")).to_be_focused()
    tab_to(chat.page, dialog.get_by_label("Reasoning"))
    press("Space")
    tab_to(chat.page, dialog.get_by_label("Link expires after"))
    press("Home")
    tab_to(chat.page, dialog.get_by_role("button", name="Create link"))
    press("Enter")
    expect(dialog.get_by_text("Link created.")).to_be_focused()
    expect(dialog).to_contain_text("Shows reasoning.")
    expect(dialog).to_contain_text("Expires on")
    tab_to(chat.page, dialog.get_by_role("button", name="Copy"))
    press("Escape")
    expect(dialog).to_be_hidden()
    expect(chat.composer).to_be_focused()


def test_a_new_or_temporary_chat_cannot_be_shared(
    open_page: Callable[..., Page], shirin: StorageState
) -> None:
    for path in ("/chat/", "/chat/temporary/"):
        page = ChatPage(open_page(path, storage_state=shirin)).page
        page.keyboard.press("Control+k")
        page.get_by_role("option", name="Settings").wait_for()
        expect(page.get_by_role("option", name="Share chat…")).to_have_count(0)


def test_all_links_are_listed_on_one_page(
    site: LiveSite, open_page: Callable[..., Page], share: Callable[[list[str]], str]
) -> None:
    path = share(["Water is wet."])
    storage = sign_in(site, "links@example.org")
    page = open_page("/chat/", storage_state=storage)
    page.get_by_role("button", name="Account").click()
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Chats and data").click()
    page.get_by_role("link", name="Shared links").click()
    expect(page.get_by_text("No shared links yet.")).to_be_visible()
    expect(page.locator(f"input[value$='{path}']")).to_have_count(0)


def test_a_member_continues_a_shared_chat(
    site: LiveSite, open_page: Callable[..., Page], share: Callable[[list[str]], str]
) -> None:
    site.make_member("kim-reads@example.org", PASSWORD)
    page = open_page(share(["Water is **wet**."]))
    page.get_by_role("link", name="Sign in to continue from here").click()
    page.get_by_label("Email").fill("kim-reads@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Continue from here")
    page.get_by_role("button", name="Copy and continue").click()
    page.wait_for_url("**/chat/*-*/")
    chat = ChatPage(page)
    expect(chat.last_text).to_have_text("Water is wet.")
    expect(chat.outcome).to_be_hidden()
    chat.ask("And ice?")
    page.reload()
    expect(chat.questions).to_have_count(2)
    expect(chat.answers).to_have_count(2)


def test_reading_sharing_and_revoking_work_without_scripts(
    site: LiveSite, open_page: Callable[..., Page], shirin: StorageState, tmp_path: Path
) -> None:
    path = history.conversation(site, tmp_path, EMAIL, ["Water is **wet**."])
    page = open_page(f"{path}sharing/", storage_state=shirin, java_script_enabled=False)
    page.get_by_label("Link expires after").select_option("No expiration")
    page.get_by_role("button", name="Create link").click()
    expect(page.get_by_text("Link created.")).to_be_visible()
    expect(page.get_by_text("Never expires.")).to_be_visible()
    address = page.get_by_label("Link address").input_value()
    reader = open_page(address.removeprefix(site.url), java_script_enabled=False)
    expect(reader.locator(".answer > .message-text")).to_have_text("Water is **wet**.")
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("Link revoked.")).to_be_visible()
    answer = reader.reload()
    assert answer
    assert answer.status == 404


@pytest.mark.parametrize("options", [{}, BARE], ids=["with the policy", "without any policy"])
def test_hostile_text_in_a_shared_chat_is_shown_as_text(
    open_page: Callable[..., Page], share: Callable[[list[str]], str], options: dict[str, Any]
) -> None:
    answers = ["\n\n".join(PAYLOADS[at : at + 20]) for at in range(0, len(PAYLOADS), 20)]
    path = share(answers)
    page = open_page("/healthz", **options)
    page.add_init_script(f"({LISTEN})()")
    foreign: list[str] = []
    page.on("request", lambda request: foreign.append(request.url))
    page.goto(path)
    home = page.url.removesuffix(path)
    formatted = page.locator(".answer > .message-text.formatted")
    expect(formatted.first).to_be_visible()  # from then on the page listens
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(formatted).to_have_count(len(answers))
    page.evaluate(PRESS_EVERYTHING)
    page.wait_for_timeout(300)
    assert page.evaluate("window.attacks") == []
    expect(page).to_have_title("Shared chat – Question 0")
    assert [u for u in foreign if not u.startswith((f"{home}/static/", f"{home}{path}"))] == []


def test_printing_leaves_out_the_controls(
    open_page: Callable[..., Page], share: Callable[[list[str]], str]
) -> None:
    page = open_page(share(["Water is **wet**."]), color_scheme="dark")
    expect(page.locator(".message-text.formatted")).to_have_count(1)
    page.emulate_media(media="print")
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("link")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize(
    ("theme", "language"),
    [("dark", "ar"), ("light", "en"), *later(("dark", "en"), ("light", "ar"))],
)
def test_every_sharing_page_fits_and_is_accessible(
    open_page: Callable[..., Page],
    share: Callable[[list[str]], str],
    shirin: StorageState,
    site: LiveSite,
    theme: str,
    language: str,
) -> None:
    path = share([MARKDOWN, "Second."])
    options: dict[str, Any] = {"color_scheme": theme, "locale": language} | BARE
    reader = open_page(path, **options)
    expect(reader.locator(".message-text.formatted").first).to_be_visible()
    owner = open_page("/shared/", storage_state=shirin, **options)
    mine = owner.locator(".shared-link-title").first.get_attribute("href")
    letter = open_page(f"{mine}sharing/", storage_state=shirin, **options)
    asked = open_page(f"{path}continuation/", storage_state=shirin, **options)
    for page in (reader, owner, letter, asked):
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 700})
            assert overflow(page) <= 0, page.url
        assert axe(page) == [], page.url


def test_sharing_works_by_touch(
    open_page: Callable[..., Page], share: Callable[[list[str]], str], shirin: StorageState
) -> None:
    path = share([MARKDOWN])
    for place in (path, f"{path}continuation/", "/shared/"):
        page = open_page(place, storage_state=shirin, **PHONE)
        page.wait_for_load_state("networkidle")
        assert too_small(page) == [], place
    page = ChatPage(open_page("/chat/", storage_state=shirin, **PHONE)).page
    page.get_by_role("button", name="Chats", exact=True).click()
    page.locator(".entry").first.get_by_role("button").click()
    page.get_by_role("link", name="Share…").click()
    expect(dialog_of(page)).to_be_visible()
    small = [each for each in too_small(page) if 'type="checkbox"' not in each]  # the label counts
    assert [each for each in small if "sharing" in each or "id_" in each] == []
    assert overflow(page) <= 0
