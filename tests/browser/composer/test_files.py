"""Text files that are dropped, pasted or chosen are attached to the message."""

import json
import re
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.firefox import needs_request_bodies
from tests.support.browser.accessibility import BARE, COLOURS, axe
from tests.support.browser.layout import APPEARED, PHONE, overflow
from tests.support.documents.samples import docx, pdf

NOTES = {"name": "notes.csv", "type": "text/csv", "text": "river,km\r\nNile,6650\r\n"}
BLOCK = "notes.csv:\n```csv\nriver,km\nNile,6650\n```\n"
GIVE = """([kind, target, files]) => {
  const dataTransfer = new DataTransfer();
  const bytes = (base64) => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
  for (const { name, type, text, base64, length } of files) {
    const content = text ?? (base64 ? bytes(base64) : new Uint8Array(length));
    dataTransfer.items.add(new File([content], name, { type }));
  }
  const how = { bubbles: true, cancelable: true };
  const event = kind === "paste"
    ? Object.assign(new Event("paste", how), { clipboardData: dataTransfer })
    : new DragEvent(kind, { ...how, dataTransfer });
  return !document.querySelector(target).dispatchEvent(event);
}"""


def give(chat: ChatPage, kind: str, *files: dict[str, Any], target: str = "#message") -> bool:
    """Return whether the page accepted the files; otherwise the browser handles them."""
    taken: bool = chat.page.evaluate(GIVE, [kind, target, list(files)])
    return taken


def encoded(content: bytes) -> str:
    return b64encode(content).decode()


def chips(chat: ChatPage) -> Locator:
    return chat.page.locator("#composer .attachment")


@pytest.mark.quick
def test_a_dropped_file_becomes_a_chip_and_is_folded_in_the_question(chat: ChatPage) -> None:
    chat.composer.fill("Look at this, please.")
    assert give(chat, "dragover", NOTES)
    expect(chat.page.locator("#composer")).to_have_attribute("data-dropping", "")
    assert give(chat, "drop", NOTES)
    expect(chips(chat)).to_have_text(re.compile(r"CSV\s*notes\.csv\s*0\.1 kB"))
    expect(chat.composer).to_have_value("Look at this, please.")
    expect(chat.composer).to_be_focused()
    expect(chat.page.locator("#composer[data-dropping]")).to_have_count(0)
    with chat.page.expect_request("**/chat/stream") as sent:
        chat.page.keyboard.press("Enter")
    expect(chips(chat)).to_have_count(0)
    expect(chat.questions.locator("> .message-text")).to_have_text("Look at this, please.")
    file = chat.questions.locator("details")
    expect(file.locator("pre")).to_have_count(0)
    file.locator("summary").click()
    expect(file.locator("pre")).to_have_text("river,km\nNile,6650\n")
    chat.wait_for_end()
    needs_request_bodies(chat.page)
    body = json.loads(sent.value.post_data or "")
    assert body["messages"][-1]["content"] == f"Look at this, please.\n{BLOCK}"


@pytest.mark.quick
def test_documents_are_read_and_asked_about(chat: ChatPage) -> None:
    chat.composer.fill("What does it say?")
    report = {"name": "report.pdf", "type": "application/pdf", "base64": encoded(pdf("The lake"))}
    letter = {"name": "letter.docx", "type": "", "base64": encoded(docx("A letter"))}
    assert give(chat, "drop", report, *[letter] * 5)  # more than may wait at once
    expect(chips(chat).get_by_role("button")).to_have_count(6)  # all are read
    expect(chips(chat).filter(has_text="report.pdf")).to_contain_text("PDF")
    with chat.page.expect_request("**/chat/stream") as sent:
        chat.page.keyboard.press("Enter")
    chat.wait_for_end()
    needs_request_bodies(chat.page)
    content = json.loads(sent.value.post_data or "")["messages"][-1]["content"]
    assert "report.pdf:\n```pdf\n[Page 1]\nThe lake\n```\n" in content
    assert "letter.docx:\n```docx\nA letter\n```" in content
    chat.questions.locator("summary").filter(has_text="report.pdf").click()
    expect(chat.questions.locator("pre")).to_have_text("[Page 1]\nThe lake\n")


