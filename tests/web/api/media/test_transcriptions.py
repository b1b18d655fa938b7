"""Recordings are transcribed in each of OpenAI's formats, and counted by their length."""

import json
from decimal import Decimal
from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.quotas.models import Charge, Meter
from tests.support.api.api_client import MODEL, ApiClient, new_api_client
from tests.support.api.media_client import TRANSCRIPTIONS, WHISPER, transcribe, wav
from tests.support.upstream.raw_upstream import always, plain
from tests.support.upstream.upstream_failures import envelope
from tests.support.upstream.upstream_override import site_with

HEARD = "can't hear"


async def test_a_recording_is_answered_with_its_text(program: ApiClient) -> None:
    response = await transcribe(program, wav(2))
    assert response.status_code == 200, response.content
    answer = response.json()
    assert HEARD in answer["text"]
    assert f"{len(wav(2))} bytes" in answer["text"]
    assert answer["usage"] == {"type": "duration", "seconds": 5}  # as the emulator says


async def test_each_format_has_its_form(program: ApiClient) -> None:
    text = await transcribe(program, response_format="text")
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    assert text.content.decode().startswith("This is the built-in emulator")
    srt = (await transcribe(program, response_format="srt")).content.decode()
    assert srt.startswith("1\n00:00:00,000 --> 00:00:04,200\nThis is")
    vtt = await transcribe(program, response_format="vtt")
    assert vtt["Content-Type"] == "text/vtt; charset=utf-8"
    assert vtt.content.decode().startswith("WEBVTT\n\n00:00:00.000 --> 00:00:04.200\nThis")


async def test_the_long_form_has_segments_and_on_request_words(program: ApiClient) -> None:
    answer = (await transcribe(program, response_format="verbose_json", language="de")).json()
    assert (answer["task"], answer["language"], answer["duration"]) == ("transcribe", "de", 4.2)
    (segment,) = answer["segments"]
    assert (segment["id"], segment["start"], segment["end"]) == (0, 0, 4.2)
    assert "words" not in answer
    asked = {"response_format": "verbose_json", "timestamp_granularities[]": ["word"]}
    answer = (await transcribe(program, **asked)).json()
    assert answer["words"][0] == {"word": "This", "start": 0, "end": 0.3}
    assert "segments" not in answer


async def test_the_older_model_takes_the_bytes_and_no_language(program: ApiClient) -> None:
    older = "@cf/openai/whisper"
    assert HEARD in (await transcribe(program, model=older)).json()["text"]
    refused = await transcribe(program, model=older, language="de")
    assert refused.json()["error"]["param"] == "language"


async def test_a_call_counts_by_the_length_that_was_heard(program: ApiClient, alice: User) -> None:
    await transcribe(program)
    charge = await Charge.objects.aget()
    assert (charge.user_id, charge.api_key_id, charge.model) == (alice.pk, program.key.pk, WHISPER)
    assert charge.settled_at
    assert charge.microdollars == 36  # 4.2 seconds at $0.00051 a minute, rounded up
    assert charge.millineurons == 3246
    assert (await Meter.objects.aget(key=f"user:{alice.pk}")).running == 0


async def test_without_a_reported_length_that_of_the_file_counts(program: ApiClient) -> None:
    answer = plain(200, json.dumps({"result": {"text": "Hello"}}).encode())
    async with site_with(always(answer)):
        assert (await transcribe(program, wav(60))).json() == {"text": "Hello"}
    assert (await Charge.objects.aget()).microdollars == 511  # a minute, and the file's head


async def test_a_spent_budget_refuses(alice: User, stop_server_process: None) -> None:
    frugal = await new_api_client(alice, monthly_usd=Decimal("0"))
    response = await transcribe(frugal)
    assert (response.status_code, response.json()["error"]["code"]) == (429, "insufficient_quota")


@pytest.mark.parametrize(
    "answer",
    [plain(502, envelope(8005)), plain(200, b"{}"), plain(200, b'{"result":{"text":1}}')],
)
async def test_an_error_of_the_provider_costs_nothing(program: ApiClient, answer: bytes) -> None:
    async with site_with(always(answer)):
        assert (await transcribe(program)).status_code == 502
    assert (await Charge.objects.aget()).microdollars == 0


async def test_an_openai_compatible_provider_gets_the_form(
    program: ApiClient, settings: Settings
) -> None:
    told = {"text": "Hallo", "language": "german", "duration": 60.0}
    answer = plain(200, json.dumps(told).encode())
    async with site_with(always(answer), UPSTREAM_PROTOCOL="openai") as raw:
        asked = {"response_format": "verbose_json", "prompt": "Runnel", "temperature": "0.5"}
        found = (await transcribe(program, b"sound" * 9, **asked)).json()
    assert (found["text"], found["language"], found["duration"]) == ("Hallo", "german", 60)
    (request,) = raw.requests
    assert request.startswith(b"POST /client/v4/audio/transcriptions ")
    for part in (b'name="model"\r\n\r\n' + WHISPER.encode(), b"Runnel", b"0.5", b"sound" * 9):
        assert part in request
    assert b'filename="audio.wav"' in request
    assert (await Charge.objects.aget()).microdollars == 510


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"model": None}, "model"),
        ({"audio": b""}, "file"),
        ({"response_format": "diarized_json"}, "response_format"),
        ({"language": "not a language"}, "language"),
        ({"temperature": "warm"}, "temperature"),
        ({"temperature": "2"}, "temperature"),
        ({"prompt": "x" * 4001}, "prompt"),
        ({"timestamp_granularities[]": "page"}, "timestamp_granularities"),
        ({"stream": "true"}, "stream"),
    ],
)
async def test_an_invalid_request_is_refused_by_name(
    program: ApiClient, fields: dict[str, Any], param: str
) -> None:
    response = await transcribe(program, **fields)
    assert (response.status_code, response.json()["error"]["param"]) == (400, param)


async def test_a_long_recording_is_refused(program: ApiClient, settings: Settings) -> None:
    settings.MAX_AUDIO_BYTES = 100
    response = await transcribe(program)
    assert (response.status_code, response.json()["error"]["param"]) == (413, "file")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"{}", "application/json"),
        (b"junk", "multipart/form-data; boundary=b"),
        (b"junk", "multipart/form-data"),
        (b"", "audio/wav"),
    ],
)
async def test_what_is_no_form_is_refused(program: ApiClient, body: bytes, kind: str) -> None:
    headers = {"Authorization": f"Bearer {program.text}"}
    response = await AsyncClient().generic("POST", TRANSCRIPTIONS, body, kind, headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_request")


async def test_only_models_for_the_task_transcribe(program: ApiClient, settings: Settings) -> None:
    for name in (MODEL, "@cf/deepgram/aura-1", "unknown"):
        refused = await transcribe(program, model=name)
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "model_not_found")
    settings.MEDIA_MODELS = {}
    assert (await transcribe(program)).status_code == 404
