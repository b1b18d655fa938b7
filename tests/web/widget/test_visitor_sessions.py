"""A visitor's session, messages and stored chats."""

import json
from base64 import b64decode
from typing import Any

from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.personas.models import Persona
from chat.quotas.models import Charge
from chat.widget_sites import visitor_tokens
from chat.widget_sites.models import Visitor, VisitorToken, WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import site_with
from tests.support.widget.canned_answer import SAYS_AYE
from tests.support.widget.visitor_client import HOST, Visiting


async def test_a_session_contains_what_the_page_needs(shop: WidgetSite) -> None:
    await WidgetSite.objects.aupdate(
        welcome="Ask us.", starters=["Prices?"], consent="We keep it.", retention_days=30,
        privacy_url="https://www.shop.example/privacy",
    )  # fmt: skip
    visitor = Visiting(shop)
    told = (await visitor.begin()).json()
    assert told.pop("token").startswith("rv_")
    assert len(b64decode(told.pop("draft_key"))) == 32
    assert told == {
        "expires_in_seconds": 3600,
        "known": False,
        "site": {
            "name": "Shop",
            "welcome": "Ask us.",
            "starters": ["Prices?"],
            "consent": {"text": "We keep it.", "agreed": False},
            "asks_details": False,
            "given_email": "",
            "privacy_url": "https://www.shop.example/privacy",
            "retention_days": 30,
            "watches_pages": False,
            "warnings": [],
        },
    }


async def test_a_message_is_answered_and_stored(vera: Visiting) -> None:
    response = await vera.send("Where is the harbour?")
    stream = await read_stream(response)
    assert stream.done
    listed = (await vera.get("conversations")).json()["conversations"]
    assert [(each["id"], each["title"]) for each in listed] == [
        (response["X-Conversation-Id"], "Where is the harbour?")
    ]
    shown = (await vera.get(f"conversations/{listed[0]['id']}")).json()
    question, answer = shown["turns"]
    assert (question["role"], question["text"]) == ("user", "Where is the harbour?")
    assert answer == {
        "id": int(response["X-Message-Id"]),
        "parent": question["id"],
        "role": "assistant",
        "reasoning": "",
        "text": stream.text,
        "created_at": answer["created_at"],
        "state": "complete",
        "generation": response["X-Generation-Id"],
    }
    place = f"{response['X-Conversation-Id']}/messages/{response['X-Message-Id']}"
    assert (await vera.get(place)).json() == answer  # nothing of its model, cost or timing here too


async def test_a_visitor_can_resume_rate_and_retry_like_a_member(vera: Visiting) -> None:
    first = await vera.send(key="one-of-veras")
    stream = await read_stream(first)
    conversation, message = first["X-Conversation-Id"], first["X-Message-Id"]
    again = await vera.get(f"generations/{first['X-Generation-Id']}/stream")
    assert (await read_stream(again)).text == stream.text
    assert (
        await vera.post(f"generations/{first['X-Generation-Id']}/cancellation")
    ).status_code == 200
    place = f"{conversation}/messages/{message}"
    assert (await vera.get(place)).json()["text"] == stream.text
    assert (await vera.post(f"{place}/rating", {"value": 1})).json() == {"value": 1}
    assert (await vera.get(f"conversations/{conversation}")).json()["turns"][1]["rating"][
        "value"
    ] == 1
    assert (await vera.get("sends/one-of-veras")).json() == {"conversation": conversation}
    more = await vera.post(
        f"{conversation}/messages", {"key": "retry-of-hers", "retry": int(message)}
    )
    assert (await read_stream(more)).done


async def test_the_cookie_brings_back_the_same_visitor(shop: WidgetSite, vera: Visiting) -> None:
    await read_stream(await vera.send())
    later = Visiting(shop, vera.cookie)
    await later.begin()
    assert later.bearer != vera.bearer
    assert later.cookie != vera.cookie
    assert len((await later.get("conversations")).json()["conversations"]) == 1
    assert len((await vera.get("conversations")).json()["conversations"]) == 1  # another tab


async def test_only_the_frame_gets_the_key_of_the_visitors_drafts(
    shop: WidgetSite, vera: Visiting
) -> None:
    """The website's pages keep the drafts, encrypted, for a frame without storage."""
    first = (await vera.begin()).json()["draft_key"]
    later = Visiting(shop, vera.cookie)
    assert (await later.begin()).json()["draft_key"] == first
    assert (await Visiting(shop).begin()).json()["draft_key"] != first
    page = Visiting(shop, vera.cookie)
    page.bearer = vera.bearer
    told = await page.begin(**{"Origin": HOST, "Sec-Fetch-Site": "cross-site"})
    assert told.status_code == 200
    assert "draft_key" not in told.json()


async def test_a_cookie_ends_once_its_successor_is_used(shop: WidgetSite, vera: Visiting) -> None:
    first = vera.cookie
    await vera.begin()
    second = vera.cookie
    vera.cookie = first  # the answer got lost on its way
    await vera.begin()
    third = vera.cookie
    await vera.begin()
    assert await Visitor.objects.acount() == 1
    for spent in (first, second):
        await Visiting(shop, spent).begin()
    assert await Visitor.objects.acount() == 3
    assert third not in (first, second)


async def test_without_cookies_the_last_token_identifies_the_visitor(
    shop: WidgetSite, vera: Visiting
) -> None:
    await read_stream(await vera.send())
    vera.cookie = ""
    await vera.begin(Authorization=f"Bearer {vera.bearer}")
    assert len((await vera.get("conversations")).json()["conversations"]) == 1


