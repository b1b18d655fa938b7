"""Pages of a listed origin can do without our frame what a visitor can; other pages cannot."""

from typing import Any

from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.widget_sites.models import Visitor, WidgetSite
from tests.support.generations.stream_reader import SAME_ORIGIN, read_stream
from tests.support.web.cors import EVIL, readable_by
from tests.support.web.front_end import HELLO, FrontEnd, body_of
from tests.support.widget.visitor_client import HOST, Visiting

OURS = "http://testserver"
#: Every route below /w/ that programs use, with its method.
ROUTES = {
    "chat": "POST", "chat/text": "POST", "chat/html": "GET", "chat/ui": "POST",
    "v1/chat/completions": "POST", "chat/text/x/stream": "GET", "chat/ui/x/stream": "GET",
    "session": "POST", "identity": "POST", "shutdown": "POST", "consent": "POST",
    "conversations": "GET", "conversations/{chat}": "GET", "conversations/{chat}/person": "GET",
    "messages": "POST", "{chat}/messages": "POST", "{chat}/messages/1": "GET",
    "{chat}/messages/1/rating": "POST", "{chat}/messages/1/report": "POST", "sends/key": "GET",
    "{chat}/report": "POST", "generations/{chat}/stream": "GET",
    "generations/{chat}/cancellation": "POST", "warnings/1": "POST",
}  # fmt: skip
ANY_ID = "018f0000-0000-7000-8000-000000000000"
SDK_HEADERS = "authorization,content-type,x-stainless-retry-count,last-event-id"


async def test_a_preflight_from_a_listed_origin_is_answered_everywhere(shop: WidgetSite) -> None:
    for route, method in ROUTES.items():
        path = route.format(chat=ANY_ID)
        answer = await FrontEnd(shop).preflight(path, method, SDK_HEADERS)
        assert answer.status_code == 204, route
        assert readable_by(answer) == HOST
        assert method in answer["Access-Control-Allow-Methods"].split(", ")
        assert answer["Access-Control-Allow-Headers"] == SDK_HEADERS


async def test_a_preflight_from_another_origin_is_refused(shop: WidgetSite) -> None:
    for origin in (EVIL, "null", "https://www.shop.example.evil.example", f"{HOST}."):
        for route, method in ROUTES.items():
            path = route.format(chat=ANY_ID)
            answer = await FrontEnd(shop, origin).preflight(path, method)
            assert answer.status_code == 404, route
            assert readable_by(answer) is None


async def test_invalid_header_names_are_not_echoed(shop: WidgetSite) -> None:
    for asked in ("x\r\nSet-Cookie: a=b", "é", "a" * 2000, "<b>", ""):
        answer = await FrontEnd(shop).preflight("chat", asked=asked)
        assert answer["Access-Control-Allow-Headers"].startswith("Authorization, Content-Type")


async def test_only_listed_pages_can_read_refusals(shop: WidgetSite, vera: Visiting) -> None:
    for route, method in ROUTES.items():
        for origin, reader in ((HOST, HOST), (EVIL, None)):
            page = FrontEnd(shop, origin)
            page.headers["Authorization"] = "Bearer rv_none"
            path = route.format(chat=ANY_ID)
            if route == "session":
                continue
            asked = page.fetch(path) if method == "GET" else page.post(path, {})
            answer = await asked
            assert answer.status_code in {401, 404}, route
            assert readable_by(answer) == reader, route


class Page(FrontEnd):
    """A website's page that acts for one visitor and keeps the bearer token."""

    async def begin(self, **headers: str) -> Any:
        response = await self.post("session", {}, **headers)
        if response.status_code == 200:
            self.headers["Authorization"] = f"Bearer {response.json()['token']}"
        return response


async def test_a_page_can_use_a_visitor_with_stored_chats(shop: WidgetSite) -> None:
    page = Page(shop)
    assert readable_by(await page.begin()) == HOST
    sent = await page.post("messages", {"key": "sent-by-the-page", "text": "Where is the river?"})
    assert "X-Conversation-Id" in sent["Access-Control-Expose-Headers"]
    stream = await read_stream(sent)
    chat, message = sent["X-Conversation-Id"], sent["X-Message-Id"]
    listed = await page.fetch("conversations")
    assert [each["id"] for each in listed.json()["conversations"]] == [chat]
    shown = await page.fetch(f"conversations/{chat}")
    assert shown.json()["turns"][1]["text"] == stream.text
    again = await page.fetch(f"generations/{sent['X-Generation-Id']}/stream")
    assert (await read_stream(again)).events() == stream.events()
    rated = await page.post(f"{chat}/messages/{message}/rating", {"value": 1})
    assert rated.status_code == 200
    for answer in (listed, shown, again, rated):
        assert readable_by(answer) == HOST


