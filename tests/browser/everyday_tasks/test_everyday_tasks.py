"""Everyday tasks take as many clicks as docs/everyday_tasks.md says, on a desktop and a phone."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState

from tests.browser.conftest import sign_in
from tests.browser.everyday_tasks.account_tasks import ACCOUNT
from tests.browser.everyday_tasks.answer_tasks import ANSWERS
from tests.browser.everyday_tasks.asking_tasks import ASKING
from tests.browser.everyday_tasks.chat_tasks import CHATS
from tests.browser.everyday_tasks.staff_tasks import STAFF
from tests.browser.everyday_tasks.walk import Task, Walk
from tests.browser.screenshots import DESKTOP, PHONE
from tests.browser.server import ROOT, LiveSite

DOCUMENT = ROOT / "docs" / "everyday_tasks.md"
DEVICES: dict[str, dict[str, Any]] = {"desktop": DESKTOP, "phone": PHONE}
TASKS = [each for some in (ASKING, ANSWERS, CHATS, ACCOUNT, STAFF) for each in some.tasks]
WALKS = [
    (task, device) for device in DEVICES for task in TASKS if device == "desktop" or task.has_phone
]
MAKE_ADMINISTRATOR = """
from chat.accounts.models import User
user = User.objects.get(email={email!r})
user.is_staff = user.is_superuser = True
user.save()
"""
#: Name of the task, clicks on the desktop, on the phone, and in Open WebUI. A dash: not possible
#: or not documented.
ROW = re.compile(r"^\| ([^|]+) \| (\d+) \| (\d+|–) \| (\d+|–)[^|]*\|", re.MULTILINE)


@pytest.fixture(scope="module")
def people(site: LiveSite) -> dict[tuple[str, str], StorageState]:
    """Return the browser states of a member and an administrator for each device."""
    states = {}
    for device in DEVICES:
        for person in ("member", "ada"):
            states[person, device] = sign_in(site, f"{person}.{device}@example.org")
        site.run(MAKE_ADMINISTRATOR.format(email=f"ada.{device}@example.org"))
    return states


def documented() -> dict[str, tuple[str, str, str]]:
    """Return the clicks of each task: on the desktop, on the phone, in Open WebUI."""
    rows = ROW.findall(DOCUMENT.read_text())
    return {name: (desktop, phone, theirs) for name, desktop, phone, theirs in rows}


@pytest.mark.parametrize(
    ("task", "device"), WALKS, ids=lambda each: getattr(each, "name", str(each))
)
def test_a_task_takes_the_documented_clicks(
    task: Task,
    device: str,
    people: dict[tuple[str, str], StorageState],
    open_page: Callable[..., Page],
    tmp_path: Path,
) -> None:
    page = open_page(
        "/chat/",
        storage_state=people[task.person, device],
        permissions=["clipboard-read", "clipboard-write"],
        **DEVICES[device],
    )
    walk = Walk(page, is_phone=device == "phone", files=tmp_path)
    task.start(walk)
    walk.clicks = 0
    task.do(walk)
    page.screenshot(path=tmp_path / f"{device}.png")
    assert str(walk.clicks) == documented()[task.name][list(DEVICES).index(device)]


def test_every_task_is_documented() -> None:
    assert list(documented()) == [each.name for each in TASKS]


def test_no_task_takes_more_clicks_than_in_open_webui() -> None:
    for desktop, _, theirs in documented().values():
        assert theirs == "–" or int(desktop) <= int(theirs)
