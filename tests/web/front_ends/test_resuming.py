"""Event ids for resuming, at the front-end endpoints and at the stream of a generation."""

import json

from chat.generations.task import registry
from chat.widget_sites.models import WidgetSite
from tests.support.generations.event_source import begins_and_waits, last_id
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import site_with
from tests.support.web.front_end import FrontEnd, body_of
from tests.support.widget.canned_answer import SAYS_AYE


async def test_a_front_end_event_id_works_at_the_stream_of_a_generation(
    shop: WidgetSite,
) -> None:
    page = FrontEnd(shop)
    answer, other = await page.post(), await page.post()
    sent, others = await body_of(answer), await body_of(other)
    stream = f"generations/{answer['X-Generation-Id']}/stream"
    second = sent.split(b"id: ")[2].split(b"\n")[0].decode()
    rest = await read_stream(await page.fetch(stream, **{"Last-Event-ID": second}))
    assert rest.events()[0][0] == int(second.rpartition(".")[2]) + 1
    refused = await page.fetch(stream, **{"Last-Event-ID": last_id(others)})
    assert refused.status_code == 400


async def test_an_event_id_that_was_never_sent_is_refused(shop: WidgetSite) -> None:
    page = FrontEnd(shop)
    async with site_with(begins_and_waits):
        body = aiter(await page.post())
        token = last_id(await anext(body)).rpartition(".")[0]
        (live,) = registry.running()
        ahead = f"{token}.{len(live.log) + 1}"
        refused = await page.fetch("chat", **{"Last-Event-ID": ahead})
        assert refused.status_code == 204
        reached = await page.fetch("chat", **{"Last-Event-ID": f"{token}.{len(live.log)}"})
        assert reached.status_code == 200
        await body.aclose()


async def test_nul_is_replaced_in_a_prompt_as_it_is_in_json(shop: WidgetSite) -> None:
    page = FrontEnd(shop)
    async with site_with(SAYS_AYE) as raw:
        await body_of(await page.get(prompt="a\0b"))
        await body_of(await page.post("chat", {"prompt": "a\0b"}))
    got, posted = [json.loads(each.partition(b"\r\n\r\n")[2]) for each in raw.requests]
    assert got["messages"] == posted["messages"] == [{"role": "user", "content": "a\ufffdb"}]
