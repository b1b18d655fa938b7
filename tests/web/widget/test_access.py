"""The access matrix below /w/, generated from the URLconf."""

import json
import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.urls import get_resolver
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.images import store
from chat.conversations.models import Conversation
from chat.review.moderation.warnings import ModerationWarning
from chat.web.api import api_callers
from chat.web.widget import urls
from chat.widget_sites import suspension
from chat.widget_sites.models import VisitorToken, WidgetSite
from chat.widget_sites.visitor_tokens import digest_of
from tests.support.api.api_client import new_api_client
from tests.support.generations.send import send
from tests.support.generations.stream_reader import SAME_ORIGIN, read_stream
from tests.support.web.access_matrix import MATRIX, routes
from tests.support.web.attached_images import VISION
from tests.support.widget.pictures import png
from tests.support.widget.visitor_client import Visiting, site_of, visit
from tests.support.widget.visitor_files import use_model

#: GET and POST of vera's objects: as vera, and as another visitor of the same site.
OWN: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "identity": ((405, 405), (400, 400)),
    "page": ((405, 405), (400, 400)),
    "shutdown": ((405, 405), (204, 204)),
    "consent": ((405, 405), (200, 200)),
    # The site asks nothing: tests/web/inbox covers this.
    "details": ((405, 405), (404, 404)),
    "warnings/{warning}": ((405, 405), (200, 404)),
    "conversations": ((200, 200), (405, 405)),
    "conversations/{conversation}": ((200, 404), (405, 405)),
    "conversations/{conversation}/person": ((200, 404), (405, 405)),
    "conversations/{conversation}/person-request": ((405, 405), (200, 404)),
    "conversations/{conversation}/seen": ((405, 405), (200, 404)),
    "conversations/{conversation}/email": ((405, 405), (200, 404)),
    "conversations/{conversation}/transcript": ((405, 405), (200, 404)),
    # There is no takeover to rate: tests/web/inbox covers this.
    "conversations/{conversation}/help-rating": ((405, 405), (404, 404)),
    "images/": ((405, 405), (415, 415)),
    "images/{digest}": ((200, 404), (405, 405)),
    "documents/": ((405, 405), (422, 422)),
    "messages": ((405, 405), (400, 400)),
    "sends/{key}": ((200, 404), (405, 405)),
    "{conversation}/messages": ((405, 405), (200, 404)),
    "{conversation}/messages/{message}": ((200, 404), (405, 405)),
    "{conversation}/messages/{message}/rating": ((405, 405), (200, 404)),
    "{conversation}/messages/{message}/report": ((405, 405), (201, 404)),
    "{conversation}/report": ((405, 405), (201, 404)),
    "generations/{generation}/stream": ((200, 404), (405, 405)),
    "generations/{generation}/cancellation": ((405, 405), (200, 404)),
}
#: What asks for no token: the frame, what it shows to who is new, its session (for pages of ours), a site's look,
#: what answers front ends of listed origins (tests/web/front_ends).
OPEN = {
    "", "challenge", "look.js", "pictures/{digest}", "session", "chat", "chat/text", "chat/html", "chat/ui", "v1/chat/completions",
    "chat/text/{chat}/stream", "chat/ui/{chat}/stream",
}  # fmt: skip
BODIES = {
    "}/rating": {"value": 1},
    "report": {"reason": "harmful"},
    "/email": {"email": "vera@example.org"},
    "/transcript": {"email": "vera@example.org"},
    "/help-rating": {"takeover": 1, "value": 1},
    "{conversation}/messages": {"key": "another-of-veras", "text": "Hi"},
}
ROUTES = sorted(set(routes(urls.of_site)))


def test_every_route_has_an_entry() -> None:
    assert sorted(OWN.keys() | OPEN) == ROUTES
    assert [r for r in routes(get_resolver().url_patterns) if r.startswith("w/{site_key}/")]


class Hers:
    """A chat of vera's that others try to access."""

    def __init__(self, response: Any, warning: str = "0", image: str = "0") -> None:
        self.warning = warning
        self.image = image
        self.ids = {
            name: response[f"X-{name.title()}-Id"]
            for name in ("conversation", "generation", "message")
        }

    def path(self, route: str) -> str:
        for name, value in self.ids.items():
            route = route.replace(f"{{{name}}}", value)
        route = route.replace("{digest}", self.image)
        return route.replace("{key}", "one-of-veras").replace("{warning}", self.warning)

    @staticmethod
    def body(route: str) -> Any:
        found = next((body for end, body in BODIES.items() if route.endswith(end)), {})
        return {**found, "key": uuid.uuid4().hex} if "text" in found else found


