"""Chats with a persona: what the model is asked, and what happens once the persona is gone."""

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.generations.models import Generation
from chat.personas.models import Persona
from chat.quotas.models import Charge
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import always, in_turn, plain
from tests.support.upstream.upstream_override import ask, site_with
from tests.support.web.asked_models import AYE, body, said

FULL = plain(429, b'{"errors":[{"code":3040,"message":"Capacity temporarily exceeded"}]}')
LLAMA = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"
OSS = "@cf/openai/gpt-oss-20b"
PIRATE = "Talk like a pirate."


@pytest.fixture
def pirate(alice: User) -> Persona:
    return Persona.objects.create(
        owner=alice,
        name="Pirate",
        system_prompt=PIRATE,
        parameters={"temperature": 0.2, "top_k": 5, "seed": 7},
        max_tokens=99,
        cache_seconds=600,
    )


async def test_the_personas_system_prompt_comes_first_in_every_request(
    alice_client: AsyncClient, pirate: Persona
) -> None:
    async with site_with(always(AYE), AI_GATEWAY_ID="main") as raw:
        first = await send(alice_client, text="One", persona=str(pirate.pk))
        await read_stream(first)
        assert said(raw) == [("system", PIRATE), ("user", "One")]
        asked = body(raw)
        assert (asked["temperature"], asked["top_k"], asked["seed"]) == (0.2, 5, 7)
        assert asked["max_tokens"] == 99
        assert b"cf-aig-cache-ttl: 600" in raw.requests[0]
        conversation = first["X-Conversation-Id"]
        await read_stream(await send(alice_client, conversation, text="Two"))
        assert said(raw)[0] == ("system", PIRATE)
        assert len(said(raw)) == 4
        retry = await send(alice_client, conversation, retry=int(first["X-Message-Id"]))
        await read_stream(retry)
        assert said(raw) == [("system", PIRATE), ("user", "One")]
        assert body(raw)["max_tokens"] == 99
        await read_stream(await send(alice_client, conversation, resume=int(retry["X-Message-Id"])))
        assert said(raw)[0] == ("system", PIRATE)
    shown = await alice_client.get(f"/chat/{conversation}/")
    assert ">Pirate</bdi>" in shown.content.decode()


async def test_a_temporary_chat_uses_the_persona_too(
    alice_client: AsyncClient, pirate: Persona
) -> None:
    asked = {"messages": [{"role": "user", "content": "Hello"}], "persona": str(pirate.pk)}
    async with site_with(always(AYE), AI_GATEWAY_ID="main") as raw:
        await read_stream(await ask(alice_client, asked))
        assert said(raw) == [("system", PIRATE), ("user", "Hello")]
        assert (body(raw)["temperature"], body(raw)["max_tokens"]) == (0.2, 99)
        assert b"cf-aig-cache-ttl: 600" in raw.requests[0]
        await read_stream(await ask(alice_client, asked | {"temperature": 1, "max_tokens": 50}))
        assert (body(raw)["temperature"], body(raw)["max_tokens"]) == (1, 50)


@pytest.mark.parametrize("role", ["system", "developer"])
async def test_a_system_message_beside_a_persona_is_refused(
    alice_client: AsyncClient, pirate: Persona, role: str
) -> None:
    messages = [{"role": role, "content": "Forget it"}, {"role": "user", "content": "Hello"}]
    async with site_with(always(AYE)) as raw:
        response = await ask(alice_client, {"messages": messages, "persona": str(pirate.pk)})
    assert response.status_code == 400
    assert response.json()["error"]["code"] == "bad_request"
    assert raw.requests == []


async def test_another_members_persona_cannot_be_used(
    bob_client: AsyncClient, pirate: Persona
) -> None:
    asked = {"messages": [{"role": "user", "content": "Hello"}], "persona": str(pirate.pk)}
    async with site_with(always(AYE)) as raw:
        for response in (
            await ask(bob_client, asked),
            await send(bob_client, text="Hello", persona=str(pirate.pk)),
        ):
            assert response.status_code == 404
            assert response.json()["error"]["code"] == "persona_unavailable"
    assert raw.requests == []
    assert not await Conversation.objects.aexists()


@pytest.mark.parametrize("wrong", ["", "x", 5, ["x"]])
async def test_an_invalid_persona_id_is_refused(alice_client: AsyncClient, wrong: Any) -> None:
    response = await send(alice_client, text="Hello", persona=wrong)
    assert response.status_code == 400
    assert response.json()["error"]["message"].startswith("persona: ")


async def test_a_chat_keeps_the_persona_it_started_with(
    alice_client: AsyncClient, pirate: Persona
) -> None:
    async with site_with(always(AYE)):
        first = await send(alice_client, text="One")
        await read_stream(first)
        conversation = first["X-Conversation-Id"]
        response = await send(alice_client, conversation, text="Two", persona=str(pirate.pk))
    assert response.status_code == 400
    assert (await Conversation.objects.aget()).persona_id is None


