"""Send a question and get an answer."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat_page import UNTIL_STOPPED, ChatPage


@pytest.mark.quick
def test_a_new_person_signs_up_asks_and_reads_an_answer(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    page.get_by_role("link", name="Create one").click()
    page.get_by_label("Email").fill("dora@example.org")
    page.get_by_label("Password", exact=True).fill("a reading room")
    page.get_by_label("Password (again)").fill("a reading room")
    page.get_by_role("button", name="Create account").click()
    chat = ChatPage(page)
    expect(page.get_by_text("What can I help with?")).to_be_visible()
    assert "emulator" in chat.ask("Why do rivers bend?")
    assert re.search(r"Llama 3\.3 70B.*\d+ tokens.*Neurons", chat.read_details(), re.DOTALL)


@pytest.mark.firefox
@pytest.mark.quick
def test_an_answer_grows_while_it_streams(chat: ChatPage) -> None:
    chat.page.evaluate(
        """() => {
          window.lengths = new Set();
          new MutationObserver(() => {
            const words = document.querySelector(".answer > .message-text");
            if (words) window.lengths.add(words.textContent.length);
          }).observe(document.getElementById("thread"), {
            childList: true, characterData: true, subtree: true,
          });
        }"""
    )
    chat.send(UNTIL_STOPPED)
    chat.page.wait_for_function("() => window.lengths.size >= 5")
    expect(chat.stop_button).to_be_visible()  # it is not over yet
    chat.press_stop()


def test_the_button_changes_from_send_to_stop_and_back(chat: ChatPage) -> None:
    expect(chat.send_button).to_have_attribute("aria-disabled", "true")
    chat.composer.fill(UNTIL_STOPPED)
    expect(chat.send_button).to_have_attribute("aria-disabled", "false")
    chat.send_button.click()
    expect(chat.stop_button).to_be_visible()
    expect(chat.composer).to_be_focused()
    chat.wait_for_text()
    chat.press_stop()
    expect(chat.outcome).to_contain_text("Stopped. The partial answer was saved.")
    expect(chat.send_button).to_be_visible()
    assert len(chat.last_text.text_content() or "") >= 20


def test_a_double_click_on_send_does_not_stop_the_answer(chat: ChatPage) -> None:
    chat.composer.fill("Why do rivers bend?")
    chat.send_button.dblclick()
    chat.wait_for_end()
    expect(chat.outcome).to_be_hidden()


def test_an_answer_can_be_stopped_before_its_first_word(chat: ChatPage) -> None:
    chat.send("/stall 0")
    expect(chat.last_answer).to_contain_text("Waiting for Llama 3.3 70B…")
    chat.press_stop()
    expect(chat.outcome).to_contain_text("Stopped before the answer started.")


def test_a_long_wait_shows_the_seconds(chat: ChatPage) -> None:
    chat.send("/stall 0")
    expect(chat.last_answer).to_contain_text(re.compile(r"Waiting for Llama 3\.3 70B… \d s"))
    chat.press_stop()


def test_the_conversation_so_far_is_sent(chat: ChatPage) -> None:
    chat.ask("One.")
    assert re.search(r"3\s+messages", chat.ask("Two.").replace("*", ""))


def test_the_chosen_model_answers_and_is_named(chat: ChatPage) -> None:
    chat.choose_model("Llama 3.1 8B")
    chat.ask("Hello")
    assert "Llama 3.1 8B" in chat.read_details()


def test_a_starter_is_sent_with_one_click(chat: ChatPage) -> None:
    chat.page.get_by_role("button", name="Explain something").click()
    expect(chat.questions).to_have_text(re.compile("Explain how tides work"))
    chat.wait_for_end()


def test_reasoning_is_collapsed_and_shows_its_duration(chat: ChatPage) -> None:
    chat.send("/think 4000")
    summary = chat.last_answer.locator("summary")
    expect(summary).to_contain_text("Thinking…")
    chat.press_stop()
    expect(summary).to_contain_text(re.compile(r"Thought for \d+ s"))
    thoughts = chat.last_answer.locator(".reasoning > .message-text")
    expect(thoughts).to_be_hidden()
    chat.page.emulate_media(media="print")
    expect(summary).to_be_hidden()
    chat.page.emulate_media(media="screen")
    summary.click()
    expect(thoughts).to_be_visible()
    chat.page.emulate_media(media="print")
    expect(thoughts).to_be_visible()


def test_an_empty_answer_says_so(chat: ChatPage) -> None:
    chat.ask("/empty")
    expect(chat.outcome).to_contain_text("an empty answer")


@pytest.mark.quick
def test_an_interrupted_answer_says_so_and_can_be_retried(chat: ChatPage) -> None:
    chat.ask("/cut 12")
    expect(chat.outcome).to_contain_text("was interrupted")
    chat.page.get_by_role("button", name="Try again").click()
    chat.wait_for_end()
    expect(chat.questions).to_have_count(1)
    expect(chat.outcome).to_contain_text("was interrupted")


def test_answers_are_shown_in_order(chat: ChatPage) -> None:
    chat.ask("One.")
    chat.ask("Two.")
    expect(chat.questions).to_have_count(2)
    expect(chat.answers).to_have_count(2)


def test_starting_a_new_chat_stops_a_running_temporary_answer(chat: ChatPage) -> None:
    chat.start_answer()
    with chat.page.expect_request("**/cancellation"):
        chat.page.get_by_role("button", name="Start over").click()
    expect(chat.questions).to_have_count(0)
    expect(chat.page.locator(".welcome")).to_be_visible()
    assert re.search(r"one\s+message|1\s+message", chat.ask("Again.").replace("*", ""))


def test_question_and_answer_can_be_copied(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat(permissions=["clipboard-read", "clipboard-write"])
    assert "|" not in chat.ask("/help")
    chat.page.get_by_role("button", name="Copy answer").click()
    expect(chat.hint).to_have_text("Copied.")
    copied = chat.page.evaluate("navigator.clipboard.readText()")
    assert "\n\n| Message | What happens |\n" in copied  # as it was written
    chat.page.get_by_role("button", name="Copy question").click()
    chat.page.wait_for_function("async () => (await navigator.clipboard.readText()) === '/help'")


def test_omitted_messages_fallbacks_and_cuts_are_explained(chat: ChatPage) -> None:
    frames = [
        {"response": "", "omitted_messages": 4},
        {"response": "", "model": "@cf/meta/llama-3.1-8b-instruct-fp8", "instead_of": "@cf/x/gone"},
        {"response": "As far as it goes"},
        {"response": "", "state": "complete", "length": 17, "finish_reason": "length"},
    ]
    data = [json.dumps(each) for each in frames] + ["[DONE]"]
    body = "".join(f"id: {n}\ndata: {each}\n\n" for n, each in enumerate(data, start=1))
    headers = {"Content-Type": "text/event-stream", "X-Generation-Id": "g1"}
    chat.page.route("**/chat/stream", lambda route: route.fulfill(body=body, headers=headers))
    assert chat.ask("Tell me everything.") == "As far as it goes"
    expect(chat.last_answer).to_contain_text("4 older messages were left out")
    expect(chat.last_answer).to_contain_text(
        "gone isn't available. Llama 3.1 8B is answering instead."
    )
    expect(chat.outcome).to_contain_text("Reached the length limit")
    expect(chat.outcome.get_by_role("button")).to_have_count(0)