def test_a_question_waits_for_its_document(chat: ChatPage) -> None:
    chat.page.route("**/chat/documents/**", lambda _route: None)
    chat.composer.fill("What does it say?")
    assert give(chat, "drop", {"name": "a.pdf", "type": "", "base64": encoded(pdf("The lake"))})
    expect(chips(chat)).to_have_text("Reading a.pdf…")
    chat.page.keyboard.press("Enter")
    expect(chat.hint).to_have_text("A file is still being added.")
    expect(chat.composer).to_have_value("What does it say?")


def test_a_file_dropped_beside_the_box_does_not_replace_the_page(chat: ChatPage) -> None:
    assert give(chat, "drop", NOTES, NOTES | {"name": "more.csv"}, target="#thread")
    expect(chips(chat)).to_have_count(2)


def test_a_long_pasted_text_becomes_a_file(chat: ChatPage) -> None:
    chat.composer.fill("Sum this up: ")
    paste = """(text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      const event = Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData });
      return !document.querySelector("#message").dispatchEvent(event);
    }"""
    assert not chat.page.evaluate(paste, "A short text")
    assert chat.page.evaluate(paste, "All rivers run.\n" * 300)
    expect(chips(chat)).to_have_text(re.compile(r"TXT\s*Pasted text\.txt\s*4\.7 kB"))
    expect(chat.composer).to_have_value("Sum this up: ")
    expect(chat.composer).to_be_focused()


def test_a_pasted_file_is_read_and_pasted_text_is_unchanged(chat: ChatPage) -> None:
    assert give(chat, "paste", NOTES)
    expect(chips(chat)).to_have_count(1)
    assert not give(chat, "paste")


def test_a_file_is_removed_and_the_others_stay(chat: ChatPage) -> None:
    assert give(chat, "drop", NOTES, NOTES | {"name": "more.csv"})
    chat.page.get_by_role("button", name="Remove notes.csv").click()
    expect(chips(chat)).to_have_count(1)
    expect(chat.page.get_by_role("button", name="Remove more.csv")).to_be_focused()
    chat.page.keyboard.press("Enter")
    expect(chips(chat)).to_have_count(0)
    expect(chat.send_button).to_have_attribute("aria-disabled", "true")


def test_files_survive_a_reload_and_an_edit(chat: ChatPage) -> None:
    assert give(chat, "drop", NOTES)
    expect(chips(chat)).to_have_count(1)
    chat.page.reload()
    chat.page.locator("#message[enterkeyhint]").wait_for()
    expect(chips(chat)).to_have_count(1)
    chat.composer.press("Enter")  # without a word
    chat.wait_for_end()
    expect(chat.questions.locator("> .message-text")).to_be_hidden()
    chat.questions.hover()
    chat.questions.get_by_role("button", name="Edit question").click()
    editor = chat.page.locator(".editor")
    expect(editor.locator(".attachment")).to_have_count(1)
    expect(editor.locator("textarea")).to_be_focused()
    chat.page.keyboard.type("What is longest?")
    chat.page.keyboard.press("Enter")
    chat.wait_for_end()
    expect(chat.questions.locator("> .message-text")).to_have_text("What is longest?")
    expect(chat.questions.locator("details")).to_have_count(1)


