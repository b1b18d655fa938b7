"""Pages on which owners create, edit and delete widget sites."""

from html import unescape

import pytest
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from chat.generations.deletion import purge
from chat.personas.models import Persona
from chat.quotas.models import Limit, Meter
from chat.widget_sites import suspension
from chat.widget_sites.models import IdentityKey, WidgetSite
from tests.support.web.personas import page
from tests.support.web.signed_in import signed_in
from tests.support.widget.site_forms import SMALL, made

pytestmark = pytest.mark.django_db

WHOLE = SMALL | {
    "origins": "https://Shop.example/ \r\n\r\nhttps://*.shop.example\nhttps://shop.example\n",
    "welcome": "Hello\r\nthere",
    "starters": "Where is my parcel?\n Can I send it back?",
    "consent": "It may be wrong.",
    "privacy_url": "https://shop.example/privacy",
    "default_prompt": "What is new?",
    "retention_days": "30",
    "visitor_requests": "4",
    "site_dollars": "2,50",
}


def test_a_site_is_created_as_entered(browser: Client, alice: User) -> None:
    persona = Persona.objects.create(owner=alice, name="Clerk")
    site = made(browser, WHOLE | {"persona": str(persona.pk)})
    assert (site.owner, site.name, site.persona) == (alice, "Shop", persona)
    assert site.origins == ["https://shop.example", "https://*.shop.example"]
    assert (site.welcome, site.consent) == ("Hello\nthere", "It may be wrong.")
    assert site.starters == ["Where is my parcel?", "Can I send it back?"]
    assert (site.privacy_url, site.default_prompt, site.retention_days) == (
        "https://shop.example/privacy", "What is new?", 30,
    )  # fmt: skip
    rows = Limit.objects.filter(site=site.key, by_owner=True)
    assert {(row.scope, row.measure, float(row.amount)) for row in rows} == {
        ("visitor", "requests", 4.0), ("site", "dollars", 2.5),
    }  # fmt: skip
    assert "Shop" in page(browser, "/sites/")


def test_an_edited_site_loses_emptied_fields(browser: Client) -> None:
    site = made(browser, WHOLE)
    path = f"/sites/{site.key}/settings/"
    shown = page(browser, path)
    for text in (
        "https://shop.example\nhttps://*.shop.example</textarea>",
        "Where is my parcel?\nCan I send it back?",
        'value="30"', 'value="2.50"', 'value="4"', "What is new?",
    ):  # fmt: skip
        assert text in shown
    assert browser.post(path, {"name": "Shop"}).status_code == 302
    changed = WidgetSite.objects.get()
    assert (changed.key, changed.origins, changed.starters) == (site.key, [], [])
    assert (changed.retention_days, changed.consent, changed.privacy_url) == (None, "", "")
    assert not Limit.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": " "}, "This field is required."),
        ({"name": "x" * 81}, "This has 81 characters. The limit is 80."),
        ({"origins": "shop.example"}, "“shop.example”: Start with https://"),
        ({"origins": "https://a.example\nhttp://b.example"}, "“http://b.example”: Use https://"),
        ({"origins": "https://a.example/shop"}, "Enter only https://a.example"),
        (
            {"origins": "\n".join(f"https://{n}.example" for n in range(51))},
            "Enter at most 50 lines.",
        ),
        ({"welcome": "x" * 2001}, "This has 2,001 characters"),
        ({"starters": "\n".join("abcdefg")}, "Enter at most 6 lines."),
        ({"privacy_url": "shop.example/privacy"}, "Enter the full address"),
        ({"privacy_url": "javascript:alert(1)"}, "Enter the full address"),
        ({"retention_days": "0"}, "Enter a whole number from 1 to 3650, or leave this blank."),
        ({"visitor_requests": "-1"}, "Enter a whole number from 0 to"),
        ({"site_tokens": "many"}, "Enter a whole number from 0 to"),
        ({"site_dollars": "nan"}, "Enter a number from 0 to"),
        ({"persona": "7c0b5a3e-4b7e-4e0e-9c4d-3f1f0f6a2b11"}, "Select a valid choice."),
        ({"persona": "x"}, "is not a valid"),
    ],
)
def test_invalid_input_is_refused_with_the_reason_and_kept(
    browser: Client, wrong: dict[str, str], words: str
) -> None:
    response = browser.post("/sites/new/", WHOLE | wrong)
    shown = response.content.decode()
    assert response.status_code == 422
    assert words in unescape(shown)
    assert not WidgetSite.objects.exists()
    for name, value in (WHOLE | wrong).items():
        if name != "persona":
            assert value.strip() in unescape(shown), name


def test_another_members_persona_cannot_be_chosen(browser: Client, bob: User) -> None:
    bobs_own = Persona.objects.create(owner=bob, name="Bob's secret")
    response = browser.post("/sites/new/", SMALL | {"persona": str(bobs_own.pk)})
    assert response.status_code == 422
    assert "Bob's secret" not in unescape(response.content.decode())


