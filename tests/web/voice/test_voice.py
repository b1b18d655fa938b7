"""Members dictate messages and have answers read aloud, within their limits."""

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.images.models import MessageImage
from chat.generations import model_permissions
from chat.quotas.models import Charge, Limit
from chat.web.voice import views
from tests.support.api.api_client import MODEL
from tests.support.api.media_client import AURA, MELO, WHISPER, sound_of, wav
from tests.support.upstream.raw_upstream import always, plain
from tests.support.upstream.upstream_failures import envelope
from tests.support.upstream.upstream_override import site_with


async def dictate(client: AsyncClient, recording: bytes | None = None, language: str = "") -> Any:
    return await client.post(
        f"/chat/transcription/?language={language}",
        data=wav(2) if recording is None else recording,
        content_type="audio/webm;codecs=opus",
    )


async def speak(client: AsyncClient, text: Any = "Rivers bend.", **more: Any) -> Any:
    return await client.post("/chat/speech/", {"text": text, **more}, "application/json")


async def test_what_is_said_becomes_text_and_is_counted(
    alice: User, alice_client: AsyncClient
) -> None:
    response = await dictate(alice_client)
    assert response.status_code == 200, response.content
    assert "can't hear" in response.json()["text"]
    charge = await Charge.objects.aget()
    assert (charge.user_id, charge.model) == (alice.pk, WHISPER)
    assert charge.microdollars > 0
    assert charge.settled_at
    assert not await MessageImage.objects.aexists()  # no recording is kept


async def test_the_model_learns_the_language_and_the_format(
    alice_client: AsyncClient,
) -> None:
    heard = plain(200, json.dumps({"text": " Hallo. ", "duration": 2.0}).encode())
    async with site_with(always(heard), UPSTREAM_PROTOCOL="openai") as raw:
        assert (await dictate(alice_client, b"sound", "de-CH")).json() == {"text": "Hallo."}
        await dictate(alice_client, b"sound", "no language")
    first, second = raw.requests
    assert b'name="language"\r\n\r\nde\r\n' in first
    assert b'filename="audio.webm"' in first
    assert b'name="language"' not in second


async def test_an_empty_recording_is_refused_in_words(alice_client: AsyncClient) -> None:
    response = await dictate(alice_client, b"")
    assert response.status_code == 400
    assert response.json()["error"]["code"] == "nothing_recorded"
    assert "microphone" in response.json()["error"]["message"]
    assert not await Charge.objects.aexists()


async def test_a_sentence_becomes_sound_and_is_counted(
    alice: User, alice_client: AsyncClient
) -> None:
    response = await speak(alice_client)
    assert (await sound_of(response)).startswith(b"RIFF")
    assert response["Content-Type"] == "audio/wav"  # the emulator's
    assert response["Cache-Control"] == "no-store, no-transform"
    charge = await Charge.objects.aget()
    assert (charge.user_id, charge.model) == (alice.pk, AURA)
    assert charge.microdollars > 0


@pytest.mark.parametrize(("language", "voice"), [("fr-CA", "fr"), ("de", "en"), ("", "en")])
async def test_a_model_with_a_voice_for_each_language_uses_that_of_the_text(
    alice_client: AsyncClient, settings: Settings, language: str, voice: str
) -> None:
    settings.SPEECH_MODEL = MELO
    async with site_with(always(plain(200, b"RIFFsound"))) as raw:
        await sound_of(await speak(alice_client, language=language))
    (request,) = raw.requests
    assert json.loads(request.partition(b"\r\n\r\n")[2])["lang"] == voice


@pytest.mark.parametrize("text", ["", "x" * (views.MAX_SENTENCE_CHARS + 1), 7])
async def test_what_is_no_sentence_is_refused(alice_client: AsyncClient, text: Any) -> None:
    assert (await speak(alice_client, text)).status_code == 400
    assert not await Charge.objects.aexists()


async def test_an_error_of_the_provider_costs_nothing(alice_client: AsyncClient) -> None:
    async with site_with(always(plain(502, envelope(8005)))):
        assert (await dictate(alice_client)).status_code == 502
        assert (await speak(alice_client)).status_code == 502
    assert {each.microdollars async for each in Charge.objects.all()} == {0}


@pytest.mark.parametrize("act", [dictate, speak])
async def test_without_a_model_nothing_is_heard_or_said(
    alice_client: AsyncClient, settings: Settings, act: Any
) -> None:
    settings.DICTATION_MODEL = settings.SPEECH_MODEL = ""
    assert (await act(alice_client)).json()["error"]["code"] == "unknown_model"


@pytest.mark.parametrize("act", [dictate, speak])
async def test_a_group_that_names_its_models_has_no_others(
    alice: User, alice_client: AsyncClient, act: Any
) -> None:
    group = await Group.objects.acreate(name="Readers")
    await alice.groups.aadd(group)
    await sync_to_async(model_permissions.set_for)(group, [MODEL])
    assert (await act(alice_client)).status_code == 403


async def test_neither_counts_as_a_message(alice: User, alice_client: AsyncClient) -> None:
    await Limit.objects.acreate(scope="member", measure="requests", amount=1)
    for act in (dictate, speak, speak):
        assert (await act(alice_client)).status_code == 200


@pytest.mark.parametrize(
    ("act", "most"), [(dictate, "DICTATIONS_PER_MINUTE"), (speak, "SENTENCES_PER_MINUTE")]
)
async def test_too_many_in_a_minute_are_refused(
    alice_client: AsyncClient,
    bob_client: AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
    act: Any,
    most: str,
) -> None:
    monkeypatch.setattr(views, most, 1)
    assert (await act(alice_client)).status_code == 200
    assert (await act(alice_client)).status_code == 429
    assert (await act(bob_client)).status_code == 200
