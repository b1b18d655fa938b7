"""A website's server identifies its user with a token that is short-lived and used once."""

import base64
import hashlib
import hmac
import json
import time
import uuid
from typing import Any

import jwt
import pytest
from asgiref.sync import sync_to_async
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message, UnindexedMessage
from chat.conversations.search import long_messages
from chat.conversations.search.messages import Order, find_messages
from chat.conversations.search.query import parse
from chat.generations.models import Generation
from chat.generations.process import server_process
from chat.review.moderation.warnings import ModerationWarning
from chat.widget_sites import identity_keys, visitors
from chat.widget_sites.models import IdentityKey, UsedIdentity, Visitor, WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import site_with
from tests.support.widget.canned_answer import SAYS_AYE
from tests.support.widget.visitor_client import Visiting, site_of, visit

PAIR = Ed25519PrivateKey.generate()
PEM = PAIR.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


@pytest.fixture
async def key(shop: WidgetSite) -> IdentityKey:
    made, _secret = await sync_to_async(identity_keys.make_secret)(shop)
    return made


@pytest.fixture
async def public_key(shop: WidgetSite) -> IdentityKey:
    return await sync_to_async(identity_keys.add_public)(shop, PEM)


def claims(site: WidgetSite, **changes: Any) -> dict[str, Any]:
    """Return the claims of a website's server; None removes a claim."""
    now = int(time.time())
    said = {"sub": "nina", "aud": site.key, "iat": now, "exp": now + 300, "jti": uuid.uuid4().hex}
    return {name: value for name, value in (said | changes).items() if value is not None}


def signed(site: WidgetSite, key: IdentityKey, **changes: Any) -> str:
    return jwt.encode(
        claims(site, **changes), key.verifier, algorithm="HS256", headers={"kid": str(key.pk)}
    )


async def identify(visitor: Visiting, token: Any) -> Any:
    response = await visitor.post("identity", {"jwt": token})
    visitor.take(response)
    return response


async def titles(visitor: Visiting) -> list[str]:
    listed = (await visitor.get("conversations")).json()["conversations"]
    return [each["title"] for each in listed]


async def test_warnings_from_before_the_identification_are_kept(
    shop: WidgetSite, key: IdentityKey, vera: Visiting
) -> None:
    stranger = await Visitor.objects.aget()
    await ModerationWarning.objects.acreate(person_id=stranger.user_id, text="Please mind")
    response = await identify(vera, signed(shop, key))
    assert [each["text"] for each in response.json()["site"]["warnings"]] == ["Please mind"]


async def test_chats_from_before_the_identification_are_kept(
    shop: WidgetSite, key: IdentityKey, vera: Visiting
) -> None:
    first = await vera.send("Before", key="the-same-key")
    await read_stream(first)
    response = await identify(vera, signed(shop, key, name="Nina"))
    assert response.status_code == 200
    assert response.json()["known"] is True
    assert await titles(vera) == ["Before"]
    assert (await read_stream(await vera.send("More", first["X-Conversation-Id"]))).done
    elsewhere = await visit(shop)
    await read_stream(await elsewhere.send("At home", key="the-same-key"))
    await identify(elsewhere, signed(shop, key))
    assert await titles(elsewhere) == ["At home", "Before"]
    assert await Generation.objects.filter(owner__visitor__subject="nina").acount() == 3
    assert (await vera.begin()).json()["known"] is True
    await Visitor.objects.filter(subject="").aupdate(last_seen_at="2020-01-01T00:00Z")
    assert await sync_to_async(visitors.remove_idle)() == 2
    assert await titles(vera) == ["At home", "Before"]


def found(user_id: int, words: str) -> list[str]:
    return [hit.message.text for hit in find_messages(user_id, parse(words), Order.NEWEST).hits]


