"""The reasoning effort, set by persona or message, in each model's own form."""

import json
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.generations.models import Generation
from chat.lib.catalogue import read_catalogue
from chat.personas.models import Persona
from chat.widget_sites.models import WidgetSite
from tests.support.generations.send import send, stored
from tests.support.generations.stream_reader import read_stream, read_text
from tests.support.upstream.upstream_override import ask, site_with
from tests.support.web.form_requests import FORM, HTML
from tests.support.web.front_end import FrontEnd
from tests.support.widget.canned_answer import SAYS_AYE
from tests.support.widget.visitor_client import visit

LLAMA = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"  # does not think
GEMMA = "@cf/google/gemma-4-26b-a4b-it"  # enable_thinking
KIMI = "@cf/moonshotai/kimi-k2.6"  # thinking
DEEPSEEK = "@cf/deepseek-ai/deepseek-v4-flash-0731"  # reasoning_effort: none
GPT = "@cf/openai/gpt-oss-20b"  # cannot be told not to think
TOLD = ("reasoning_effort", "chat_template_kwargs")


def told(raw: Any) -> dict[str, Any]:
    sent = json.loads(raw.requests[-1].partition(b"\r\n\r\n")[2])
    return {name: sent[name] for name in TOLD if name in sent}


@pytest.mark.parametrize(
    ("model", "effort", "parameters"),
    [
        (GEMMA, "low", {"reasoning_effort": "low"}),
        (GEMMA, "none", {"chat_template_kwargs": {"enable_thinking": False}}),
        (KIMI, "none", {"chat_template_kwargs": {"thinking": False}}),
        (DEEPSEEK, "none", {"reasoning_effort": "none"}),
        (GPT, "high", {"reasoning_effort": "high"}),
        (GEMMA, None, {}),
    ],
)
async def test_each_model_gets_the_effort_in_its_own_form(
    model: str, effort: str | None, parameters: dict[str, Any], alice_client: AsyncClient
) -> None:
    wanted = {"model": model, "reasoning_effort": effort}
    async with site_with(SAYS_AYE) as raw:
        await read_stream(await ask(alice_client, {"prompt": "Hello", **wanted}))
        assert told(raw) == parameters
        response = await send(alice_client, text="Hello", **wanted)
        await read_stream(response)
        assert told(raw) == parameters
    generation, _answer = await stored(response)
    assert generation.reasoning_effort == (effort or "")


@pytest.mark.parametrize(
    ("model", "effort", "words"),
    [
        (LLAMA, "low", "Llama 3.3 70B doesn't support"),
        (GPT, "none", "GPT-OSS 20B accepts only these values: low, medium, high"),
        (DEEPSEEK, "medium", "accepts only these values: none, low, high"),
        (GEMMA, "hard", "reasoning_effort"),
    ],
)
async def test_a_model_without_the_effort_is_named_in_the_refusal(
    model: str, effort: str, words: str, alice_client: AsyncClient
) -> None:
    wanted = {"model": model, "reasoning_effort": effort}
    for refused in (
        await ask(alice_client, {"prompt": "Hello", **wanted}),
        await send(alice_client, text="Hello", **wanted),
    ):
        assert refused.status_code == 400
        assert words in refused.json()["error"]["message"]
    assert not await Conversation.objects.aexists()


async def test_a_personas_effort_applies_to_all_its_answers(
    alice_client: AsyncClient, alice: User
) -> None:
    persona = await Persona.objects.acreate(owner=alice, name="Quick", reasoning_effort="low")
    wanted = {"persona": str(persona.pk), "model": GEMMA}
    async with site_with(SAYS_AYE) as raw:
        first = await send(alice_client, text="One", **wanted)
        await read_stream(first)
        assert told(raw) == {"reasoning_effort": "low"}
        chat = first["X-Conversation-Id"]
        await read_stream(await send(alice_client, chat, text="Two", model=GEMMA))
        assert told(raw) == {"reasoning_effort": "low"}
        await read_stream(
            await send(alice_client, chat, text="Three", model=GEMMA, reasoning_effort="high")
        )
        assert told(raw) == {"reasoning_effort": "high"}
        await read_stream(await ask(alice_client, {"prompt": "Hello", **wanted}))
        assert told(raw) == {"reasoning_effort": "low"}
        # It is ignored for a model without this setting.
        await read_stream(await send(alice_client, chat, text="Four", model=LLAMA))
        assert told(raw) == {}


async def test_a_sites_persona_sets_the_effort_for_visitors(shop: WidgetSite, alice: User) -> None:
    persona = await Persona.objects.acreate(
        owner=alice, name="Quick", reasoning_effort="low", model=GEMMA
    )
    await WidgetSite.objects.aupdate(persona=persona)
    async with site_with(SAYS_AYE) as raw:
        await read_stream(await (await visit(shop)).send())
        assert told(raw) == {"reasoning_effort": "low"}
        page = FrontEnd(shop)
        await read_stream(await page.post("chat", {"prompt": "Hello"}))
        assert told(raw) == {"reasoning_effort": "low"}
        refused = await page.post("chat", {"prompt": "Hello", "reasoning_effort": "high"})
    assert refused.status_code == 400
    assert refused.json()["error"]["message"].startswith("reasoning_effort: the website's owner")


