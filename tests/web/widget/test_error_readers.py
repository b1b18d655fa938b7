"""Visitors and front ends of a website are told of errors in words of their own."""

import pytest
from django.test import AsyncClient, RequestFactory

from chat.error_responses import reader_of
from chat.errors import ErrorReader
from chat.widget_sites.models import WidgetSite
from tests.support.web.front_end import FrontEnd
from tests.support.widget.visitor_client import Visiting

BUSY = "The chat is very busy. Try again in a moment."
LONG = {"messages": [{"role": "user", "content": "x" * 3_000_000}]}


async def test_a_visitor_is_not_told_to_choose_a_model(vera: Visiting, shop: WidgetSite) -> None:
    sent = await vera.send("/error 3040")
    assert sent.json()["error"]["message"] == BUSY
    shown = await vera.get(f"conversations/{sent['X-Conversation-Id']}")
    assert BUSY in shown.content.decode()


async def test_a_front_end_is_told_the_same(shop: WidgetSite) -> None:
    body = {"messages": [{"role": "user", "content": "/error 3040"}]}
    answer = await FrontEnd(shop).post("chat", body)
    assert answer.json()["error"]["message"] == BUSY


async def test_only_the_frame_keeps_a_draft(vera: Visiting, shop: WidgetSite) -> None:
    in_frame = await vera.send("x" * 3_000_000)
    in_page = await FrontEnd(shop).post("chat", LONG)
    assert in_frame.json()["error"]["message"].endswith("Your draft is saved.")
    assert "draft" not in in_page.json()["error"]["message"]


async def test_a_program_without_a_key_is_told_what_to_send(transactional_db: None) -> None:
    refused = await AsyncClient().post("/chat/stream", {}, content_type="application/json")
    message = refused.json()["error"]["message"]
    assert "signed out" not in message
    assert "draft" not in message


@pytest.mark.parametrize(
    ("path", "headers", "reader"),
    [
        ("/v1/chat/completions", {}, ErrorReader.PROGRAM),
        ("/client/v4/accounts/a/ai/run/m", {}, ErrorReader.PROGRAM),
        ("/chat/stream", {"Authorization": "Bearer k", "Cookie": "a=b"}, ErrorReader.PROGRAM),
        ("/chat/stream", {}, ErrorReader.PROGRAM),
        ("/chat/stream", {"Cookie": "sessionid=a"}, ErrorReader.MEMBER),
        ("/chat/", {"Accept": "text/html"}, ErrorReader.MEMBER),
        ("/w/abc/", {"Accept": "text/html"}, ErrorReader.VISITOR),
        ("/w/abc/messages", {"Authorization": "Bearer k"}, ErrorReader.VISITOR),
        ("/w/abc/chat/ui", {}, ErrorReader.FRONT_END),
        ("/w/abc/v1/chat/completions", {}, ErrorReader.FRONT_END),
        ("/w/abc/chatter", {}, ErrorReader.VISITOR),
    ],
)
def test_the_request_says_who_reads(
    path: str, headers: dict[str, str], reader: ErrorReader
) -> None:
    assert reader_of(RequestFactory(headers=headers).get(path)) is reader
