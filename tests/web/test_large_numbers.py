"""Numbers of rows that no database has are refused like other wrong ones, wherever they are sent."""

import re
import uuid
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.generations.pairs.models import AnswerPair
from tests.support.generations.send import send
from tests.support.web.access_matrix import ALL
from tests.support.web.own_objects import objects_of, path_of
from tests.support.web.signed_in import signed_in_client
from tests.support.widget.visitor_client import Visiting, make_site, visit

pytestmark = pytest.mark.every_variant
LARGE = [2**31, 2**63, 2**70]
#: The parameters of addresses that are numbers.
NUMBERED = {
    "api_key", "case", "dataset", "form", "gap", "group", "invitation", "item", "label", "member", "message", "note", "one",
    "other", "pair", "request", "rule", "run", "sample", "server", "service_key", "user", "view", "warning",
}  # fmt: skip
ROUTES = [
    each
    for each in ALL
    if not each.startswith("admin/") and NUMBERED & set(re.findall(r"\{(\w+)\}", each))
]


@pytest.mark.parametrize("number", LARGE)
async def test_no_address_with_a_large_number_is_a_fault(alice: User, number: int) -> None:
    alice.is_staff = alice.is_superuser = True
    await alice.asave()
    client = await sync_to_async(signed_in_client)(alice)
    client.raise_request_exception = False  # type: ignore[attr-defined]
    hers = await objects_of(alice, client, "chat/{conversation} sites/{key}")
    ids = hers | dict.fromkeys(NUMBERED, str(number))
    statuses = []
    for route in ROUTES:
        for ask in (client.get, client.post):
            response: Any = await ask(path_of(route, ids), {"reason": "A report of today"})
            statuses.append((response.status_code, ask.__name__, route))
    assert [each for each in statuses if each[0] >= 500] == []
    assert sum(status == 404 for status, *_ in statuses) >= len(ROUTES) // 2


@pytest.mark.parametrize("number", [-1, 2**63, 2**70])
@pytest.mark.parametrize("name", ["parent", "retry", "resume", "beside"])
async def test_a_send_with_a_number_that_no_message_can_have_is_refused(
    alice: User, alice_client: AsyncClient, name: str, number: int
) -> None:
    chat = await Conversation.objects.acreate(owner=alice, title="Rivers")
    text = "What is a lake?" if name == "parent" else None
    sent = await send(alice_client, str(chat.pk), text=text, **{name: number})
    assert (sent.status_code, sent.json()["error"]["code"]) == (400, "bad_request")
    assert name in sent.json()["error"]["message"]


@pytest.mark.parametrize("name", ["parent", "retry", "resume"])
async def test_a_visitor_s_send_with_such_a_number_is_refused(alice: User, name: str) -> None:
    visitor: Visiting = await visit(await sync_to_async(make_site)(alice))
    body = {"key": uuid.uuid4().hex, name: 2**63} | ({"text": "Hm?"} if name == "parent" else {})
    sent = await visitor.post("messages", body)
    assert (sent.status_code, sent.json()["error"]["code"]) == (400, "bad_request")


@pytest.mark.parametrize("name", ["parent", "resume", "beside"])
async def test_a_number_of_a_message_does_not_tell_whether_a_stranger_compares_it(
    alice: User, bob: User, bob_client: AsyncClient, name: str
) -> None:
    hers = await Conversation.objects.acreate(owner=alice, title="Hers")
    question = await hers.messages.acreate(role="user", text="What is a lake?")
    compared, other = [
        await hers.messages.acreate(role="assistant", text="Water.", parent=question)
        for _ in range(2)
    ]
    await AnswerPair.objects.acreate(
        question=question, answer_a=compared, model_a="a", model_b="b", is_blind=True
    )
    his = await Conversation.objects.acreate(owner=bob, title="His")
    text = "And a sea?" if name == "parent" else None
    sent = [
        await send(bob_client, str(his.pk), text=text, **{name: each.pk})
        for each in (compared, other)
    ]
    assert [each.status_code for each in sent] == [404, 404]
    assert sent[0].content == sent[1].content
