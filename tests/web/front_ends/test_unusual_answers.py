"""Answers that are not plain text, at every front-end endpoint."""

from typing import Any

import pytest

from chat.personas.models import Persona
from chat.widget_sites.models import WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import always, plain, stream_of
from tests.support.upstream.upstream_override import site_with
from tests.support.web.answer_text import said_in
from tests.support.web.endpoints import ENDPOINTS
from tests.support.web.front_end import FrontEnd
from tests.support.widget.visitor_client import Visiting

GEMMA = "@cf/google/gemma-4-26b-a4b-it"  # OpenAI's shape; the site's own model is native


async def said(shop: WidgetSite, endpoint: str, text: str, **more: Any) -> str:
    body = {"messages": [{"role": "user", "content": text}], **more}
    return await said_in(endpoint, await FrontEnd(shop).post(endpoint, body))


@pytest.mark.parametrize("model", ["", GEMMA])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_the_text_arrives_whatever_its_format(
    endpoint: str, model: str, shop: WidgetSite
) -> None:
    persona = await Persona.objects.acreate(name="Clerk", model=model, owner_id=shop.owner_id)
    await WidgetSite.objects.aupdate(persona=persona)
    for text, word in (
        ("/object Why?", "levels"),
        ("/number 4711", "4711"),
        ("/refuse", "help with that"),
        ("/message Once", "Once"),
        ("/json Whole", "Whole"),
    ):
        for stream in (True, False) if endpoint.startswith("v1") else (True,):
            assert word in await said(shop, endpoint, text, stream=stream), (text, stream)


@pytest.mark.parametrize("answer", [stream_of(), plain(200, b"")])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_an_empty_body_does_not_claim_that_anything_was_saved(
    endpoint: str, answer: bytes, shop: WidgetSite
) -> None:
    async with site_with(always(answer), UPSTREAM_RETRIES=0):
        refused = await FrontEnd(shop).post(endpoint)
    assert refused.status_code == 502
    assert "kept" not in refused.json()["error"]["message"]


async def test_a_returning_visitor_sees_that_a_filter_ended_the_answer(
    vera: Visiting,
) -> None:
    response = await vera.send("/filtered 5")
    await read_stream(response)
    shown = await vera.get(f"conversations/{response['X-Conversation-Id']}")
    assert shown.json()["turns"][1]["finish_reason"] == "content_filter"
