"""Tasks with the list of chats."""

import re

from playwright.sync_api import expect

from tests.browser.chat_list import entry
from tests.browser.everyday_tasks.walk import TaskList, Walk, asked, new_chat, send

CHATS = TaskList()


@CHATS.task("Find a chat by its words", asked("Where do herons sleep?"))
def search(walk: Walk) -> None:
    walk.search("herons")
    walk.page.wait_for_url(re.compile(r"/chat/[0-9a-f-]{36}/"))


@CHATS.task("Rename the open chat", asked("Rename me"))
def rename(walk: Walk) -> None:
    walk.click(walk.button("Rename Rename me"))
    walk.page.locator("#chat-head input").fill("A new name")
    walk.press("Enter")
    expect(walk.button("Rename A new name")).to_be_visible()


@CHATS.task("Rename another chat", asked("Rename me too"))
def rename_in_list(walk: Walk) -> None:
    walk.click(walk.open_options("Rename me too").get_by_text("Rename", exact=True))
    walk.page.locator(".entry-rename [name=title]").fill("Another name")
    walk.press("Enter")
    renamed = walk.page.get_by_role("link", name="Another name", include_hidden=True)
    expect(renamed.first).to_be_attached()


@CHATS.task("Pin a chat", asked("Pin me"))
def pin(walk: Walk) -> None:
    walk.click(walk.open_options("Pin me").get_by_text("Pin", exact=True))
    expect(walk.page.get_by_role("heading", name="Pinned")).to_be_visible()


def _archive(walk: Walk, title: str) -> None:
    walk.click(walk.open_options(title).get_by_text("Archive", exact=True))
    expect(entry(walk.page, title)).to_have_count(0)
    walk.page.wait_for_url("**/chat/?archived=*")


@CHATS.task("Archive a chat", asked("Archive me"))
def archive(walk: Walk) -> None:
    _archive(walk, "Archive me")


def _archived(walk: Walk) -> None:
    asked("Bring me back")(walk)
    _archive(walk, "Bring me back")


@CHATS.task("See the archived chats", _archived)
def see_archive(walk: Walk) -> None:
    walk.search("Archived chats")
    expect(walk.page.get_by_text("Bring me back").first).to_be_visible()


@CHATS.task("Bring a chat back from the archive", _archived)
def unarchive(walk: Walk) -> None:
    walk.search("Archived chats")
    rows = walk.page.get_by_role("main").get_by_role("listitem").filter(has_text="Bring me back")
    before = rows.count()
    walk.click(rows.first.get_by_role("button", name="Unarchive"))
    expect(rows).to_have_count(before - 1)


@CHATS.task("Delete a chat", asked("Delete me"))
def delete(walk: Walk) -> None:
    walk.click(walk.open_options("Delete me").get_by_text("Delete", exact=True))
    expect(entry(walk.page, "Delete me")).to_have_count(0)


@CHATS.task("Delete a chat, and undo it", asked("Undo me"))
def undo(walk: Walk) -> None:
    walk.click(walk.open_options("Undo me").get_by_text("Delete", exact=True))
    walk.click(walk.button("Undo"))
    walk.page.wait_for_url(re.compile(r"/chat/[0-9a-f-]{36}/"))


@CHATS.task("Share a chat with a link", asked("Share me"))
def share(walk: Walk) -> None:
    if walk.is_phone:
        walk.click(walk.button("Chat options"))
        walk.click(walk.page.locator("#chat-menu:popover-open").get_by_text("Share…", exact=True))
    else:
        walk.click(walk.page.locator("#share"))
    walk.click(walk.button("Create link"))
    walk.click(walk.button("Copy"))
    expect(walk.page.locator("#sharing-letter .shared-link")).to_be_visible()


def _shared(walk: Walk) -> None:
    asked("Unshare me")(walk)
    share(walk)
    new_chat(walk)


@CHATS.task("See what is shared", _shared)
def see_links(walk: Walk) -> None:
    walk.open_settings("Chats and data")
    walk.click(walk.link("Shared links"))
    expect(walk.link("Unshare me").first).to_be_visible()


@CHATS.task("Turn off a link", _shared)
def turn_off_link(walk: Walk) -> None:
    see_links(walk)
    count = walk.page.locator(".shared-link").count()
    walk.click(walk.button(re.compile("Revoke")).first)
    expect(walk.page.locator(".shared-link")).to_have_count(count - 1)


@CHATS.task("Export a chat", asked("Export me"))
def export(walk: Walk) -> None:
    menu = walk.open_options("Export me")
    walk.click(menu.get_by_text("Print or export", exact=True))
    walk.click(walk.button("Export"))
    with walk.page.expect_download():
        walk.click(walk.page.get_by_text("Export as Markdown", exact=True))


