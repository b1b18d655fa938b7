"""Owners write the chat's texts in each language, and messages that appear by themselves."""

import json
from typing import Any

import pytest
from django.test import Client

from chat.accounts.models import User
from chat.widget_sites.models import WidgetSite
from tests.support.web.signed_in import signed_in
from tests.support.widget.visitor_client import HOST, make_site

pytestmark = pytest.mark.django_db
TEXTS = {
    "label": "Ask us", "welcome": "Hello!", "starters": "What does it cost?\nWhere are you?",
    "texts-de-label": "Fragen?", "texts-de-welcome": "Hallo!", "texts-ar-starters": "كم السعر؟",
}  # fmt: skip
MESSAGE = {
    "message-1-text": "Need help?", "message-1-text_de": "Hilfe gefällig?", "message-1-path": "/shop/*",
    "message-1-seconds": "20", "message-1-scrolled": "50", "message-1-returning": "on",
}  # fmt: skip


def save(client: Client, shop: WidgetSite, sent: dict[str, str]) -> None:
    assert client.post(f"/sites/{shop.key}/look/", sent).status_code == 302


def module_of(shop: WidgetSite, query: str) -> tuple[dict[str, Any], str]:
    """Return the data of the module, and its code."""
    response = Client().get(f"/w/{shop.key}/look.js?{query}", headers={"Origin": HOST})
    text = response.content.decode().removeprefix("export default ")
    data, end = json.JSONDecoder().raw_decode(text)
    return data, text[end:]


def frame_of(shop: WidgetSite, query: str) -> str:
    return Client().get(f"/w/{shop.key}/?{query}").content.decode()


def test_visitors_get_the_texts_of_their_language_or_the_base_ones(
    browser: Client, shop: WidgetSite
) -> None:
    save(browser, shop, TEXTS)
    assert module_of(shop, "lang=en")[0]["label"] == "Ask us"
    assert module_of(shop, "lang=de")[0]["label"] == "Fragen?"
    assert module_of(shop, "lang=ar")[0]["label"] == "Ask us"
    assert "Hello!" in frame_of(shop, "lang=en")
    german = frame_of(shop, "lang=de")
    assert "Hallo!" in german
    assert "What does it cost?" in german
    arabic = frame_of(shop, "lang=ar")
    assert "Hello!" in arabic
    assert "كم السعر؟" in arabic
    assert "What does it cost?" not in arabic
    page = browser.get(f"/sites/{shop.key}/look/").content.decode()
    assert 'value="Fragen?"' in page
    shop.refresh_from_db()
    assert shop.welcome == "Hello!"
    assert shop.starters == ["What does it cost?", "Where are you?"]


def test_size_and_icon_reach_the_button(browser: Client, shop: WidgetSite) -> None:
    before = module_of(shop, "")[0]
    assert before["css"] == ""
    save(browser, shop, {"size": "large", "icon": "none", "label": "Help", "theme": "dark"})
    after = module_of(shop, "")[0]
    assert "--runnel-width:480px" in after["css"]
    assert (before["path"][0], after["path"]) == ("M", "")
    refused = browser.post(f"/sites/{shop.key}/look/", {"icon": "none"})
    assert "Enter a label, or choose an icon." in refused.content.decode()


def test_messages_come_with_the_look_and_their_code_only_then(
    browser: Client, shop: WidgetSite
) -> None:
    data, code = module_of(shop, "")
    assert "messages" not in data
    assert code == ""
    save(browser, shop, MESSAGE)
    data, code = module_of(shop, "lang=de")
    found = data["messages"][0]
    assert found.pop("id") in frame_of(shop, "lang=de")
    assert found == {
        "path": "/shop/*", "seconds": 20, "scrolled": 50, "returning": True, "text": "Hilfe gefällig?",
    }  # fmt: skip
    assert "export" in code
    assert data["consent"] is False
    assert "Need help?" in frame_of(shop, "lang=ar")
    page = browser.get(f"/sites/{shop.key}/look/").content.decode()
    assert "Hilfe gefällig?" in page
    assert 'value="/shop/*"' in page


def test_a_changed_message_has_another_name(browser: Client, shop: WidgetSite) -> None:
    names = set()
    for text in ("Need help?", "Need more help?", "Need help?"):
        save(browser, shop, MESSAGE | {"message-1-text": text})
        names.add(module_of(shop, "lang=en")[0]["messages"][0]["id"])
    assert len(names) == 2


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("path", "shop", "Start with /"),
        ("seconds", "-1", "Enter a whole number"),
        ("scrolled", "101", "Enter a whole number"),
        ("text", "x" * 301, "This has 301 characters"),
        ("text_ar", "x" * 301, "This has 301 characters"),
    ],
)
def test_an_invalid_message_is_explained_and_not_saved(
    browser: Client, shop: WidgetSite, field: str, value: str, words: str
) -> None:
    sent = MESSAGE | {f"message-1-{field}": value}
    refused = browser.post(f"/sites/{shop.key}/look/", sent)
    assert refused.status_code == 422
    assert words in refused.content.decode()
    shop.refresh_from_db()
    assert shop.look is None


def test_a_draft_is_shown_to_who_knows_its_name_and_not_saved(
    browser: Client, shop: WidgetSite
) -> None:
    sent = TEXTS | MESSAGE | {"color": "#ffff66", "message": "1", "texts-de-label": "x" * 61}
    answer = browser.post(f"/sites/{shop.key}/look/draft/", sent).json()
    assert answer["problems"] == [
        "Button label: This has 61 characters. The limit is 60. Shorten it.",
        "The button is hard to see in this color. Choose one with more contrast.",
    ]
    query = f"lang=en&draft={answer['draft']}"
    data, _code = module_of(shop, query)
    assert (data["label"], data["color"], data["isDraft"]) == ("Ask us", "#ffff66", True)
    assert data["messages"][0].keys() == {"id", "text"}  # at once, whatever its conditions
    assert "Hello!" in frame_of(shop, query)
    preview = f"/sites/{shop.key}/preview/?draft={answer['draft']}"
    assert f'data-draft="{answer["draft"]}"' in browser.get(preview).content.decode()
    for other in ("", "draft=", "draft=guess", "draft=" + "a" * 22):
        assert module_of(shop, other)[0]["label"] == ""
    shop.refresh_from_db()
    assert (shop.look, shop.welcome) == (None, "")


def test_a_draft_belongs_to_its_site(browser: Client, shop: WidgetSite, bob: User) -> None:
    path = f"/sites/{shop.key}/look/draft/"
    draft = browser.post(path, TEXTS).json()["draft"]
    assert module_of(make_site(bob), f"draft={draft}")[0]["label"] == ""
    assert signed_in(bob).post(path, TEXTS).status_code == 404


def test_drafts_are_rate_limited(
    browser: Client, shop: WidgetSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.web.widget_sites.views.look.DRAFTS_PER_MINUTE", 2)
    path = f"/sites/{shop.key}/look/draft/"
    assert [browser.post(path).status_code for _ in range(3)] == [200, 200, 429]


def test_hostile_texts_stay_text(browser: Client, shop: WidgetSite) -> None:
    hostile = "</script><img src=x onerror=alert(1)>"
    sent = TEXTS | MESSAGE
    for name in sent:
        if not name.endswith(("path", "seconds", "scrolled", "returning")):
            sent[name] = hostile
    save(browser, shop, sent)
    for page in (frame_of(shop, ""), browser.get(f"/sites/{shop.key}/look/").content.decode()):
        assert "<img src=x" not in page
    data, code = module_of(shop, "")
    assert data["label"] == data["messages"][0]["text"] == hostile
    assert hostile not in code