@pytest.fixture
async def hers(vera: Visiting) -> Hers:
    response = await vera.send(key="one-of-veras")
    await read_stream(response)
    chat = await Conversation.objects.aget(pk=response["X-Conversation-Id"])
    offers = ("offers_person", "asks_email", "mails_transcripts", "accepts_files")
    await WidgetSite.objects.aupdate(**dict.fromkeys(offers, True))
    await use_model(VISION)
    image = await sync_to_async(store.store)(chat.owner_id, png())
    told = await ModerationWarning.objects.acreate(person_id=chat.owner_id, text="Please mind")
    return Hers(response, str(told.pk), image.digest)


async def drained(response: Any) -> int:
    if response.streaming:
        await read_stream(response)
    return int(response.status_code)


async def test_a_visitor_gets_their_own_objects_and_nobody_elses(
    vera: Visiting, victor: Visiting, hers: Hers
) -> None:
    for route, (got, posted) in sorted(OWN.items(), key=lambda row: row[0] == "shutdown"):
        for who, get_status, post_status in zip(
            (victor, vera), got[::-1], posted[::-1], strict=True
        ):
            assert await drained(await who.get(hers.path(route))) == get_status, route
            asked = await who.post(hers.path(route), hers.body(route))
            assert await drained(asked) == post_status, route


async def test_no_cache_keeps_what_visitors_get(vera: Visiting, hers: Hers) -> None:
    """A computer in a library has other visitors, with other tokens."""
    readable = {route for route, (got, _posted) in OWN.items() if got[0] == 200}
    readable.remove("generations/{generation}/stream")  # streams have headers of their own
    assert len(readable) >= 4
    for route in readable:
        response = await vera.get(hers.path(route))
        assert await drained(response) == 200
        assert "no-store" in response["Cache-Control"], route


async def test_without_a_bearer_token_of_this_site_access_is_refused(
    bob: User, shop: WidgetSite, vera: Visiting, hers: Hers, alice_client: AsyncClient
) -> None:
    """Neither the owner's session, nor another site's visitor, nor a cookie alone is enough."""
    elsewhere = await visit(await site_of(bob))
    ended = await visit(shop)
    await VisitorToken.objects.filter(digest=digest_of(ended.bearer)).aupdate(
        expires_at=timezone.now() - timedelta(seconds=1)
    )
    program = await new_api_client(bob)
    bearers = [
        "", elsewhere.bearer, elsewhere.cookie, ended.bearer, program.text, vera.cookie, vera.bearer + "x",
        vera.bearer[:-1], vera.bearer.upper(), f"rv_{'A' * 43}", "rv_", "x" * 5000, shop.key,
        alice_client.cookies["sessionid"].value, digest_of(vera.bearer), f"{vera.bearer} {vera.bearer}",
        "null",
    ]  # fmt: skip
    for route in OWN:
        for bearer in bearers if route == "conversations" else bearers[:6]:
            thief = Visiting(
                shop, vera.cookie, alice_client
            )  # all that her browser would send along
            thief.bearer = bearer
            get, post = await thief.get(hers.path(route)), await thief.post(hers.path(route), {})
            for answer in (get, post):
                assert answer.status_code in {401, 405}, (route, bearer)
            assert 401 in {get.status_code, post.status_code}
            assert b"token_expired" in get.content + post.content


async def test_the_authorization_header_is_parsed_as_the_standard_says(vera: Visiting) -> None:
    token = vera.bearer
    for header, status in [
        (f"Bearer {token}", 200),
        (f"bearer {token}", 200),
        (f"BEARER  {token}", 200),
        (token, 401),
        (f"Basic {token}", 401),
        (f"Bearer{token}", 401),
        ("Bearer", 401),
    ]:
        assert (await vera.get("conversations", Authorization=header)).status_code == status, header