async def test_the_frames_cookie_is_neither_read_nor_set_for_a_page(
    shop: WidgetSite, vera: Visiting
) -> None:
    """So a website's scripts cannot read what a visitor wrote in the frame."""
    page = Page(shop)
    page.client.cookies = vera.client.cookies
    begun = await page.begin()
    assert "Set-Cookie" not in begun.headers
    assert await Visitor.objects.acount() == 2
    ended = await page.post("shutdown", {})
    assert (ended.status_code, "Set-Cookie" in ended.headers) == (204, False)
    assert (await vera.get("conversations")).status_code == 200


async def test_a_page_continues_as_the_same_visitor_with_its_token(shop: WidgetSite) -> None:
    page = Page(shop)
    await page.begin()
    await read_stream(await page.post("messages", {"key": "sent-by-the-page", "text": "Hello"}))
    before = page.headers["Authorization"]
    await page.begin(Authorization=before)
    assert page.headers["Authorization"] != before
    assert len((await page.fetch("conversations")).json()["conversations"]) == 1
    assert await Visitor.objects.acount() == 1


async def test_another_page_gets_no_session(shop: WidgetSite) -> None:
    for origin in (EVIL, "null", ""):
        refused = await Page(shop, origin).begin()
        assert (refused.status_code, readable_by(refused)) == (404, None)
    assert not await User.all_objects.filter(is_visitor=True).aexists()


async def test_without_a_session_a_page_stops_and_follows_only_its_own_answer(
    shop: WidgetSite, vera: Visiting, settings: Any
) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    page, neighbour = FrontEnd(shop, address="10.0.0.1"), FrontEnd(shop, address="10.0.0.2")
    answer = await page.post()
    await body_of(answer)
    hers = await vera.send("Mine")
    await read_stream(hers)
    own, veras = (f"generations/{each['X-Generation-Id']}" for each in (answer, hers))
    assert (await read_stream(await page.fetch(f"{own}/stream"))).done
    assert (await page.post(f"{own}/cancellation", {})).status_code == 200
    for who, generation in ((neighbour, own), (page, veras), (neighbour, veras)):
        assert (await who.fetch(f"{generation}/stream")).status_code == 404
        assert (await who.post(f"{generation}/cancellation", {})).status_code == 404
    unlisted = FrontEnd(shop, EVIL, address="10.0.0.1")
    assert (await unlisted.fetch(f"{own}/stream")).status_code == 401
    assert await Conversation.objects.acount() == 1


async def test_a_preflight_creates_no_visitor(shop: WidgetSite) -> None:
    url = f"/w/{shop.key}/session"
    for headers in ({"Origin": OURS}, {"Origin": HOST}, {**SAME_ORIGIN, "Origin": OURS}):
        answer = await AsyncClient().options(url, headers=headers)
        assert answer.status_code == 204
    assert not await Visitor.objects.aexists()
    gone = await AsyncClient().options(f"/w/{'0' * 24}/session", headers={"Origin": OURS})
    assert gone.status_code == 404


async def test_a_dummy_api_key_also_stops_and_follows(shop: WidgetSite) -> None:
    page = FrontEnd(shop)
    answer = await page.post("v1/chat/completions", {**HELLO, "stream": True})
    await body_of(answer)
    own = f"generations/{answer['X-Generation-Id']}"
    for key in ("Bearer none", "Bearer sk-1", "Basic eDp5"):
        assert (await page.post(f"{own}/cancellation", {}, Authorization=key)).status_code == 200
        followed = await page.fetch(f"{own}/stream", Authorization=key)
        assert (await read_stream(followed)).done
    ended = await page.post(f"{own}/cancellation", {}, Authorization="Bearer rv_none")
    assert (ended.status_code, ended.json()["error"]["code"]) == (401, "token_expired")