def test_a_stored_question_keeps_its_files_and_its_title(
    open_page: Callable[..., Page], signed_in: StorageState
) -> None:
    chat = ChatPage(open_page("/chat/", storage_state=signed_in))
    assert give(chat, "drop", NOTES)
    chat.composer.fill("Which river is longest?")
    chat.composer.press("Enter")
    chat.wait_for_end()
    expect(chat.page).to_have_title("Which river is longest? – Runnel")
    for scripts in (True, False):
        page = open_page(chat.page.url, storage_state=signed_in, java_script_enabled=scripts)
        question = page.locator(".question")
        expect(question.locator("> .message-text")).to_have_text("Which river is longest?")
        question.locator("summary").click()
        expect(question.locator("pre")).to_contain_text("Nile,6650")


def test_a_long_question_is_folded(open_page: Callable[..., Page], signed_in: StorageState) -> None:
    chat = ChatPage(open_page("/chat/", storage_state=signed_in))
    chat.composer.fill("A line of a long question.\n" * 40)
    chat.composer.press("Enter")
    chat.wait_for_end()
    page = chat.page
    for _ in range(2):
        text = page.locator(".question > .message-text")
        box = text.bounding_box()
        assert box
        assert box["height"] < 400
        more = page.locator(".question").get_by_role("button", name="Show more")
        more.click()
        box = text.bounding_box()
        assert box
        assert box["height"] > 800
        page.get_by_role("button", name="Show less").click()
        page.reload()


def test_a_long_question_is_unfolded_above_its_files(chat: ChatPage) -> None:
    give(chat, "drop", NOTES)
    chat.send("A line of a long question.\n" * 40)
    question = chat.questions.last
    more = question.get_by_role("button", name="Show more").bounding_box()
    file = question.locator(".attachment").bounding_box()
    assert more
    assert file
    assert more["y"] + more["height"] <= file["y"]


@pytest.mark.parametrize("colours", COLOURS)
def test_chips_are_accessible_and_fit(
    open_chat: Callable[..., ChatPage], colours: dict[str, str]
) -> None:
    chat = open_chat(**colours, **BARE, viewport={"width": 320, "height": 700})
    assert give(chat, "drop", NOTES, NOTES | {"name": f"{'long' * 30}.csv"})
    expect(chips(chat)).to_have_count(2)
    assert overflow(chat.page) <= 0
    assert axe(chat.page) == []
    chat.send_button.click()
    chat.wait_for_end()
    chat.questions.locator("summary").first.click()
    assert overflow(chat.page) <= 0
    chat.page.evaluate(APPEARED)
    assert axe(chat.page) == []


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (
            {"name": "river.png", "type": "image/png", "length": 9},
            "river.png isn't an image that can be read.",
        ),
        (
            {"name": "map.pdf", "type": "application/pdf", "length": 9},
            "map.pdf: Files of this kind can't be read here. Use a PDF, Word, Excel, PowerPoint or "
            "OpenDocument file, an email, an e-book (EPUB) or text.",
        ),
        (
            {"name": "scan.pdf", "type": "application/pdf", "base64": encoded(pdf("", ""))},
            "scan.pdf: There's no text in this file. If it was scanned, add pictures of its pages.",
        ),
        (
            {"name": "long.log", "type": "", "length": 21 * 1024 * 1024},
            "long.log is too large. The limit is 20,480 kB.",
        ),
    ],
)
def test_an_unreadable_file_shows_an_error_and_keeps_the_text(
    chat: ChatPage, file: dict[str, Any], words: str
) -> None:
    chat.composer.fill("What is this?")
    assert give(chat, "drop", file, NOTES)
    expect(chat.hint).to_have_text(words)
    expect(chat.composer).to_have_value("What is this?")
    expect(chips(chat)).to_have_count(1)


def test_a_file_can_be_chosen_on_a_phone(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat(**PHONE)
    with chat.page.expect_file_chooser() as chooser:
        chat.page.get_by_role("button", name="Add a file or image").tap()
    file: Any = {"name": "a.py", "mimeType": "text/x-python", "buffer": b"print(1)\n"}
    for count in (1, 2):  # the same one again is no other
        chooser.value.set_files(file)
        expect(chips(chat)).to_have_count(count)
