"""Owners choose how the chat looks, and websites show it without a change."""

import json
from typing import Any

import pytest
from django.test import Client

from chat.lib.contrast import contrast
from chat.widget_sites.look.widget_look import WidgetLook
from chat.widget_sites.models import WidgetSite
from tests.support.widget.visitor_client import HOST

pytestmark = pytest.mark.django_db
CHOSEN = {
    "color": "#0B6E4F", "theme": "dark", "lang": "de", "side": "start", "label": "Ask us",
    "header": "color",
}  # fmt: skip


def module_of(shop: WidgetSite, query: str = "", **headers: str) -> dict[str, Any]:
    response = Client().get(f"/w/{shop.key}/look.js{query}", headers={"Origin": HOST} | headers)
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/javascript")
    assert "Accept-Language" in response["Vary"]
    assert "Origin" in response["Vary"]
    assert response["Access-Control-Allow-Origin"] == HOST
    found: dict[str, Any] = json.loads(response.content.decode().removeprefix("export default "))
    return found


def test_a_saved_look_reaches_button_and_frame(browser: Client, shop: WidgetSite) -> None:
    assert module_of(shop)["color"] == ""
    saved = browser.post(f"/sites/{shop.key}/look/", CHOSEN)
    assert saved.status_code == 302
    look = module_of(shop)
    assert (look["color"], look["side"], look["label"]) == ("#0b6e4f", "start", "Ask us")
    assert look["refused"] == "Der Chat ist hier nicht verfügbar."
    frame = Client().get(f"/w/{shop.key}/").content.decode()
    for attribute in (
        'lang="de"',
        'data-theme="dark"',
        'data-color="#0b6e4f"',
        'data-header="color"',
    ):
        assert attribute in frame
    page = browser.get(f"/sites/{shop.key}/look/").content.decode()
    assert 'value="#0b6e4f"' in page
    browser.post(f"/sites/{shop.key}/look/", {})
    shop.refresh_from_db()
    assert WidgetLook.of(shop) == WidgetLook()


def test_the_tag_chooses_the_language_before_the_owner_and_the_browser(
    browser: Client, shop: WidgetSite
) -> None:
    german = "Der Chat ist hier nicht verfügbar."
    english = "The chat isn't available here."
    assert module_of(shop, **{"Accept-Language": "de"})["refused"] == german
    assert module_of(shop, "?lang=en", **{"Accept-Language": "de"})["refused"] == english
    browser.post(f"/sites/{shop.key}/look/", {"lang": "de"})
    assert module_of(shop, **{"Accept-Language": "en"})["refused"] == german
    assert module_of(shop, "?lang=en")["refused"] == english


def test_other_websites_get_no_look(shop: WidgetSite) -> None:
    path = f"/w/{shop.key}/look.js"
    for headers in ({"Origin": "https://elsewhere.example"}, {}):
        assert Client().get(path, headers=headers).status_code == 404
    assert Client().get("/w/guess/look.js", headers={"Origin": HOST}).status_code == 404
    WidgetSite.objects.filter(pk=shop.pk).delete()
    assert Client().get(path, headers={"Origin": HOST}).status_code == 404


def test_an_invalid_look_is_explained_and_not_saved(browser: Client, shop: WidgetSite) -> None:
    asked = {"color": "red", "side": "up", "label": "x" * 61}
    refused = browser.post(f"/sites/{shop.key}/look/", asked)
    assert refused.status_code == 422
    text = refused.content.decode()
    assert "Enter # and six digits" in text
    assert "This has 61 characters" in text
    assert 'value="red"' in text
    shop.refresh_from_db()
    assert shop.look is None


def test_a_hostile_label_stays_text(browser: Client, shop: WidgetSite) -> None:
    hostile = '</script><script>alert(1)</script>" onload="x'
    browser.post(f"/sites/{shop.key}/look/", {"label": hostile})
    raw = Client().get(f"/w/{shop.key}/look.js", headers={"Origin": HOST}).content
    assert b"<" not in raw
    assert module_of(shop)["label"] == hostile
    preview = browser.get(f"/sites/{shop.key}/preview/", {"draft": hostile}).content.decode()
    assert "<script>alert" not in preview


def test_a_faint_color_is_saved_with_a_warning(browser: Client, shop: WidgetSite) -> None:
    saved = browser.post(f"/sites/{shop.key}/look/", {"color": "#ffff66"}, follow=True)
    assert "hard to see" in saved.content.decode()
    saved = browser.post(f"/sites/{shop.key}/look/", {"color": "#0b6e4f"}, follow=True)
    assert "hard to see" not in saved.content.decode()


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#123456", "#123456") == 1


def test_the_preview_may_be_framed_by_our_own_page_only(browser: Client, shop: WidgetSite) -> None:
    policy = browser.get(f"/sites/{shop.key}/preview/")["Content-Security-Policy"]
    assert "frame-ancestors 'self'" in policy
    policy = browser.get(f"/sites/{shop.key}/look/")["Content-Security-Policy"]
    assert "frame-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
