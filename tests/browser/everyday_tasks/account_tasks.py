"""Tasks of members with their own things."""

import re

from playwright.sync_api import expect

from tests.browser.everyday_tasks.walk import TaskList, Walk, new_chat

ACCOUNT = TaskList()


@ACCOUNT.task("Switch to the dark theme", new_chat)
def dark(walk: Walk) -> None:
    walk.open_settings()
    walk.click(walk.page.get_by_role("radio", name="Dark"))
    expect(walk.page.locator("html")).to_have_attribute("data-theme", "dark")
    walk.page.get_by_role("radio", name="System").click()


@ACCOUNT.task("Change the language", new_chat)
def language(walk: Walk) -> None:
    walk.open_settings()
    walk.choose(walk.page.get_by_label("Language"), "Deutsch")
    expect(walk.page.locator("html")).to_have_attribute("lang", "de")
    walk.page.locator("select[name=language]").select_option("en")
    expect(walk.page.locator("html")).to_have_attribute("lang", "en")


@ACCOUNT.task("Say what every model should know", new_chat)
def personalize(walk: Walk) -> None:
    walk.search("Personalization")
    walk.page.get_by_label("Instructions").fill("Answer briefly.")
    walk.click(walk.button("Save"))
    expect(walk.page.get_by_text("Saved").first).to_be_visible()


@ACCOUNT.task("See what has been used", new_chat)
def usage(walk: Walk) -> None:
    walk.open_settings("Usage")
    expect(walk.page.get_by_role("heading", name="Usage")).to_be_visible()


@ACCOUNT.task("Make an API key", new_chat)
def api_key(walk: Walk) -> None:
    walk.open_settings("API")
    walk.page.get_by_label("Name", exact=True).fill("Editor")
    walk.click(walk.button("Create"))
    expect(walk.page.locator("input[readonly]").first).to_be_visible()


@ACCOUNT.task("See the keyboard shortcuts", new_chat, has_phone=False)
def shortcuts(walk: Walk) -> None:
    walk.open_account()
    walk.click(walk.button("Keyboard shortcuts"))
    expect(walk.page.get_by_role("dialog")).to_be_visible()


@ACCOUNT.task("Save a message as a prompt", new_chat)
def save_prompt(walk: Walk) -> None:
    walk.chat.composer.fill("Summarise this in three sentences: ")
    walk.search("Save this text")
    walk.page.get_by_label("Name").fill(f"Summary {walk.is_phone}")
    walk.click(walk.button("Save"))
    walk.page.wait_for_url("**/prompts/")


def _with_prompt(walk: Walk) -> None:
    walk.page.goto("/prompts/new/")
    walk.page.get_by_label("Name").fill("greet")
    walk.page.get_by_label("Text").fill("Write a greeting")
    walk.button("Save").click()
    new_chat(walk)


@ACCOUNT.task("Use a prompt", _with_prompt)
def use_prompt(walk: Walk) -> None:
    walk.chat.composer.press_sequentially("/gre")
    walk.click(walk.page.get_by_role("option", name="greet").first)
    expect(walk.chat.composer).to_have_value(re.compile("Write a greeting"))


@ACCOUNT.task("Make a persona", new_chat)
def make_persona(walk: Walk) -> None:
    walk.open_from_sidebar("Personas")
    walk.click(walk.link("New persona"))
    walk.page.get_by_label("Name").fill("Editor")
    walk.page.get_by_label("Instructions").fill("Correct what is written.")
    walk.click(walk.button("Save"))
    walk.page.wait_for_url("**/personas/")


def _with_persona(walk: Walk) -> None:
    make_persona(walk)
    new_chat(walk)


@ACCOUNT.task("Chat with a persona", _with_persona)
def use_persona(walk: Walk) -> None:
    walk.open_from_sidebar("Personas")
    walk.click(walk.page.get_by_role("main").get_by_role("link", name=re.compile("New chat")).first)
    walk.page.wait_for_url("**/chat/**")


@ACCOUNT.task("See who has read one's chats", new_chat)
def access_history(walk: Walk) -> None:
    walk.open_settings("Chats and data")
    walk.click(walk.link("Access history"))
    expect(walk.page.get_by_role("heading", name="Access history")).to_be_visible()


@ACCOUNT.task("See where one is signed in", new_chat)
def devices(walk: Walk) -> None:
    walk.open_settings("Security")
    walk.click(walk.page.get_by_role("main").get_by_role("link", name=re.compile("evices")).first)
    expect(walk.page.get_by_role("heading", level=1)).to_contain_text("evices")


@ACCOUNT.task("Change the password", new_chat)
def password(walk: Walk) -> None:
    walk.open_settings("Security")
    walk.click(walk.page.get_by_role("main").get_by_role("link", name=re.compile("assword")).first)
    expect(walk.page.get_by_label("Current password")).to_be_visible()
