"""Agnes is invited to the team of a website, and accepts."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.picture import picture

OWNER, AGNES = "olga-owns@example.org", "agnes-is-invited@example.org"
MAKE_SITE = f"""
from allauth.account.models import EmailAddress
from chat.accounts.models import User
from chat.widget_sites.models import WidgetSite
owner = User.objects.get(email="{OWNER}")
agnes = User.objects.get(email="{AGNES}")
EmailAddress.objects.create(user=agnes, email=agnes.email, verified=True, primary=True)
print(WidgetSite.objects.create(owner=owner, name="Canoes and kayaks").key)
"""


def test_an_invited_person_accepts_in_the_page(
    open_page: Callable[..., Page], site: LiveSite
) -> None:
    states = sign_in(site, OWNER), sign_in(site, AGNES)
    team = f"/sites/{site.run(MAKE_SITE)}/team/"
    owner = open_page(team, storage_state=states[0], **BARE)
    owner.get_by_label("Email address").fill(AGNES)
    owner.get_by_role("button", name="Invite", exact=True).click()
    row = owner.get_by_role("listitem").filter(has_text=AGNES)
    expect(row).to_contain_text("invited on")
    assert axe(owner) == []
    picture(owner, "invited")

    agnes = open_page("/settings/", storage_state=states[1], **BARE)
    agnes.get_by_role("link", name="Websites").click()
    expect(agnes.get_by_text("Canoes and kayaks")).to_be_visible()
    assert axe(agnes) == []
    picture(agnes, "invitation")
    agnes.get_by_role("button", name="Accept").click()
    agnes.wait_for_url("**/inbox/")
    picture(agnes, "accepted")
    owner.reload()
    expect(row.get_by_role("button", name="Remove")).to_be_visible()
