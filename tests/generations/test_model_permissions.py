"""Models that a group may use: in the picker, for messages, in the relay, with personas."""

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.generations import model_permissions
from chat.generations.model_permissions import ModelNotAllowed
from chat.generations.models import AllowedModel, Generation
from chat.personas.models import Persona
from chat.upstream import available_models
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import ask

MODELS = list(available_models.offered_models())
DEFAULT, SMALL, OTHER = MODELS[0], MODELS[2], MODELS[3]
HELLO = [{"role": "user", "content": "Hello"}]


@pytest.fixture
def pupils(alice: User) -> Group:
    """Put alice into a group that may use two models, not including the site's default."""
    group = Group.objects.create(name="Pupils")
    alice.groups.add(group)
    model_permissions.set_for(group, [OTHER, SMALL])
    return group


def test_a_member_without_such_a_group_may_use_all_models(pupils: Group, bob: User) -> None:
    bob.groups.add(Group.objects.create(name="Choir"))
    assert list(model_permissions.allowed_to(bob.pk)) == MODELS


def test_models_of_several_groups_are_combined(pupils: Group, alice: User) -> None:
    choir = Group.objects.create(name="Choir")
    model_permissions.set_for(choir, [DEFAULT])
    alice.groups.add(choir, Group.objects.create(name="No matter"))
    assert list(model_permissions.allowed_to(alice.pk)) == [DEFAULT, SMALL, OTHER]


def test_a_group_whose_models_are_gone_may_use_none(pupils: Group, alice: User) -> None:
    AllowedModel.objects.update_or_create(group=pupils, model="@cf/gone")
    AllowedModel.objects.exclude(model="@cf/gone").delete()
    with pytest.raises(ModelNotAllowed):
        model_permissions.find(alice.pk, None)


async def test_the_picker_offers_the_allowed_models(
    pupils: Group, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    for path in ("/chat/", "/settings/", "/personas/new/"):
        shown = (await alice_client.get(path)).content.decode()
        assert f'value="{SMALL}"' in shown
        assert f'value="{DEFAULT}"' not in shown
        assert f'value="{DEFAULT}"' in (await bob_client.get(path)).content.decode()


async def test_a_message_to_a_forbidden_model_is_refused_and_not_stored(
    pupils: Group, alice_client: AsyncClient
) -> None:
    refused = await send(alice_client, text="Hello", model=DEFAULT)
    assert refused.status_code == 403
    error = json.loads(refused.content)
    assert "You don't have access to this model." in json.dumps(error)
    assert not await Generation.objects.aexists()


async def test_a_message_without_a_model_uses_the_first_allowed_one(
    pupils: Group, alice_client: AsyncClient
) -> None:
    for wanted in (None, SMALL):
        response = await send(alice_client, text="Hello", **({"model": wanted} if wanted else {}))
        await read_stream(response)
        assert (await Generation.objects.aget(id=response["X-Generation-Id"])).model == SMALL


async def test_a_retry_with_a_forbidden_model_is_refused(
    pupils: Group, alice_client: AsyncClient
) -> None:
    first = await send(alice_client, text="Hello", model=SMALL)
    await read_stream(first)
    again: dict[str, Any] = {"retry": int(first["X-Message-Id"]), "model": DEFAULT}
    assert (await send(alice_client, first["X-Conversation-Id"], **again)).status_code == 403


async def test_a_personas_forbidden_model_is_skipped(
    pupils: Group, alice: User, alice_client: AsyncClient
) -> None:
    persona = await Persona.objects.acreate(
        owner=alice, name="Sly", model=DEFAULT, fallback_model=DEFAULT
    )
    response = await send(alice_client, text="Hello", persona=str(persona.pk))
    await read_stream(response)
    assert (await Generation.objects.aget(id=response["X-Generation-Id"])).model == SMALL
    generation_settings = await sync_to_async(model_permissions.within)(
        alice.pk, settings_of_persona(persona)
    )
    assert generation_settings.fallback_model == ""


def settings_of_persona(persona: Persona) -> Any:
    from chat.personas.settings import GenerationSettings

    return GenerationSettings.of(persona)


async def test_the_relay_applies_the_same_rules(pupils: Group, alice_client: AsyncClient) -> None:
    refused = await ask(alice_client, {"messages": HELLO, "model": DEFAULT})
    assert refused.status_code == 403
    stream = await read_stream(await ask(alice_client, {"messages": HELLO}))
    assert stream.done
    stream = await read_stream(await ask(alice_client, {"messages": HELLO, "model": OTHER}))
    assert stream.done