async def test_a_visitor_has_ten_tokens_of_each_kind_at_most(
    shop: WidgetSite, vera: Visiting
) -> None:
    async def are_few() -> bool:
        counts = [
            await VisitorToken.objects.filter(kind=kind).acount() for kind in visitor_tokens.Kind
        ]
        return all(0 < count <= visitor_tokens.MAX_PER_KIND for count in counts)

    await read_stream(await vera.send())
    first = vera.cookie
    vera.cookie = ""
    for _ in range(visitor_tokens.MAX_PER_KIND + 2):  # no cookie comes back: by the last bearer
        await vera.begin(Authorization=f"Bearer {vera.bearer}")
        vera.cookie = ""
    assert await are_few()
    assert len((await vera.get("conversations")).json()["conversations"]) == 1
    await Visiting(shop, first).begin()  # the oldest has ended: this is somebody new
    assert await Visitor.objects.acount() == 2


async def test_a_cookie_that_is_used_repeatedly_stays_valid(
    shop: WidgetSite, vera: Visiting
) -> None:
    await read_stream(await vera.send())
    first = vera.cookie
    for _ in range(visitor_tokens.MAX_PER_KIND + 2):  # each answer gets lost on its way
        later = Visiting(shop, first)
        await later.begin()
    assert await Visitor.objects.acount() == 1
    assert len((await later.get("conversations")).json()["conversations"]) == 1
    assert await VisitorToken.objects.acount() <= 2 * visitor_tokens.MAX_PER_KIND


async def test_the_cookie_is_partitioned(shop: WidgetSite, settings: Settings) -> None:
    settings.SECURE, settings.SECURE_SSL_REDIRECT = True, False
    header = (await Visiting(shop).begin()).headers["Set-Cookie"]
    assert header.startswith(f"__Host-visitor-{shop.key}=rc_")
    assert header.endswith("Max-Age=2592000; Path=/; Secure; HttpOnly; SameSite=None; Partitioned")


async def test_only_digests_of_tokens_are_stored(vera: Visiting) -> None:
    stored = [str(row) for row in await all_of(VisitorToken.objects.values())]
    for secret in (vera.bearer, vera.cookie):
        assert len(secret) > 40
        assert not any(secret in row for row in stored)


async def all_of(query: Any) -> list[Any]:
    return [row async for row in query]


async def test_answers_use_the_sites_persona(alice: User, shop: WidgetSite, vera: Visiting) -> None:
    persona = await Persona.objects.acreate(
        owner=alice, name="Clerk", system_prompt="You sell boats.", max_tokens=77,
        parameters={"temperature": 0.5},
    )  # fmt: skip
    await WidgetSite.objects.aupdate(persona=persona)
    async with site_with(SAYS_AYE) as raw:
        for name in ("model", "persona", "system", "temperature", "max_tokens"):
            refused = await vera.send(**{name: 9})
            assert refused.status_code == 400
            assert refused.json()["error"]["message"].startswith(f"{name}: ")
        assert (await read_stream(await vera.send())).text == "Aye"
    asked = json.loads(raw.requests[0].partition(b"\r\n\r\n")[2])
    assert asked["messages"] == [
        {"role": "system", "content": "You sell boats."},
        {"role": "user", "content": "Hello"},
    ]
    assert (asked["max_tokens"], asked["temperature"]) == (77, 0.5)


async def test_a_site_with_a_consent_text_answers_only_after_consent(
    shop: WidgetSite, vera: Visiting
) -> None:
    await WidgetSite.objects.aupdate(consent="We keep it.")
    refused = await vera.send()
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "consent_required")
    assert not await Conversation.objects.aexists()
    assert (await vera.post("consent")).json() == {"agreed": True}
    assert (await read_stream(await vera.send())).done
    assert (await vera.begin()).json()["site"]["consent"]["agreed"] is True


async def test_a_visitors_answers_count_for_site_visitor_and_address(
    shop: WidgetSite, vera: Visiting
) -> None:
    await read_stream(await vera.send())
    charge = await Charge.objects.aget()
    visitor = await Visitor.objects.aget()
    assert charge.user_id is None
    assert charge.keys == [
        "everyone",
        "address:127.0.0.1",
        f"site:{shop.key}",
        f"site_address:{shop.key}:127.0.0.1",
        f"visitor:{visitor.pk.hex}",
        "visitors",
    ]


async def test_only_the_sites_pages_may_embed_the_frame(
    shop: WidgetSite, anonymous_client: AsyncClient
) -> None:
    response = await anonymous_client.get(f"/w/{shop.key}/")
    policy = response["Content-Security-Policy"]
    assert f"frame-ancestors 'self' {HOST} https://*.shop.example;" in policy + ";"
    assert "require-trusted-types-for 'script'" in policy
    assert "unsafe" not in policy
    assert "X-Frame-Options" not in response
    await WidgetSite.objects.aupdate(origins=[])
    policy = (await anonymous_client.get(f"/w/{shop.key}/"))["Content-Security-Policy"]
    assert "frame-ancestors 'self';" in policy + ";"


async def test_members_cookies_are_neither_read_nor_set(
    shop: WidgetSite, alice_client: AsyncClient
) -> None:
    for path in ("", "session", "conversations", "nowhere"):
        response = await alice_client.get(f"/w/{shop.key}/{path}")
        assert "Set-Cookie" not in response.headers
        assert not response.cookies
    visitor = Visiting(shop, client=alice_client)
    response = await visitor.begin()
    assert not response.cookies
    assert (await vera_sends(visitor)).status_code == 200


async def vera_sends(visitor: Visiting) -> Any:
    response = await visitor.send()
    await read_stream(response)
    return response
