"""Code in answers can be numbered, wrapped and saved; footnotes lead to their text; CSV is a table."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.chat_page import ChatPage
from tests.browser.markdown_page import ask_for
from tests.support.browser.accessibility import BARE, COLOURS, axe

CLIPBOARD = ["clipboard-read", "clipboard-write"]
CODE = (
    "```py\ndef meander():\n    return '"
    + "water " * 40
    + "'\n\n\nmeander()\n```\n\nEnd.\n\nReally."
)
COPY_SELECTION = """async (element) => {
  getSelection().selectAllChildren(element);
  document.execCommand("copy");
  return navigator.clipboard.readText();
}"""

pytestmark = pytest.mark.long


def test_lines_are_numbered_and_the_numbers_are_not_copied(
    open_chat: Callable[..., ChatPage],
) -> None:
    chat = open_chat(permissions=CLIPBOARD)
    ask_for(chat, CODE)
    expect(chat.last_text.locator(".hljs-keyword").first).to_have_text("def")
    button = chat.last_text.get_by_role("button", name="Line numbers")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(chat.last_text.locator(".line-start")).to_have_count(5)
    copied = chat.last_text.locator("code").evaluate(COPY_SELECTION)
    assert copied.splitlines()[::4] == ["def meander():", "meander()"]
    button.click()
    expect(chat.last_text.locator(".code-block")).to_have_class("code-block")


def test_lines_that_are_too_long_can_be_wrapped(chat: ChatPage) -> None:
    ask_for(chat, CODE)
    is_wide = "pre => pre.scrollWidth > pre.clientWidth"
    pre = chat.last_text.locator("pre")
    assert pre.evaluate(is_wide)
    chat.last_text.get_by_role("button", name="Wrap lines").click()
    assert not pre.evaluate(is_wide)


def test_code_is_saved_under_a_name_that_fits_its_language(chat: ChatPage) -> None:
    ask_for(chat, CODE)
    with chat.page.expect_download() as saving:
        chat.last_text.get_by_role("button", name="Download code").click()
    assert saving.value.suggested_filename == "code.py"
    assert Path(saving.value.path()).read_text().endswith("meander()\n")


def test_csv_is_a_table_of_bounded_length_and_its_source_can_be_shown(
    open_chat: Callable[..., ChatPage],
) -> None:
    chat = open_chat(permissions=CLIPBOARD)
    ask_for(chat, "```csv\nRiver,km\n" + '"Rhine, upper",1233\n' * 300 + "```\n\nEnd.\n\nReally.")
    table = chat.last_text.get_by_role("table")
    expect(table.get_by_role("row")).to_have_count(201)
    expect(table.get_by_role("cell").first).to_have_text("Rhine, upper")
    expect(chat.last_text).to_contain_text("The first 200 rows of 300.")
    expect(chat.last_text.locator("pre")).to_be_hidden()
    chat.last_text.get_by_role("button", name="Source").click()
    expect(table).to_be_hidden()
    expect(chat.last_text.locator("pre")).to_contain_text('"Rhine, upper",1233')
    chat.last_text.get_by_role("button", name="Copy code").click()
    expect(chat.hint).to_have_text("Copied.")
    assert chat.page.evaluate("navigator.clipboard.readText()").startswith('River,km\n"Rhine')


def test_a_footnote_leads_to_its_text_and_back(chat: ChatPage) -> None:
    ask_for(
        chat,
        "Rivers[^1] bend.\n\n" + "Water.\n\n" * 40 + "<details>\n\n[^1]: Long ones.\n\n</details>",
    )
    address = chat.page.url
    chat.last_text.get_by_role("button", name="Footnote 1").click()
    expect(chat.last_text.get_by_role("note", name="Footnote 1")).to_be_focused()
    expect(chat.last_text.get_by_role("note")).to_be_in_viewport()
    chat.last_text.get_by_role("button", name="Back to the text").click()
    expect(chat.last_text.get_by_role("button", name="Footnote 1")).to_be_focused()
    assert chat.page.url == address


def test_a_section_stays_open_while_it_is_written(chat: ChatPage) -> None:
    opened = chat.page.evaluate(
        """async () => {
          const { Markdown } = await import("markdown");
          const box = document.createElement("div");
          document.getElementById("main").append(box);
          const markdown = new Markdown(box);
          const states = [];
          for (const piece of ["<details>\\n<summary>More</summary>\\n\\nOne ", "two\\n\\n", "three\\n\\n</details>\\n\\nEnd"]) {
            markdown.append(piece);
            const section = box.querySelector("details");
            states.push(section.open);
            section.open = true;
          }
          markdown.end();
          return [...states, box.querySelectorAll("details p").length];
        }"""
    )
    assert opened == [False, True, True, 2]


@pytest.mark.parametrize("colours", COLOURS)
def test_all_of_it_is_accessible(
    open_chat: Callable[..., ChatPage], colours: dict[str, str]
) -> None:
    chat = open_chat(**colours, **BARE)
    text = (
        CODE
        + "\n\nA[^1] $x$ <kbd>Esc</kbd>\n\n<details>\n<summary>S</summary>\n\nb\n\n</details>\n\n"
        "[^1]: Note\n\n```csv\na,b\n1,2\n```\n\nEnd.\n\nReally."
    )
    ask_for(chat, text)
    expect(chat.last_text.get_by_role("table")).to_be_visible()
    chat.last_text.get_by_role("button", name="Line numbers").first.click()
    assert axe(chat.page) == []
