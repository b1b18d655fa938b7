"""Everything of an ordinary day works by keyboard, with a visible focus."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.chat_page import UNTIL_STOPPED, ChatPage
from tests.support.browser.accessibility import tab_to

#: A visible focus: an outline of the control or its label; in text fields, a border or the caret.
IS_SEEN = """() => {
  const element = document.activeElement;
  if (element.matches("#message, #palette-field")) return true;
  return [element, element.closest("label")].filter(Boolean).some((each) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });
}"""


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def go_to(page: Page, target: Locator, key: str = "Tab") -> None:
    tab_to(page, target, key)
    assert page.evaluate(IS_SEEN), f"nobody sees that {target} has the focus"


def test_an_ordinary_day_works_by_keyboard(open_page: Callable[..., Page]) -> None:
    page = open_page("/accounts/signup/")
    button = lambda name: page.get_by_role("button", name=name, exact=True).last  # noqa: E731
    for label in ("Email", "Password", "Password (again)"):
        go_to(page, page.get_by_label(label, exact=True))
        page.keyboard.type("kai@example.org" if label == "Email" else "no mouse at all")
    press(page, "Enter")
    page.wait_for_url("**/chat/")
    chat = ChatPage(page)
    expect(chat.composer).to_be_focused()

    page.keyboard.type(UNTIL_STOPPED)
    press(page, "Enter")
    chat.wait_for_text()
    press(page, "Escape")  # stops, wherever the focus is
    expect(chat.outcome).to_contain_text("Stopped.")
    expect(chat.composer).to_be_focused()
    go_to(page, button("Try again"), "Shift+Tab")
    press(page, "Enter")
    chat.wait_for_text()
    press(page, "Escape")
    expect(chat.outcome).to_contain_text("Stopped.")
    stopped = chat.last_text.text_content() or ""
    go_to(page, button("Continue"), "Shift+Tab")
    press(page, "Enter")
    expect(chat.composer).to_be_focused()
    chat.wait_for_text(len(stopped) + 20)
    chat.wait_for_end()
    chat.ask("Why do rivers bend?")

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    go_to(page, button("Answer details"), "Shift+Tab")
    press(page, "Enter")
    expect(page.locator("#facts-card")).to_be_visible()
    press(page, "Escape")
    expect(page.locator("#facts-card")).to_be_hidden()
    expect(button("Answer details")).to_be_focused()
    go_to(page, button("Good answer"), "Shift+Tab")
    press(page, "Enter")
    expect(button("Good answer")).to_have_attribute("aria-pressed", "true")
    go_to(page, button("Copy answer"), "Shift+Tab")
    press(page, "Enter")
    expect(chat.hint).to_have_text("Copied.")
    go_to(page, button("Bad answer"))
    press(page, "Enter")
    expect(page.locator("#why-card").get_by_role("radio").first).to_be_focused()
    press(page, "Escape")
    expect(button("Bad answer")).to_be_focused()

    go_to(page, button("Model: Llama 3.3 70B"))
    press(page, "Enter")
    expect(page.get_by_role("radio", name="Llama 3.3 70B")).to_be_focused()
    press(page, "Escape")
    expect(button("Model: Llama 3.3 70B")).to_be_focused()

    press(page, "Control+k")
    expect(page.get_by_role("combobox", name="Search chats and commands")).to_be_focused()
    assert page.evaluate(IS_SEEN)
    press(page, "Escape")
    expect(button("Model: Llama 3.3 70B")).to_be_focused()

    go_to(page, button("Chats"), "Shift+Tab")
    press(page, "Enter")
    expect(page.get_by_role("navigation", name="Chat history")).to_be_hidden()
    press(page, "Enter")
    expect(page.get_by_role("navigation", name="Chat history")).to_be_visible()
    go_to(page, button(f"Rename {UNTIL_STOPPED}"))
    press(page, "Enter")
    page.keyboard.type("Rivers")
    press(page, "Enter")
    expect(button("Rename Rivers")).to_be_focused()
    go_to(page, button("Account kai@example.org"))
    press(page, "Enter")
    go_to(page, page.get_by_role("link", name="Settings"))
    press(page, "Enter")
    page.wait_for_url("**/settings/")
    go_to(page, page.get_by_role("radio", name="System"))
    go_to(page, page.get_by_role("link", name="Back to chat"), "Shift+Tab")
    press(page, "Enter")
    page.wait_for_url("**/chat/")
    expect(ChatPage(page).composer).to_be_focused()


#: Its id, or its number in the page.
FOCUSED = "document.activeElement.id || [...document.all].indexOf(document.activeElement)"


def test_nothing_traps_the_focus(chat: ChatPage) -> None:
    """Tab from the composer through the whole page and back to it."""
    chat.ask("Why do rivers bend?")
    chat.composer.focus()
    for key in ("Tab", "Shift+Tab"):
        seen = []
        for _ in range(200):
            chat.page.keyboard.press(key)
            seen.append(chat.page.evaluate(FOCUSED))
            if seen[-1] == "message":
                break
        assert seen[-1] == "message", seen
        assert len(set(seen)) == len(seen) > 8