async def test_a_visitors_token_is_not_accepted_elsewhere(
    bob: User, vera: Visiting, hers: Hers, anonymous_client: AsyncClient
) -> None:
    """Neither at another site nor in the members' chat."""
    other = Visiting(await site_of(bob), vera.cookie)
    other.bearer = vera.bearer
    assert (await other.get("conversations")).status_code == 401
    await other.begin(Authorization=f"Bearer {vera.bearer}")
    assert (await other.get("conversations")).json() == {"conversations": []}
    for id_route in ("conversations/{conversation}", "generations/{generation}/stream"):
        assert (await other.get(hers.path(id_route))).status_code == 404
    headers = {"Authorization": f"Bearer {vera.bearer}", **SAME_ORIGIN}
    for route, (got, _posted) in MATRIX.items():
        if got[0] == 401:
            api_callers.wrong_keys.clear()  # an address may send twenty in a minute
            path = re.sub(r"\{\w+\}", str(uuid.uuid4()), hers.path(route.replace("{case}", "1")))
            assert (await anonymous_client.get(f"/{path}", headers=headers)).status_code == 401, (
                route
            )
    asked = {"key": uuid.uuid4().hex, "text": "Hi"}
    for path, body in (("messages", asked), ("stream", {"prompt": "Hi"})):
        answer = await anonymous_client.post(
            f"/chat/{path}", body, "application/json", headers=headers
        )
        assert answer.status_code == 401


async def test_members_and_visitors_cannot_see_each_others_chats(
    shop: WidgetSite, vera: Visiting, hers: Hers, alice_client: AsyncClient
) -> None:
    """Not even the site's owner can, on the pages with her own chats."""
    own = await send(alice_client, text="Alice's own")
    await read_stream(own)
    for route in ("chat/{conversation}/", "generations/{generation}/stream"):
        assert (await alice_client.get("/" + hers.path(route))).status_code == 404
    alices_ids = Hers(own)
    for route in ("conversations/{conversation}", "generations/{generation}/stream"):
        assert (await vera.get(alices_ids.path(route))).status_code == 404
    posted = await vera.send("Hi", own["X-Conversation-Id"])
    assert posted.status_code == 404
    foreign = await vera.post(
        "messages", {"key": uuid.uuid4().hex, "text": "Hi", "parent": int(own["X-Message-Id"])}
    )
    assert foreign.status_code == 404


async def test_only_our_pages_and_the_sites_get_a_session(shop: WidgetSite) -> None:
    for headers in (
        {},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ):
        answer = await AsyncClient().post(f"/w/{shop.key}/session", headers=headers)
        assert answer.status_code == 404
    assert not await User.all_objects.filter(is_visitor=True).aexists()
    own = {"Origin": "http://testserver"}
    assert (await AsyncClient().post(f"/w/{shop.key}/session", headers=own)).status_code == 200


async def test_invalid_bodies_are_refused_with_a_message(vera: Visiting, hers: Hers) -> None:
    for route in ("messages", "{conversation}/messages", "identity"):
        path = f"/w/{vera.site.key}/{hers.path(route)}"
        headers = {"Authorization": f"Bearer {vera.bearer}"}
        for raw in (b" ", b"{", b"[" * 10_000, b'"x"', b"\xff", b"null", b'{"key":7}'):
            answer = await vera.client.generic(
                "POST", path, raw, "application/json", headers=headers
            )
            assert answer.status_code == 400, (route, raw[:10])
            assert json.loads(answer.content)["error"]["message"].endswith(".")
        for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
            answer = await vera.client.generic(
                "POST", path, b"{}", kind, headers={**headers, "Accept": "text/html"}
            )
            assert answer.status_code == 415


async def test_suspended_and_unknown_sites_get_the_same_response(
    shop: WidgetSite, vera: Visiting
) -> None:
    await sync_to_async(suspension.suspend)(shop, None)
    nowhere = WidgetSite(key="0" * 24)
    for path in ("", "challenge", "session", "chat", "conversations", "messages"):
        answers = []
        for site in (shop, nowhere):
            vera.site = site
            answers.append([await vera.get(path), await vera.post(path, {}, **SAME_ORIGIN)])
        for suspended, unknown in zip(*answers, strict=True):
            assert suspended.status_code == unknown.status_code
            assert suspended.status_code in {404, 405}
            assert suspended.content == unknown.content
            assert set(suspended.headers) == set(unknown.headers)
            assert "X-Frame-Options" in suspended
            assert "frame-ancestors 'none'" in suspended["Content-Security-Policy"]
