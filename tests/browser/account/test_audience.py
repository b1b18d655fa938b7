"""Groups are asked for when something is shared with groups."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite

PERSON = "rita-shares@example.org"
STAFF = f"""
from django.contrib.auth.models import Group
from chat.accounts.models import User
person = User.objects.get(email="{PERSON}")
person.is_staff = True
person.save()
Group.objects.get_or_create(name="Physics class")
"""


@pytest.fixture(scope="module")
def staff(site: LiveSite) -> StorageState:
    state = sign_in(site, PERSON)
    site.run(STAFF)
    return state


@pytest.mark.parametrize("path", ["/personas/new/", "/prompts/new/", "/collections/new/"])
def test_groups_appear_once_they_are_chosen(
    open_page: Callable[..., Page], staff: StorageState, path: str
) -> None:
    page = open_page(path, storage_state=staff)
    group = page.get_by_role("checkbox", name="Physics class")
    expect(page.get_by_role("radio", name="Only me")).to_be_checked()
    expect(group).to_be_hidden()
    page.get_by_role("radio", name="Groups of members").check()
    expect(group).to_be_visible()
    page.get_by_role("radio", name="Everyone").check()
    expect(group).to_be_hidden()
