"""A member drops files, waits until they can be found, searches, reads a passage and removes one."""

import re
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, COLOURS, axe
from tests.support.browser.layout import PHONE, overflow
from tests.support.documents.samples import pdf

GIVE = """(files) => {
  const dataTransfer = new DataTransfer();
  for (const { name, base64 } of files) {
    const content = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
    dataTransfer.items.add(new File([content], name));
  }
  document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
}"""
FILES = {
    "hours.txt": b"Open from nine to five.\n\nClosed on Sundays.",
    "trips.pdf": pdf("Where we travel", "Trips are paid by the company."),
    "empty.txt": b"",
}


def drop(page: Page, files: dict[str, bytes]) -> None:
    given = [{"name": each, "base64": b64encode(files[each]).decode()} for each in files]
    page.evaluate(GIVE, given)


def new_collection(page: Page) -> None:
    page.get_by_label("Name").fill("Handbook")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(re.compile(r"/collections/[0-9a-f-]{36}/"))


@pytest.fixture(scope="module")
def cora(site: LiveSite) -> StorageState:
    return sign_in(site, "cora@example.org")


@pytest.mark.quick
def test_files_are_dropped_found_read_and_removed(
    open_page: Callable[..., Page], cora: StorageState
) -> None:
    page = open_page("/collections/new/", storage_state=cora)
    new_collection(page)
    drop(page, FILES)
    expect(page.locator("#upload-status")).to_have_text("2 files were added.")
    refused = page.get_by_role("group", name="Files that weren't added")
    expect(refused.get_by_role("listitem")).to_have_text("empty.txt: This file is empty.")
    rows = page.locator("#documents .item-list > li")
    expect(rows).to_have_count(2)
    expect(rows.get_by_text("Ready", exact=True)).to_have_count(2)
    expect(page.locator("#documents")).to_have_attribute("data-pending", "0")
    page.get_by_role("searchbox").fill("Who pays for trips?")
    page.keyboard.press("Enter")
    page.get_by_role("listitem").filter(has_text="paid by").get_by_role("link").click()
    expect(page.get_by_role("heading", name="trips.pdf")).to_be_visible()
    expect(page.get_by_role("heading", name="Page 2")).to_be_visible()
    expect(page.locator("#passage")).to_have_text("Trips are paid by the company.")
    expect(page.locator("#passage")).to_be_in_viewport()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Download original").click()
    assert saved.value.suggested_filename == "trips.pdf"
    assert saved.value.path().read_bytes() == FILES["trips.pdf"]
    page.get_by_role("link", name="Handbook").click()
    rows.filter(has_text="hours.txt").get_by_role("link", name="Remove…").click()
    page.get_by_role("button", name="Remove").click()
    expect(rows).to_have_count(1)


@pytest.mark.quick
def test_files_are_added_without_scripts(
    open_page: Callable[..., Page], cora: StorageState
) -> None:
    page = open_page("/collections/new/", storage_state=cora, java_script_enabled=False)
    new_collection(page)
    files: list[Any] = [
        {"name": name, "mimeType": "", "buffer": FILES[name]} for name in ("hours.txt", "trips.pdf")
    ]
    page.get_by_label("Files", exact=True).set_input_files(files)
    page.get_by_role("button", name="Add files").click()
    expect(page.get_by_text("2 files were added.")).to_be_visible()
    expect(page.locator("#documents .item-list > li")).to_have_count(2)


@pytest.mark.quick
@pytest.mark.parametrize("colours", COLOURS)
def test_the_pages_are_accessible_and_fit_a_phone(
    open_page: Callable[..., Page], site: LiveSite, colours: dict[str, str]
) -> None:
    member = sign_in(site, f"{'-'.join(colours.values())}@example.org")
    page = open_page("/collections/new/", storage_state=member, **PHONE, **BARE, **colours)
    assert axe(page) == []
    new_collection(page)
    drop(page, FILES | {"x" * 190 + ".bin": b"\0\1\2\3" * 99})
    rows = page.locator("#documents .item-list > li")
    expect(rows.get_by_text("Ready", exact=True)).to_have_count(2)
    expect(rows.get_by_text("Failed", exact=True)).to_have_count(1)
    page.goto(f"{page.url}?q=Who+pays+for+trips")
    passage = page.locator(".passages a").first.get_attribute("href") or ""
    for place in (page.url, passage, "/collections/"):
        page.goto(place)
        assert axe(page) == []
        assert overflow(page) <= 0
