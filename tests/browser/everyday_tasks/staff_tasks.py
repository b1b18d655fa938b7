"""Tasks of an administrator."""

import re

from playwright.sync_api import expect

from tests.browser.everyday_tasks.walk import TaskList, Walk, new_chat

STAFF = TaskList("ada")


def _administration(walk: Walk, page: str = "") -> None:
    walk.open_account()
    walk.click(walk.page.locator("#account-menu").get_by_role("link", name="Administration"))
    if page:
        walk.click(
            walk.page.get_by_role("navigation", name="Administration").get_by_role(
                "link", name=page
            )
        )


def _section(walk: Walk, name: str) -> None:
    _administration(walk, "Site settings")
    walk.click(walk.page.get_by_role("navigation", name="Sections").get_by_role("link", name=name))


@STAFF.task("Announce something to everyone", new_chat)
def announce(walk: Walk) -> None:
    _section(walk, "Welcome")
    walk.page.get_by_label(re.compile("Announcement")).first.fill("We update tonight.")
    walk.click(walk.button("Save"))
    expect(walk.page.get_by_text("Saved").first).to_be_visible()


@STAFF.task("Change the name of the site", new_chat)
def name_site(walk: Walk) -> None:
    _administration(walk, "Site settings")
    walk.page.get_by_label("Name", exact=True).fill("Our chat")
    walk.click(walk.button("Save"))
    expect(walk.page.get_by_text("Saved").first).to_be_visible()


@STAFF.task("Decide who may sign up", new_chat)
def sign_up(walk: Walk) -> None:
    _section(walk, "Sign-up")
    walk.click(walk.page.get_by_role("radio").nth(1))
    walk.click(walk.button("Save"))
    expect(walk.page.get_by_text("Saved").first).to_be_visible()


@STAFF.task("Connect a model provider", new_chat)
def provider(walk: Walk) -> None:
    _section(walk, "Model provider")
    expect(walk.button("Test")).to_be_visible()


@STAFF.task("Invite a person", new_chat)
def invite(walk: Walk) -> None:
    _administration(walk, "Invitations")
    walk.page.get_by_label(re.compile("mail")).first.fill("new@example.org")
    walk.page.get_by_label("Reason").fill("New colleague")
    walk.click(walk.button("Invite"))
    expect(walk.page.get_by_role("main")).to_contain_text("new@example.org")


@STAFF.task("Find a person's account", new_chat)
def find_person(walk: Walk) -> None:
    _administration(walk)
    walk.page.get_by_label("Name or email").fill("member")
    walk.click(walk.button("Search"))
    walk.click(walk.page.get_by_role("table").get_by_role("link").first)
    expect(walk.page.get_by_role("heading", level=1)).to_be_visible()


@STAFF.task("Set everyone's limits", new_chat)
def set_limits(walk: Walk) -> None:
    _administration(walk, "Limits")
    expect(walk.button("Save").first).to_be_visible()


@STAFF.task("Make a group", new_chat)
def make_group(walk: Walk) -> None:
    _administration(walk, "Groups")
    walk.page.get_by_label("New group name").fill(f"Team {walk.is_phone}")
    walk.page.get_by_label("Reason").fill("A new team of ours")
    walk.click(walk.button("Create group"))
    expect(walk.page.get_by_role("main")).to_contain_text("Team")


@STAFF.task("See which models there are", new_chat)
def models(walk: Walk) -> None:
    _administration(walk, "Models")
    expect(walk.page.get_by_role("table").first).to_be_visible()


@STAFF.task("See how much the site is used", new_chat)
def analytics(walk: Walk) -> None:
    _administration(walk)
    walk.click(
        walk.page.get_by_role("navigation", name="Review").get_by_role("link", name="Analytics")
    )
    expect(walk.page.get_by_role("region", name="Key figures")).to_be_visible()


@STAFF.task("See how the site is doing", new_chat)
def status(walk: Walk) -> None:
    _administration(walk, "Status")
    expect(walk.page.get_by_role("heading", level=1)).to_contain_text("Status")