@CHATS.task("Export all chats", asked("Export all of me"))
def export_all(walk: Walk) -> None:
    walk.open_settings("Chats and data")
    with walk.page.expect_download():
        walk.click(walk.link("Download all data"))


@CHATS.task("Import chats", new_chat)
def import_chats(walk: Walk) -> None:
    file = walk.files / "chats.json"
    file.write_text(EXPORT)
    walk.search("Import chats")
    walk.upload(walk.page.locator("#import-form input[type=file]"), file)
    walk.click(walk.button("Import"))
    expect(walk.page.locator("#import-result")).to_contain_text("1 chat")


EXPORT = """[{"title": "From elsewhere", "create_time": 1700000000, "mapping": {
"a": {"id": "a", "parent": null, "children": ["b"], "message": {"author": {"role": "user"},
"create_time": 1700000000, "content": {"content_type": "text", "parts": ["Hello"]}}},
"b": {"id": "b", "parent": "a", "children": [], "message": {"author": {"role": "assistant"},
"create_time": 1700000001, "content": {"content_type": "text", "parts": ["Hello to you"]}}}}}]"""


def _with_project(walk: Walk) -> None:
    walk.page.goto("/projects/new/")
    walk.page.get_by_label("Name").fill("Rivers")
    walk.button("Save").click()
    asked("Move me")(walk)


@CHATS.task("Make a project", new_chat)
def make_project(walk: Walk) -> None:
    walk.open_from_sidebar("Projects")
    walk.click(walk.link("New project"))
    walk.page.get_by_label("Name").fill("Lakes")
    walk.click(walk.button("Save"))
    expect(walk.page.get_by_role("heading", name="Lakes")).to_be_visible()


@CHATS.task("Move a chat to a project", _with_project)
def move(walk: Walk) -> None:
    walk.click(walk.open_options("Move me").get_by_text("Move to project…", exact=True))
    walk.click(walk.page.get_by_role("dialog").get_by_role("button", name="Rivers").first)
    walk.toast("Rivers")


def _with_chat_in_project(walk: Walk) -> None:
    walk.page.goto("/projects/new/")
    walk.page.get_by_label("Name").fill("Forests")
    walk.button("Save").click()
    walk.link("New chat in this project").click()
    send(walk, "Of the taiga")
    walk.chat.wait_for_end()
    new_chat(walk)


@CHATS.task("Begin a chat in a project", _with_chat_in_project)
def begin_in_project(walk: Walk) -> None:
    walk.open_from_sidebar("New chat: Forests")
    walk.page.wait_for_url("**/chat/?project=*")


@CHATS.task("Give a project instructions", _with_project)
def instruct_project(walk: Walk) -> None:
    walk.open_from_sidebar("Projects")
    walk.click(walk.page.get_by_role("link", name=re.compile("^Edit ?: Rivers")).first)
    walk.page.get_by_label("Instructions").fill("Speak of rivers only.")
    walk.click(walk.button("Save"))
    expect(walk.page.locator(".project-instructions")).to_contain_text("rivers only")


@CHATS.task("Tag a chat", asked("Tag me"))
def tag(walk: Walk) -> None:
    walk.click(walk.open_options("Tag me").get_by_text("Tags…", exact=True))
    walk.page.locator("#new-tag").fill(f"Work {walk.is_phone}")
    walk.click(walk.page.get_by_role("dialog").get_by_role("button", name="Save"))
    expect(walk.page.get_by_role("dialog")).to_have_count(0)


def _tagged(walk: Walk) -> None:
    asked("Show me by tag")(walk)
    menu = walk.open_options("Show me by tag")
    menu.get_by_text("Tags…", exact=True).click()
    walk.page.locator("#new-tag").fill("Later")
    walk.page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(walk.page.get_by_role("dialog")).to_have_count(0)
    new_chat(walk)


@CHATS.task("Show the chats with a tag", _tagged)
def show_tag(walk: Walk) -> None:
    walk.open_chats()
    walk.click(walk.button("Tags"))
    walk.click(walk.page.get_by_role("dialog").get_by_role("link", name="Later").first)
    expect(entry(walk.page, "Show me by tag").first).to_be_visible()


@CHATS.task("Archive several chats", asked("One of several"))
def archive_several(walk: Walk) -> None:
    walk.open_chats()
    walk.click(walk.button("Select"))
    boxes = walk.page.locator("#conversations").get_by_role("checkbox")
    walk.click(boxes.nth(0))
    walk.click(boxes.nth(1))
    bar = walk.page.get_by_role("form", name="Selected chats")
    walk.click(bar.get_by_role("button", name="Archive"))
    walk.toast("2 chats")