async def test_a_page_may_set_the_effort_if_the_owner_does_not(
    shop: WidgetSite, alice: User
) -> None:
    persona = await Persona.objects.acreate(owner=alice, name="Any", model=GEMMA)
    await WidgetSite.objects.aupdate(persona=persona)
    async with site_with(SAYS_AYE) as raw:
        response = await FrontEnd(shop).post(
            "chat", {"prompt": "Hello", "reasoning_effort": "none"}
        )
        await read_stream(response)
    assert told(raw) == {"chat_template_kwargs": {"enable_thinking": False}}


class TestTheForm:
    FIELDS = {"name": "Quick", "model": GEMMA, "shared": ""}

    async def test_a_personas_effort_is_stored(self, alice_client: AsyncClient) -> None:
        response = await alice_client.post(
            "/personas/new/", self.FIELDS | {"reasoning_effort": "none"}
        )
        assert response.status_code == 302, response.content.decode()[:3000]
        assert (await Persona.objects.aget()).reasoning_effort == "none"

    async def test_a_persona_whose_model_has_no_effort_is_refused(
        self, alice_client: AsyncClient
    ) -> None:
        fields = self.FIELDS | {"model": LLAMA, "reasoning_effort": "low"}
        response = await alice_client.post("/personas/new/", fields)
        assert "Llama 3.3 70B doesn't support this setting." in unescape(response.content.decode())
        assert not await Persona.objects.aexists()


async def post_form(client: AsyncClient, fields: dict[str, str]) -> Any:
    return await client.post(
        "/chat/messages", data=urlencode(fields), content_type=FORM, headers=HTML
    )


async def test_the_form_without_scripts_sends_the_effort(alice_client: AsyncClient) -> None:
    fields = {"key": "12345678", "message": "Hello", "model": GEMMA, "reasoning_effort": "none"}
    async with site_with(SAYS_AYE) as raw:
        assert (await post_form(alice_client, fields)).status_code == 303
        generation = await Generation.objects.aget()
        await read_stream(await alice_client.get(f"/generations/{generation.pk}/stream"))
    assert told(raw) == {"chat_template_kwargs": {"enable_thinking": False}}
    wrong = await post_form(alice_client, fields | {"key": "87654321", "model": LLAMA})
    assert wrong.status_code == 400


class TestThoughtsThatUseAllTheRoom:
    """`/overthink 900` reasons for more than 512 tokens."""

    @pytest.mark.parametrize("model", [GEMMA, LLAMA, "@cf/qwen/qwq-32b"])
    async def test_an_answer_that_was_only_reasoning_says_so(
        self, model: str, alice_client: AsyncClient
    ) -> None:
        response = await send(alice_client, text="/overthink 900", model=model, max_tokens=512)
        stream = await read_stream(response)
        assert (stream.key("state"), stream.key("finish_reason")) == ("complete", "length")
        assert stream.reasoning
        assert not stream.text
        page = await alice_client.get(f"/chat/{response['X-Conversation-Id']}/")
        assert "Reasoning used up the length limit for this answer." in page.content.decode()

    @pytest.mark.parametrize(
        "more", [{"max_tokens": 2_000}, {"reasoning_effort": "low"}, {"reasoning_effort": "none"}]
    )
    async def test_a_retry_with_more_tokens_or_less_reasoning_gives_an_answer(
        self, more: dict[str, Any], alice_client: AsyncClient
    ) -> None:
        first = await send(alice_client, text="/overthink 900", model=GEMMA, max_tokens=512)
        await read_stream(first)
        retry = {"retry": int(first["X-Message-Id"]), "model": GEMMA, "max_tokens": 512, **more}
        again = await send(alice_client, first["X-Conversation-Id"], **retry)
        stream = await read_stream(again)
        assert stream.text
        assert bool(stream.reasoning) == (more != {"reasoning_effort": "none"})
        generation, _answer = await stored(again)
        assert generation.max_tokens == more.get("max_tokens", 512)

    async def test_max_tokens_is_limited_by_the_model(self, alice_client: AsyncClient) -> None:
        refused = await send(alice_client, text="Hello", max_tokens=0)
        assert refused.status_code == 400
        assert refused.json()["error"]["message"].startswith("max_tokens: ")
        response = await send(alice_client, text="Hello", max_tokens=1_000_000)
        await read_stream(response)
        generation, _answer = await stored(response)
        assert generation.max_tokens == read_catalogue()[LLAMA].longest_answer_tokens


async def test_an_export_contains_the_effort_of_each_attempt(alice_client: AsyncClient) -> None:
    response = await send(
        alice_client, text="Hello", model=GEMMA, reasoning_effort="low", max_tokens=512
    )
    await read_stream(response)
    path = f"/chat/{response['X-Conversation-Id']}/export.json"
    (attempt,) = json.loads(await read_text(await alice_client.get(path)))["messages"][1][
        "attempts"
    ]
    assert (attempt["reasoning_effort"], attempt["max_tokens"]) == ("low", 512)