def test_another_members_site_answers_404(browser: Client, bob_browser: Client) -> None:
    site = made(browser, WHOLE)
    key = (
        browser.post(f"/sites/{site.key}/keys/", {"algorithm": "HS256"})
        and IdentityKey.objects.get()
    )
    for rest in ("", "settings/", "deletion/", "preview/", "keys/"):
        assert bob_browser.get(f"/sites/{site.key}/{rest}").status_code == 404
    for rest in ("settings/", "deletion/", "keys/", f"keys/{key.pk}/revocation/"):
        sent = SMALL | {"name": "Taken", "algorithm": "HS256"}
        assert bob_browser.post(f"/sites/{site.key}/{rest}", sent).status_code == 404
    assert "Shop" not in page(bob_browser, "/sites/")
    assert WidgetSite.objects.get().name == "Shop"
    assert IdentityKey.objects.get().revoked_at is None


def test_the_page_says_why_the_chat_is_not_shown(browser: Client) -> None:
    site = made(browser, {"name": "Shop"})
    for path in ("/sites/", f"/sites/{site.key}/", f"/sites/{site.key}/preview/"):
        assert "No website is allowed to show this chat yet" in page(browser, path)
    suspension.suspend(WidgetSite.objects.get(), None)
    for path in ("/sites/", f"/sites/{site.key}/", f"/sites/{site.key}/preview/"):
        assert "Suspended by the administrators of" in page(browser, path)


def test_the_owner_sees_the_usage(browser: Client) -> None:
    site = made(browser, SMALL)
    assert "<dd>0</dd>" in page(browser, f"/sites/{site.key}/")
    meter = Meter(key=f"site:{site.key}")
    from django.utils import timezone

    meter.advance(timezone.now())
    meter.tokens, meter.microdollars = 12345, 1_230_000
    meter.save()
    shown = page(browser, f"/sites/{site.key}/")
    assert "<dd>12,345</dd>" in shown
    assert "<dd>$1.23</dd>" in shown


def test_deleting_asks_for_confirmation(browser: Client) -> None:
    site = made(browser, WHOLE)
    path = f"/sites/{site.key}/deletion/"
    assert "Delete this website?" in page(browser, path)
    assert WidgetSite.objects.exists()
    browser.post(path)
    assert not WidgetSite.objects.exists()
    assert all(purge.steps())
    assert not WidgetSite.all_objects.exists()
    assert not Limit.objects.exists()


@pytest.mark.parametrize(
    ("who", "alice_may", "rita_may"),
    [("members", True, True), ("staff", False, True), ("nobody", False, False)],
)
def test_the_setting_decides_who_creates_sites(
    browser: Client, rita_browser: Client, settings: Settings,
    who: str, alice_may: bool, rita_may: bool,
) -> None:  # fmt: skip
    site = made(browser, SMALL)
    settings.WIDGET_SITES = who
    for client, may in ((browser, alice_may), (rita_browser, rita_may)):
        assert ("/sites/new/" in page(client, "/sites/")) == may
        assert ('href="/sites/"' in page(client, "/settings/")) == may
        assert client.get("/sites/new/").status_code == (200 if may else 404)
        assert client.post("/sites/new/", SMALL).status_code == (302 if may else 404)
    assert browser.get(f"/sites/{site.key}/").status_code == 200


def test_the_number_of_sites_is_limited(browser: Client, settings: Settings) -> None:
    settings.WIDGET_SITES_LIMIT = 1
    site = made(browser, SMALL)
    response = browser.post("/sites/new/", SMALL)
    assert response.status_code == 422
    assert "You've reached the limit of 1." in unescape(response.content.decode())
    assert browser.post(f"/sites/{site.key}/settings/", SMALL).status_code == 302


def test_permitted_staff_suspend_and_delete_but_change_nothing_else(
    browser: Client, bob: User
) -> None:
    site = made(browser, SMALL)
    superuser = User.objects.create_superuser("superuser@example.org", "spring tide")
    client = signed_in(superuser)
    listed = "/admin/chat/widgetsite/"
    assert site.key in page(client, listed)
    why = {"reason": "It was agreed so"}
    client.post(listed, {"action": "suspend", "_selected_action": [site.pk]} | why)
    assert WidgetSite.objects.get().is_suspended
    client.post(listed, {"action": "resume", "_selected_action": [site.pk]} | why)
    assert not WidgetSite.objects.get().is_suspended
    path = f"{listed}{site.pk}/change/"
    sent = {"is_suspended": "on", "name": "Taken", "owner": bob.pk, "origins": "[]"}
    client.post(path, sent | why)
    site = WidgetSite.objects.get()
    assert (site.is_suspended, site.name, site.origins) == (True, "Shop", ["https://shop.example"])
    assert client.get(f"{listed}add/").status_code == 403
    client.post(f"{listed}{site.pk}/delete/", {"post": "yes"} | why)
    assert not WidgetSite.objects.exists()


def test_owners_see_the_limits_that_apply_besides_theirs(browser: Client) -> None:
    site = made(browser, SMALL | {"visitor_requests": "10000"})
    for kind, amount, more in (
        ("visitor", 20, {}),
        ("visitor", 10, {"site": site.key}),
        ("site", 1500, {}),
        ("site", 5, {"site": "another"}),
    ):
        Limit.objects.update_or_create(
            scope=kind, measure="requests", by_owner=False, defaults={"amount": amount}, **more
        )
    shown = page(browser, f"/sites/{site.key}/settings/")
    assert shown.count("The limit set by staff is 10.") == 1
    assert "The limit set by staff is 1,500." in shown
    assert "The limit set by staff is 20." not in shown
    assert "The limit set by staff is 20." in page(browser, "/sites/new/")