async def test_an_edited_persona_affects_later_answers(
    alice_client: AsyncClient, pirate: Persona
) -> None:
    async with site_with(always(AYE)) as raw:
        first = await send(alice_client, text="One", persona=str(pirate.pk))
        await read_stream(first)
        pirate.system_prompt, pirate.parameters, pirate.name = "Talk like a queen.", {}, "Queen"
        await pirate.asave()
        await read_stream(await send(alice_client, first["X-Conversation-Id"], text="Two"))
        assert said(raw)[0] == ("system", "Talk like a queen.")
        assert "temperature" not in body(raw)
    shown = await alice_client.get(f"/chat/{first['X-Conversation-Id']}/")
    assert ">Queen</bdi>" in shown.content.decode()


@pytest.mark.parametrize("way", ["deleted", "no longer shared"])
async def test_a_chat_continues_with_its_last_settings_once_the_persona_is_gone(
    alice_client: AsyncClient, alice: User, pirate: Persona, way: str
) -> None:
    group = await Group.objects.acreate(name="Sailors")
    await alice.groups.aadd(group)
    await pirate.groups.aadd(group)
    pirate.owner, its_id = None, str(pirate.pk)
    await pirate.asave()
    async with site_with(always(AYE)) as raw:
        first = await send(alice_client, text="One", persona=its_id)
        await read_stream(first)
        if way == "deleted":
            await pirate.adelete()
        else:
            await alice.groups.aremove(group)
            pirate.system_prompt = "Not for alice."
            await pirate.asave()
        await read_stream(await send(alice_client, first["X-Conversation-Id"], text="Two"))
        assert said(raw)[0] == ("system", PIRATE)
        assert body(raw)["temperature"] == 0.2
        assert (await send(alice_client, text="New", persona=its_id)).status_code == 404
    shown = await alice_client.get(f"/chat/{first['X-Conversation-Id']}/")
    assert ">Pirate</bdi>" in shown.content.decode()


async def test_the_personas_model_answers_if_none_is_chosen(
    alice_client: AsyncClient, pirate: Persona
) -> None:
    pirate.model = LLAMA
    await pirate.asave()
    async with site_with(always(AYE)) as raw:
        await read_stream(await send(alice_client, text="One", persona=str(pirate.pk)))
        assert f"/ai/run/{LLAMA} ".encode() in raw.requests[0]
        await read_stream(await send(alice_client, text="One", persona=str(pirate.pk), model=OSS))
        assert f"/ai/run/{OSS} ".encode() in raw.requests[1]
        pirate.model = "gone/model"
        await pirate.asave()
        await read_stream(await send(alice_client, text="One", persona=str(pirate.pk)))
    assert [each.model async for each in Generation.objects.order_by("started_at")][:2] == [
        LLAMA,
        OSS,
    ]


async def test_the_personas_fallback_model_answers_and_is_charged(
    alice_client: AsyncClient, pirate: Persona
) -> None:
    pirate.fallback_model = LLAMA
    await pirate.asave()
    asked = {"messages": [{"role": "user", "content": "Hello"}], "persona": str(pirate.pk)}
    async with site_with(in_turn(FULL, AYE, FULL, AYE), UPSTREAM_RETRIES=0) as raw:
        stream = await read_stream(await send(alice_client, text="One", persona=str(pirate.pk)))
        assert stream.key("model") == LLAMA
        assert f"/ai/run/{LLAMA} ".encode() in raw.requests[1]
        await read_stream(await ask(alice_client, asked))
        assert f"/ai/run/{LLAMA} ".encode() in raw.requests[3]


async def test_the_system_prompt_is_included_in_the_reserved_cost(
    alice_client: AsyncClient, pirate: Persona
) -> None:
    pirate.system_prompt = "word " * 2000
    await pirate.asave()
    async with site_with(always(AYE)):
        await read_stream(await send(alice_client, text="One"))
        await read_stream(await send(alice_client, text="One", persona=str(pirate.pk)))
    plain_one, with_it = [each async for each in Charge.objects.order_by("created_at")]
    assert with_it.prompt_tokens - plain_one.prompt_tokens > 3000


async def test_a_system_prompt_that_fits_no_model_is_reported(
    alice_client: AsyncClient, pirate: Persona
) -> None:
    pirate.system_prompt = "w" * 100_000
    await pirate.asave()
    async with site_with(always(AYE)) as raw:
        model = "@cf/meta/llama-3.1-8b-instruct-fp8"
        response = await send(alice_client, text="One", persona=str(pirate.pk), model=model)
        assert response.status_code == 413
        assert response.json()["error"]["code"] == "persona_too_long"
    assert raw.requests == []


async def test_a_form_without_scripts_starts_with_the_persona(
    alice_client: AsyncClient, pirate: Persona
) -> None:
    fields = {"key": "form-send-1", "message": "One", "model": OSS, "persona": str(pirate.pk)}
    html = {"Accept": "text/html"}
    urlencoded = "application/x-www-form-urlencoded"
    async with site_with(always(AYE)) as raw:
        sent = "&".join(f"{name}={value}" for name, value in fields.items())
        response = await alice_client.post(
            "/chat/messages", sent, content_type=urlencoded, headers=html
        )
        assert response.status_code == 303
        for _ in range(100):
            if raw.requests:
                break
            await read_stream(await send(alice_client, text="Two"))
        assert ("system", PIRATE) in said(raw, 0)
        wrong = sent.replace("form-send-1", "form-send-2").replace(str(pirate.pk), "x")
        response = await alice_client.post(
            "/chat/messages", wrong, content_type=urlencoded, headers=html
        )
    assert response.status_code == 404
