"""Tasks around writing a message."""

from playwright.sync_api import expect

from tests.browser.chat_page import UNTIL_STOPPED
from tests.browser.everyday_tasks.walk import TaskList, Walk, asked, new_chat, send
from tests.support.widget.pictures import png

ASKING = TaskList()


@ASKING.task("Ask a question", new_chat)
def ask(walk: Walk) -> None:
    walk.chat.composer.fill("Why is the sky blue?")
    walk.click(walk.chat.send_button)
    walk.chat.wait_for_end()


@ASKING.task("Try a suggested question", new_chat)
def try_suggestion(walk: Walk) -> None:
    walk.click(walk.page.locator(".starter").first)
    walk.chat.wait_for_end()


@ASKING.task("Begin a new chat", asked("New chat after this"))
def begin(walk: Walk) -> None:
    walk.open_from_sidebar("New chat")
    expect(walk.chat.questions).to_have_count(0)


@ASKING.task("Begin a temporary chat", new_chat)
def begin_temporary(walk: Walk) -> None:
    walk.click(walk.page.get_by_role("link", name="Temporary chat"))
    walk.page.wait_for_url("**/chat/temporary/")


@ASKING.task("Attach a file", new_chat)
def attach(walk: Walk) -> None:
    file = walk.files / "notes.txt"
    file.write_text("The river is two metres deep.")
    walk.upload(walk.button("Add a file or image"), file)
    expect(walk.page.locator(".attachments")).to_contain_text("notes.txt")


@ASKING.task("Ask about an image, which the chosen model can't read", new_chat)
def ask_about_image(walk: Walk) -> None:
    file = walk.files / "river.png"
    file.write_bytes(png(64, 48))
    walk.upload(walk.button("Add a file or image"), file)
    walk.click(walk.button("Use Llama 4 Scout"))
    walk.chat.composer.fill("What is this?")
    walk.click(walk.chat.send_button)
    walk.chat.wait_for_end()
    expect(walk.chat.last_answer).to_contain_text("PNG, 64 × 48 pixels")


@ASKING.task("Choose another model", new_chat)
def choose_model(walk: Walk) -> None:
    walk.click(walk.page.locator("#open-models"))
    walk.click(walk.page.locator("#model-menu").get_by_text("Llama 4 Scout", exact=True))
    expect(walk.page.locator("#open-models")).to_contain_text("Llama 4 Scout")


@ASKING.task("Let the model think longer", new_chat)
def choose_effort(walk: Walk) -> None:
    walk.chat.choose_model("GPT-OSS 120B")
    walk.choose(walk.page.locator("#thinking"), "Reasoning: high")


@ASKING.task("Stop an answer", new_chat)
def stop(walk: Walk) -> None:
    send(walk, UNTIL_STOPPED)
    walk.chat.wait_for_text()
    walk.click(walk.chat.stop_button)
    expect(walk.chat.outcome).to_contain_text("Stopped")


@ASKING.task("Queue the next message while an answer is written", new_chat)
def queue(walk: Walk) -> None:
    send(walk, UNTIL_STOPPED)
    walk.chat.wait_for_text()
    walk.chat.composer.fill("And then?")
    walk.click(walk.button("Send after this answer"))
    expect(walk.page.locator("#queued")).to_contain_text("And then?")
    walk.chat.stop_button.click()


@ASKING.task("Quote a passage of an answer", asked("Quote a passage"), has_phone=False)
def quote(walk: Walk) -> None:
    walk.chat.last_text.locator("p").first.click(click_count=3)
    walk.clicks += 1
    walk.click(walk.button("Quote"))
    expect(walk.chat.composer).not_to_have_value("")
