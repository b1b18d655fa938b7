"""Text files that are dropped, pasted or chosen become part of the message."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.chat_page import ChatPage
from tests.support.browser.layout import PHONE

NOTES = {"name": "notes.csv", "type": "text/csv", "text": "river,km\r\nNile,6650\r\n"}
BLOCK = "notes.csv:\n```csv\nriver,km\nNile,6650\n```\n"
GIVE = """([kind, target, files]) => {
  const dataTransfer = new DataTransfer();
  for (const { name, type, text, length } of files) {
    dataTransfer.items.add(new File([text ?? new Uint8Array(length)], name, { type }));
  }
  const how = { bubbles: true, cancelable: true };
  const event = kind === "paste"
    ? new ClipboardEvent("paste", { ...how, clipboardData: dataTransfer })
    : new DragEvent(kind, { ...how, dataTransfer });
  return !document.querySelector(target).dispatchEvent(event);
}"""


def give(chat: ChatPage, kind: str, *files: dict[str, Any], target: str = "#message") -> bool:
    """Return whether the page accepted the files; otherwise the browser handles them."""
    taken: bool = chat.page.evaluate(GIVE, [kind, target, list(files)])
    return taken


@pytest.mark.quick
def test_a_dropped_file_is_inserted_at_the_caret_and_can_be_undone(chat: ChatPage) -> None:
    chat.composer.fill("Look at this, please.")
    for _ in range(len(", please.")):
        chat.page.keyboard.press("ArrowLeft")
    assert give(chat, "dragover", NOTES)
    expect(chat.page.locator("#composer")).to_have_attribute("data-dropping", "")
    assert give(chat, "drop", NOTES)
    expect(chat.composer).to_have_value(f"Look at this\n{BLOCK}, please.")
    expect(chat.composer).to_be_focused()
    expect(chat.page.locator("#composer[data-dropping]")).to_have_count(0)
    chat.page.keyboard.press("Control+z")
    expect(chat.composer).to_have_value("Look at this, please.")
    chat.page.keyboard.press("Control+Shift+z")
    chat.page.keyboard.press("Enter")
    expect(chat.questions).to_contain_text("Nile,6650")


def test_a_file_dropped_beside_the_box_does_not_replace_the_page(chat: ChatPage) -> None:
    assert give(chat, "drop", NOTES, NOTES | {"name": "more.csv"}, target="#thread")
    expect(chat.composer).to_have_value(BLOCK + BLOCK.replace("notes", "more"))


def test_a_pasted_file_is_read_and_pasted_text_is_unchanged(chat: ChatPage) -> None:
    assert give(chat, "paste", NOTES)
    expect(chat.composer).to_have_value(BLOCK)
    assert not give(chat, "paste")


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (
            {"name": "river.png", "type": "image/png", "length": 9},
            "Runnel can only read text files. Images aren't supported yet.",
        ),
        (
            {"name": "map.pdf", "type": "application/pdf", "length": 9},
            "map.pdf isn't a text file. Runnel can only read text files.",
        ),
        (
            {"name": "long.log", "type": "", "text": "All rivers run.\n" * 9000},
            "long.log is too large. The limit is 128 kB.",
        ),
    ],
)
def test_an_unreadable_file_shows_an_error_and_keeps_the_text(
    chat: ChatPage, file: dict[str, Any], words: str
) -> None:
    chat.composer.fill("What is this?")
    assert give(chat, "drop", file, NOTES)
    expect(chat.hint).to_have_text(words)
    expect(chat.composer).to_have_value(f"What is this?\n{BLOCK}")


def test_a_file_can_be_chosen_on_a_phone(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat(**PHONE)
    with chat.page.expect_file_chooser() as chooser:
        chat.page.get_by_role("button", name="Add a text file").tap()
    file: Any = {"name": "a.py", "mimeType": "text/x-python", "buffer": b"print(1)\n"}
    for count in (1, 2):  # the same one again is no other
        chooser.value.set_files(file)
        expect(chat.composer).to_have_value("a.py:\n```py\nprint(1)\n```\n" * count)