async def test_moved_chats_are_indexed_later_and_found_by_their_new_owner_only(
    shop: WidgetSite, key: IdentityKey, vera: Visiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_process, "background_jobs", [])  # one is due every two seconds
    async with site_with(SAYS_AYE):
        first = await vera.send("a sentinel river")
        await read_stream(first)
        conversation = first["X-Conversation-Id"]
        await read_stream(await vera.send("東京都の sentinel", conversation))
        stranger = (await Visitor.objects.aget()).user_id
        said = [each async for each in Message.objects.values_list("pk", "created_at")]
        await identify(vera, signed(shop, key))
        nina = (await Visitor.objects.aget(subject="nina")).user_id
        look = sync_to_async(found)
        # Nothing was indexed in the request itself, and the old words find nothing for anybody.
        waiting = [pk async for pk in UnindexedMessage.objects.values_list("pk", flat=True)]
        assert sorted(waiting) == sorted(pk for pk, _ in said)
        assert [each async for each in Message.objects.values_list("pk", "created_at")] == said
        for somebody in (stranger, nina):
            assert await look(somebody, "sentinel ") == []
        assert await sync_to_async(long_messages.index_next)()  # as a background job of any process
        assert not await sync_to_async(long_messages.index_next)()
        assert await look(nina, "sentinel ") == ["東京都の sentinel", "a sentinel river"]
        assert await look(nina, "京都") == ["東京都の sentinel"]
        assert await look(nina, "aye ") == ["Aye", "Aye"]
        for words in ("sentinel ", "京都", "aye "):
            assert await look(stranger, words) == []


async def test_an_answer_continues_while_its_visitor_is_identified(
    shop: WidgetSite, key: IdentityKey, vera: Visiting
) -> None:
    async with site_with(SAYS_AYE):
        response = await vera.send()
        await identify(vera, signed(shop, key))
        again = await vera.get(f"generations/{response['X-Generation-Id']}/stream")
        assert (await read_stream(again)).text == "Aye"
        await read_stream(response)


async def test_two_people_who_share_a_browser_do_not_see_each_others_chats(
    shop: WidgetSite, key: IdentityKey, vera: Visiting
) -> None:
    await identify(vera, signed(shop, key))
    await read_stream(await vera.send("Nina's"))
    await identify(vera, signed(shop, key, sub="otto"))
    assert await titles(vera) == []
    await read_stream(await vera.send("Otto's"))
    await identify(vera, signed(shop, key))
    assert await titles(vera) == ["Nina's"]


async def test_identification_and_shutdown_end_all_tokens_of_the_browser(
    shop: WidgetSite, key: IdentityKey, vera: Visiting
) -> None:
    async def is_worthless(bearer: str, cookie: str) -> bool:
        old = Visiting(shop)
        old.bearer = bearer
        ended = (await old.get("conversations")).status_code == 401
        old = Visiting(shop, cookie)
        await old.begin()
        return ended and await titles(old) == []

    await read_stream(await vera.send("Hers"))
    other_tab = Visiting(shop, vera.cookie)
    await other_tab.begin()
    before = [(each.bearer, each.cookie) for each in (vera, other_tab)]
    await identify(vera, signed(shop, key))
    for held in before:
        assert await is_worthless(*held)
    named = vera.bearer, vera.cookie
    response = await vera.post("shutdown")
    assert response.status_code == 204
    assert "Max-Age=0" in response.headers["Set-Cookie"]
    assert await is_worthless(*named)
    await vera.begin()
    assert await titles(vera) == []
    await identify(vera, signed(shop, key))
    assert await titles(vera) == ["Hers"]


async def test_a_token_signed_with_a_public_key_pair_is_accepted(
    shop: WidgetSite, public_key: IdentityKey, vera: Visiting
) -> None:
    token = jwt.encode(claims(shop), PAIR, algorithm="EdDSA", headers={"kid": str(public_key.pk)})
    assert (await identify(vera, token)).status_code == 200


async def test_a_token_is_accepted_once(
    shop: WidgetSite, key: IdentityKey, vera: Visiting, victor: Visiting
) -> None:
    token = signed(shop, key)
    assert (await identify(vera, token)).status_code == 200
    for thief in (vera, victor):
        response = await identify(thief, token)
        assert (response.status_code, response.json()["error"]["reason"]) == (403, "used")
    assert await UsedIdentity.objects.acount() == 1


