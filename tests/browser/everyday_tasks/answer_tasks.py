"""Tasks with an answer."""

import re

from playwright.sync_api import expect

from tests.browser.everyday_tasks.walk import TaskList, Walk, asked

ANSWERS = TaskList()


@ANSWERS.task("Copy an answer", asked("Copy the answer"))
def copy(walk: Walk) -> None:
    walk.click(walk.chat.last_answer.get_by_role("button", name="Copy answer"))
    expect(walk.chat.hint).to_contain_text("Copied.")


@ANSWERS.task("Copy code", asked("/markdown"))
def copy_code(walk: Walk) -> None:
    walk.click(walk.chat.last_answer.get_by_role("button", name="Copy code").first)
    expect(walk.chat.hint).to_contain_text("Copied.")


@ANSWERS.task("Download code", asked("/markdown"))
def download_code(walk: Walk) -> None:
    with walk.page.expect_download():
        walk.click(walk.chat.last_answer.get_by_role("button", name="Download code").first)


@ANSWERS.task("Get another answer", asked("Answer again"))
def retry(walk: Walk) -> None:
    walk.click(walk.chat.last_answer.get_by_role("button", name="Retry"))
    walk.click(walk.page.locator("#retry-menu").get_by_role("button", name="Try again", exact=True))
    expect(walk.chat.last_answer.locator("[data-part=place]")).to_have_text("2/2")


@ANSWERS.task("Get an answer of another model", asked("Answer with another model"))
def retry_with(walk: Walk) -> None:
    walk.click(walk.chat.last_answer.get_by_role("button", name="Retry"))
    walk.click(walk.page.locator("#retry-menu [data-model]:not([aria-current])").first)
    expect(walk.chat.last_answer.locator("[data-part=place]")).to_have_text("2/2")


def _answered_twice(walk: Walk) -> None:
    asked("Two answers")(walk)
    retry(walk)
    walk.chat.wait_for_end()


@ANSWERS.task("Go back to the first answer", _answered_twice)
def earlier_version(walk: Walk) -> None:
    walk.click(walk.chat.last_answer.get_by_role("button", name="Previous version"))
    expect(walk.chat.last_answer.locator("[data-part=place]")).to_have_text("1/2")


@ANSWERS.task("Edit a question", asked("Edit this question"))
def edit(walk: Walk) -> None:
    walk.click(walk.button("Edit question"))
    walk.page.locator(".editor textarea").fill("A better question")
    walk.click(walk.button("Save and send"))
    expect(walk.chat.questions.last).to_contain_text("A better question")
    walk.chat.wait_for_end()


@ANSWERS.task("Copy a question", asked("Copy this question"))
def copy_question(walk: Walk) -> None:
    walk.click(walk.button("Copy question"))
    expect(walk.chat.hint).to_contain_text("Copied.")


@ANSWERS.task("Rate an answer", asked("Rate this answer"))
def rate(walk: Walk) -> None:
    button = walk.chat.last_answer.get_by_role("button", name="Good answer")
    walk.click(button)
    expect(button).to_have_attribute("aria-pressed", "true")


@ANSWERS.task("Say what is wrong with an answer", asked("Say what is wrong"))
def rate_with_reason(walk: Walk) -> None:
    walk.click(walk.chat.last_answer.get_by_role("button", name="Bad answer"))
    form = walk.page.locator(".feedback-form").filter(has_text="What was wrong with it?")
    walk.click(form.locator("label").first)
    walk.click(form.get_by_role("button", name="Send"))
    expect(form).to_be_hidden()


@ANSWERS.task("See what an answer cost", asked("See the cost"))
def details(walk: Walk) -> None:
    walk.click(walk.chat.last_answer.get_by_role("button", name="Answer details"))
    expect(walk.page.locator("#facts-card dt").first).to_be_visible()


@ANSWERS.task("Read the reasoning", asked("/think 60"))
def reasoning(walk: Walk) -> None:
    walk.click(walk.chat.last_answer.locator(".reasoning summary"))
    expect(walk.chat.last_answer.locator(".reasoning")).to_have_attribute("open", "")


@ANSWERS.task("Branch into a new chat", asked("Branch from here"))
def branch(walk: Walk) -> None:
    before = walk.page.url
    walk.click(walk.chat.last_answer.get_by_role("button", name="More options"))
    walk.click(walk.button("Branch into a new chat"))
    walk.page.wait_for_url(lambda url: url != before)


@ANSWERS.task("Delete the last messages", asked("Delete this message"))
def delete_messages(walk: Walk) -> None:
    walk.click(walk.chat.last_answer.get_by_role("button", name="More options"))
    walk.click(walk.button("Delete this and later messages"))
    expect(walk.chat.questions).to_have_count(0)


@ANSWERS.task("Report an answer", asked("Report this answer"))
def report(walk: Walk) -> None:
    walk.click(walk.chat.last_answer.get_by_role("button", name="More options"))
    walk.click(walk.button("Report answer"))
    dialog = walk.page.locator("dialog[open]")
    walk.click(dialog.locator("label").first)
    walk.click(dialog.get_by_role("button", name=re.compile("Send|Report")))
    expect(dialog).to_have_count(0)
