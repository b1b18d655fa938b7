"""Django's admin is readable in each theme, and its pages fit a phone."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, DARK, LIGHT, axe
from tests.support.browser.layout import PHONE, overflow

PICTURES = os.environ.get("PICTURES", "")
MAKE = """
from chat.accounts.models import User
user = User.objects.get(email="ada-administers@example.org")
user.is_staff = user.is_superuser = True
user.save()
"""
#: What Django's own markup lacks in every project; the rest, such as contrast, is ours.
OF_DJANGO = ("landmark", "region", "heading-order", "empty-table-header", "label-title-only")


@pytest.fixture(scope="module")
def ada(site: LiveSite) -> StorageState:
    state = sign_in(site, "ada-administers@example.org")
    site.run(MAKE)
    return state


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("path", ["/admin/", "/admin/chat/user/", "/admin/chat/user/add/"])
def test_its_text_is_readable(
    open_page: Callable[..., Page], ada: StorageState, look: dict[str, Any], path: str
) -> None:
    page = open_page(path, storage_state=ada, **look, **BARE)
    found = [each for each in axe(page) if not any(name in each for name in OF_DJANGO)]
    if PICTURES:
        name = f"admin{path.replace('/', '-')}{look['color_scheme']}.png"
        page.screenshot(path=Path(PICTURES) / name)
    assert found == []


def test_it_fits_a_phone_and_signing_out_works(
    open_page: Callable[..., Page], ada: StorageState, site: LiveSite
) -> None:
    page = open_page("/admin/", storage_state=ada, **PHONE)
    assert overflow(page) <= 0
    page.get_by_role("button", name="Sign out").click()
    expect(page).not_to_have_url(f"{site.url}/admin/")