async def test_a_token_with_missing_or_invalid_claims_is_refused(
    shop: WidgetSite, key: IdentityKey, vera: Visiting
) -> None:
    now = int(time.time())
    for changes, reason in [
        ({"exp": None}, "claims"),
        ({"iat": None}, "claims"),
        ({"aud": None}, "claims"),
        ({"jti": None}, "claims"),
        ({"sub": None}, "claims"),
        ({"sub": ""}, "claims"),
        ({"sub": "x" * 256}, "claims"),
        ({"sub": "nul \0"}, "claims"),
        ({"sub": "half \ud83d"}, "claims"),
        ({"sub": 7}, "claims"),
        ({"sub": ["nina"]}, "claims"),
        ({"jti": ""}, "claims"),
        ({"jti": 7}, "claims"),
        ({"exp": "soon"}, "unreadable"),
        ({"exp": float("inf")}, "unreadable"),
        ({"iat": float("nan")}, "unreadable"),
        ({"iat": now - 300, "exp": now - 120}, "expired"),
        ({"iat": now, "exp": now + 601}, "lifetime"),
        ({"iat": now, "exp": now + 10**9}, "lifetime"),
        ({"iat": 0}, "lifetime"),
        ({"iat": -(10**30)}, "lifetime"),
        ({"exp": 10**30}, "lifetime"),
        ({"iat": now + 400, "exp": now + 500}, "not_yet"),
        ({"nbf": now + 400}, "not_yet"),
        ({"aud": "another-site"}, "audience"),
        ({"aud": [shop.key, "another-site"]}, "audience"),
        ({"aud": ""}, "claims"),
    ]:
        response = await identify(vera, signed(shop, key, **changes))
        error = response.json()["error"]
        assert (response.status_code, error["code"]) == (403, "invalid_identity_token"), changes
        assert error["reason"] == reason, changes
    assert not await Visitor.objects.exclude(subject="").aexists()
    assert not await UsedIdentity.objects.aexists()
    assert (await vera.get("conversations")).status_code == 200  # still who they were


def forged(header: dict[str, Any], payload: dict[str, Any], secret: bytes) -> str:
    """Sign with HMAC whatever the header says, which no library would do."""

    def part(value: bytes) -> bytes:
        return base64.urlsafe_b64encode(value).rstrip(b"=")

    signing = b".".join(part(json.dumps(each).encode()) for each in (header, payload))
    return (signing + b"." + part(hmac.digest(secret, signing, hashlib.sha256))).decode()


async def test_a_token_not_signed_with_the_right_key_is_refused(
    bob: User, shop: WidgetSite, key: IdentityKey, public_key: IdentityKey, vera: Visiting
) -> None:
    said = claims(shop)
    kid = {"kid": str(key.pk)}
    bob_client = await site_of(bob)
    his, _ = await sync_to_async(identity_keys.make_secret)(bob_client)
    revoked, _ = await sync_to_async(identity_keys.make_secret)(shop)
    await sync_to_async(identity_keys.revoke)(revoked)
    good = signed(shop, key)
    secret = key.verifier.encode()
    tokens = [
        jwt.encode(said, "", algorithm="none", headers=kid),
        forged({"alg": "none", **kid}, said, secret),
        forged({"alg": "None", **kid}, said, secret),
        forged({"alg": "hs256", **kid}, said, secret),
        forged({"alg": "HS512", **kid}, said, secret),
        forged({"alg": "HS256"}, said, secret),
        forged({"alg": "HS256", "kid": 7}, said, secret),
        forged({"alg": "HS256", "kid": "../../dev/null"}, said, b""),
        forged({"alg": "HS256", "kid": str(uuid.uuid4())}, said, secret),
        forged({"alg": "HS256", "kid": str(public_key.pk)}, said, PEM.encode()),
        forged({"alg": "EdDSA", "kid": str(public_key.pk)}, said, PEM.encode()),
        forged({"alg": "HS256", "kid": str(key.pk), "jwk": {"kty": "oct", "k": "AA"}}, said, b"\0"),
        forged({"alg": "HS256", **kid, "crit": ["b64"], "b64": False}, said, secret),
        jwt.encode(said, PAIR, algorithm="EdDSA", headers=kid),
        jwt.encode(said, "another secret, as long as ours is", headers=kid),
        signed(shop, his),
        signed(shop, revoked),
        good[:-2] + ("AA" if good[-2:] != "AA" else "BB"),
        good.rpartition(".")[0] + ".",
        good.rpartition(".")[0],
        ".." , "", "x", "é" * 50, good * 40, "." * 4000,
    ]  # fmt: skip
    for token in tokens:
        response = await identify(vera, token)
        assert response.status_code == 403, token
        assert response.json()["error"]["reason"] in {"signature", "key", "unreadable"}, token
    assert (await identify(vera, good)).status_code == 200


async def test_a_body_without_a_token_is_refused(vera: Visiting) -> None:
    for body in (None, [], {}, {"jwt": 7}, {"jwt": None}, "text"):
        assert (await vera.post("identity", body)).status_code == 400
    assert await Conversation.objects.acount() == 0
