"""Bodies are decoded directly into the expected type; invalid ones cost almost nothing."""

import json
import threading
import uuid
from typing import Any

import msgspec
import pytest
from django.test import AsyncClient
from hypothesis import given
from hypothesis import strategies as st

from chat.errors import BadRequest
from chat.lib.text import clean
from chat.web.front_ends import bodies
from chat.web.http import json_body, refused_requests
from chat.web.http.json_body import decode_body, read_json
from chat.widget_sites.models import WidgetSite
from tests.support.generations.stream_reader import SAME_ORIGIN, read_stream
from tests.support.upstream.upstream_override import ask
from tests.support.web.front_end import HELLO, FrontEnd, body_of
from tests.support.widget.visitor_client import Visiting, visit

JSON = "application/json"
ODD = st.sampled_from(["a", "é", "\\", "\0", "\ud83d", "\ude00", "ud83d", "u0000", '"', "\n", "n"])


class Text(msgspec.Struct):
    text: str
    parts: list[str] = []


@given(st.lists(ODD, max_size=12).map("".join))
def test_characters_that_cannot_be_stored_are_replaced(text: str) -> None:
    assert read_json(json.dumps({"text": text}).encode(), Text).text == clean(text)


def test_a_long_text_with_such_characters_is_refused() -> None:
    emoji = json.dumps({"text": "😀" * 50_000}).encode()
    assert read_json(emoji, Text).text == "😀" * 50_000
    for text in ("x" * 300_000 + "\0", "x" * 300_000 + "\ud83d"):
        with pytest.raises(BadRequest, match="bad_request"):
            read_json(json.dumps({"text": text}).encode(), Text)


def test_decoding_stops_at_the_first_wrong_value() -> None:
    """The rest of this body is not even JSON."""
    with pytest.raises(BadRequest) as caught:
        read_json(b'{"parts":[[],' + b"nonsense" * 1000, Text)
    assert caught.value.public == "parts[0]: expected str, got array."


async def test_a_large_body_is_decoded_off_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[bool] = []

    def noting(body: bytes, shape: Any) -> Any:
        threads.append(threading.current_thread() is threading.main_thread())
        return read_json(body, shape)

    monkeypatch.setattr(json_body, "read_json", noting)
    for length in (10, json_body.INLINE_BYTES):
        await decode_body(json.dumps({"text": "x" * length}).encode(), Text)
    assert threads == [True, False]


async def test_too_many_messages_are_refused_before_they_are_decoded(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.MAX_CONVERSATION_MESSAGES = 10
    monkeypatch.setattr(bodies, "_turn", None)  # whoever calls it fails
    many = {"messages": HELLO["messages"] * 11}
    refused = await ask(alice_client, many)
    assert (refused.status_code, refused.json()["error"]["code"]) == (413, "conversation_full")


class TestStrangers:
    async def test_a_body_beyond_the_limit_is_refused_with_a_message(
        self, shop: WidgetSite
    ) -> None:
        vera = await visit(shop)
        page = FrontEnd(shop)
        text = "x" * 256 * 1024
        refusals = [
            *[await page.post(path, {"prompt": text}) for path in ("chat", "chat/ui", "chat/text")],
            await page.post("chat", b'{"messages":[' + b"[]," * 1_300_000 + b"[]]}"),
            await page.post("v1/chat/completions", {"messages": [{"role": "user", "content": text}]}),
            await vera.send(text),
        ]  # fmt: skip
        for refused in refusals:
            assert (refused.status_code, refused.json()["error"]["code"]) == (413, "body_too_long")
        for refused in refusals[:-1]:
            assert refused["Access-Control-Allow-Origin"] == "https://www.shop.example"

    async def test_after_many_invalid_requests_bodies_are_no_longer_read(
        self, shop: WidgetSite, monkeypatch: pytest.MonkeyPatch, settings: Any
    ) -> None:
        settings.TRUSTED_PROXY_COUNT = 1
        page, neighbour = FrontEnd(shop, address="10.0.0.1"), FrontEnd(shop, address="10.0.0.2")
        for _ in range(refused_requests.MAX_REFUSALS_PER_MINUTE):
            assert (await page.post("chat", b'{"messages":[[]]}')).status_code == 400
        monkeypatch.setattr("chat.web.front_ends.bodies.decode_body", None)
        for path in ("chat", "chat/ui", "v1/chat/completions"):
            refused = await page.post(path, HELLO)
            assert (refused.status_code, refused.json()["error"]["code"]) == (
                429,
                "rate_limit_exceeded",
            )
            assert refused["Retry-After"]
        monkeypatch.undo()
        assert await body_of(await neighbour.post())

    async def test_a_visitors_invalid_requests_are_counted(self, shop: WidgetSite) -> None:
        vera: Visiting = await visit(shop)
        for _ in range(refused_requests.MAX_REFUSALS_PER_MINUTE):
            assert (await vera.post("messages", {"key": 7})).status_code == 400
        assert (await vera.send()).status_code == 429

    async def test_short_requests_with_long_bodies_are_refused(
        self, shop: WidgetSite, alice_client: AsyncClient
    ) -> None:
        vera: Visiting = await visit(shop)
        long = {"challenge": "x" * 40_000, "value": 1, "jwt": "x" * 40_000}
        nowhere = f"/chat/{uuid.uuid4()}"
        refusals = [
            await vera.post("identity", long),
            await FrontEnd(shop).post("session", long),
            await alice_client.post(
                f"{nowhere}/messages/1/rating", long, JSON, headers=SAME_ORIGIN
            ),
            await alice_client.post(
                f"{nowhere}/messages/1/report", long, JSON, headers=SAME_ORIGIN
            ),
        ]
        for refused in refusals:
            assert (refused.status_code, refused.json()["error"]["code"]) == (413, "body_too_long")

    async def test_a_new_visitors_invalid_requests_are_counted(self, shop: WidgetSite) -> None:
        page = FrontEnd(shop)
        for _ in range(refused_requests.MAX_REFUSALS_PER_MINUTE):
            assert (await page.post("session", b"{")).status_code == 400
        assert (await page.post("session", {})).status_code == 429

    async def test_a_members_invalid_messages_are_counted(
        self, alice_client: AsyncClient, bob_client: AsyncClient
    ) -> None:
        async def nonsense(client: AsyncClient) -> int:
            body: Any = await client.post(
                "/chat/messages", {"text": [[]]}, JSON, headers=SAME_ORIGIN
            )
            return body.status_code

        for _ in range(refused_requests.MAX_REFUSALS_PER_MINUTE):
            assert await nonsense(alice_client) == 400
        assert await nonsense(alice_client) == 429
        assert await nonsense(bob_client) == 400

    async def test_other_refusals_do_not_count(self, shop: WidgetSite) -> None:
        page = FrontEnd(shop)
        for _ in range(refused_requests.MAX_REFUSALS_PER_MINUTE + 1):
            assert (await page.fetch("conversations")).status_code == 401
        assert (await read_stream(await page.post())).done

    async def test_a_members_invalid_relay_requests_are_counted_for_them_alone(
        self, alice_client: AsyncClient, bob_client: AsyncClient
    ) -> None:
        for _ in range(refused_requests.MAX_REFUSALS_PER_MINUTE):
            assert (await ask(alice_client, {"messages": [[]]})).status_code == 400
        refused = await ask(alice_client, {"messages": [{"role": "user", "content": "Hello"}]})
        assert (refused.status_code, refused.json()["error"]["code"]) == (
            429,
            "rate_limit_exceeded",
        )
        assert (await ask(bob_client, {"messages": [[]]})).status_code == 400
