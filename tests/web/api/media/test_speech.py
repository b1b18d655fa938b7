"""Texts are read aloud, relayed as they arrive, and counted by their length."""

import base64
import json
from typing import Any

import pytest

from chat.accounts.models import User
from chat.quotas.models import Charge
from tests.support.api.api_client import MODEL, ApiClient
from tests.support.api.media_client import AURA, MELO, sound_of, speak
from tests.support.upstream.raw_upstream import always, plain
from tests.support.upstream.upstream_failures import envelope
from tests.support.upstream.upstream_override import site_with


async def test_a_text_is_answered_with_sound(program: ApiClient) -> None:
    response = await speak(program)
    assert response["Content-Type"] == "audio/wav"  # what the emulator sends, whatever is asked
    assert (await sound_of(response)).startswith(b"RIFF")
    assert response["Cache-Control"] == "no-store, no-transform"


async def test_a_model_that_answers_in_json_gives_the_same(program: ApiClient) -> None:
    assert await sound_of(await speak(program, model=MELO)) == await sound_of(await speak(program))


async def asked_of(program: ApiClient, sent: bytes = b"ID3sound", **options: Any) -> Any:
    """Return the response, and the JSON that Workers AI was asked with."""
    async with site_with(always(plain(200, sent, "audio/mpeg"))) as raw:
        response = await speak(program, **options)
        body = await sound_of(response)
        assert body == sent
    return response, json.loads(raw.requests[0].partition(b"\r\n\r\n")[2])


@pytest.mark.parametrize(
    ("given", "kind", "sent"),
    [
        ({}, "audio/mpeg", {"encoding": "mp3"}),
        ({"response_format": "opus"}, "audio/ogg", {"encoding": "opus", "container": "ogg"}),
        ({"response_format": "wav"}, "audio/wav", {"encoding": "linear16", "container": "wav"}),
        (
            {"response_format": "pcm"},
            "audio/pcm",
            {"encoding": "linear16", "container": "none", "sample_rate": 24000},
        ),
    ],
)
async def test_each_format_is_asked_for_in_the_models_words(
    program: ApiClient, given: dict[str, Any], kind: str, sent: dict[str, Any]
) -> None:
    response, asked = await asked_of(program, **given)
    assert response["Content-Type"] == kind
    assert asked == {"text": "Hello", "speaker": "angus", **sent}


async def test_a_voice_of_the_model_is_asked_for(program: ApiClient) -> None:
    _response, asked = await asked_of(program, voice="luna")
    assert asked["speaker"] == "luna"
    _response, asked = await asked_of(program, voice={"id": "zeus"})
    assert asked["speaker"] == "zeus"


async def test_a_language_is_the_voice_of_melotts(program: ApiClient) -> None:
    answer = json.dumps({"result": {"audio": base64.b64encode(b"ID3").decode()}}).encode()
    async with site_with(always(plain(200, answer))) as raw:
        assert await sound_of(await speak(program, model=MELO, voice="fr")) == b"ID3"
    assert json.loads(raw.requests[0].partition(b"\r\n\r\n")[2]) == {
        "prompt": "Hello",
        "lang": "fr",
    }


async def test_an_openai_compatible_provider_is_asked_at_its_address(program: ApiClient) -> None:
    answer = always(plain(200, b"\xff\xfbsound", "audio/mpeg"))
    async with site_with(answer, UPSTREAM_PROTOCOL="openai") as raw:
        response = await speak(program, voice="luna")
        assert await sound_of(response) == b"\xff\xfbsound"
    assert raw.requests[0].startswith(b"POST /client/v4/audio/speech ")
    asked = json.loads(raw.requests[0].partition(b"\r\n\r\n")[2])
    expected = {"model": AURA, "input": "Hello", "voice": "luna", "response_format": "mp3"}
    assert asked == expected


async def test_a_call_counts_by_the_length_of_the_text(program: ApiClient, alice: User) -> None:
    await sound_of(await speak(program, "x" * 2000))
    await sound_of(await speak(program, "x" * 2100, model=MELO))
    aura, melo = [each async for each in Charge.objects.order_by("created_at")]
    assert (aura.user_id, aura.model, aura.microdollars) == (alice.pk, AURA, 30_000)
    assert melo.microdollars == 600  # three minutes at $0.0002
    assert aura.settled_at
    assert melo.settled_at


@pytest.mark.parametrize(
    "answer",
    [plain(502, envelope(8005)), plain(200, b"", "audio/mpeg")],
)
async def test_an_error_of_the_provider_costs_nothing(program: ApiClient, answer: bytes) -> None:
    async with site_with(always(answer)):
        assert (await speak(program)).status_code == 502
    assert (await Charge.objects.aget()).microdollars == 0


@pytest.mark.parametrize("answer", [b"{}", b'{"result":{"audio":"%"}}', b""])
async def test_json_without_a_sound_is_an_error(program: ApiClient, answer: bytes) -> None:
    async with site_with(always(plain(200, answer))):
        assert (await speak(program, model=MELO)).status_code == 502


@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"model": None}, "model"),
        ({"input": ""}, "input"),
        ({"input": None}, "input"),
        ({"input": "x" * 4097}, "input"),
        ({"voice": "nobody"}, "voice"),
        ({"voice": "fr"}, "voice"),
        ({"response_format": "midi"}, "response_format"),
        ({"model": MELO, "response_format": "wav"}, "response_format"),
        ({"speed": 1.5}, "speed"),
        ({"speed": 9}, "speed"),
        ({"instructions": "Whisper."}, "instructions"),
        ({"stream_format": "sse"}, "stream_format"),
    ],
)
async def test_an_invalid_request_is_refused_by_name(
    program: ApiClient, options: dict[str, Any], param: str
) -> None:
    response = await program.post("/v1/audio/speech", {"model": AURA, "input": "Hello", **options})
    assert (response.status_code, response.json()["error"]["param"]) == (400, param)
    assert not await Charge.objects.aexists()


async def test_a_normal_speed_is_no_wish(program: ApiClient) -> None:
    assert (await speak(program, speed=1)).status_code == 200


async def test_only_models_for_the_task_speak(program: ApiClient) -> None:
    for name in (MODEL, "@cf/openai/whisper"):
        refused = await speak(program, model=name)
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "model_not_found")
