"""Who may use audio and image models, and how much they may send."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.generations import model_permissions
from project.asgi.entry_point import uploads
from tests.support.api.api_client import MODEL, ApiClient, new_api_client
from tests.support.api.media_client import FLUX, TRANSCRIPTIONS, draw, speak, transcribe

CALLS = [transcribe, speak, draw]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("call", CALLS)
async def test_a_program_without_a_key_is_refused(call: Any) -> None:
    assert (await call(ApiClient("DUMMY_KEY"))).status_code == 401


@pytest.mark.parametrize("call", CALLS)
async def test_members_and_keys_with_some_models_only_are_refused(
    alice: User, program: ApiClient, call: Any
) -> None:
    restricted = await new_api_client(alice, allowed_models=[MODEL])
    assert (await call(restricted)).status_code == 403
    group = await Group.objects.acreate(name="Team")
    await alice.groups.aadd(group)
    await sync_to_async(model_permissions.set_for)(group, [MODEL])
    assert (await call(program)).json()["error"]["code"] == "model_not_allowed"


async def test_these_models_are_no_chat_models(program: ApiClient) -> None:
    for name in settings.MEDIA_MODELS:
        assert (await program.complete(model=name)).status_code == 404
    listed = {each["id"] for each in (await program.get("/v1/models")).json()["data"]}
    assert not listed & set(settings.MEDIA_MODELS)
    assert (await program.get(f"/v1/models/{FLUX}")).status_code == 404


def test_only_recordings_may_be_long() -> None:
    assert uploads()[TRANSCRIPTIONS] > settings.MAX_AUDIO_BYTES > settings.MAX_BODY_BYTES


async def test_a_session_does_not_open_them(alice_client: AsyncClient) -> None:
    for path in (TRANSCRIPTIONS, "/v1/audio/speech", "/v1/images/generations"):
        assert (await alice_client.post(path, {})).status_code == 401
