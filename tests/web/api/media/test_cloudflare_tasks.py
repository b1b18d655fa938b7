"""`ai/run` answers for audio, image and embedding models, in the format of each."""

import base64
from typing import Any

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.quotas.models import Charge
from tests.support.api.api_client import MODEL, ApiClient, new_api_client
from tests.support.api.media_client import AURA, FLUX, MELO, SDXL, WHISPER, sound_of, wav

RUN = "/client/v4/accounts/any/ai/run"
BGE = "@cf/baai/bge-m3"
OLDER = "@cf/openai/whisper"


async def run(program: ApiClient, model: str, given: Any) -> Any:
    return await program.post(f"{RUN}/{model}", given)


async def result(program: ApiClient, model: str, given: Any) -> Any:
    response = await run(program, model, given)
    assert response.status_code == 200, response.content
    answer = response.json()
    assert (answer["success"], answer["errors"], answer["messages"]) == (True, [], [])
    return answer["result"]


async def test_a_recording_is_transcribed(program: ApiClient) -> None:
    audio = base64.b64encode(wav()).decode()
    found = await result(program, WHISPER, {"audio": audio, "language": "de"})
    assert f"{len(wav())} bytes" in found["text"]
    assert found["word_count"] == len(found["words"]) == 14
    assert found["transcription_info"] == {"language": "de", "duration": 4.2}
    assert found["segments"][0]["end"] == 4.2
    assert found["vtt"].startswith("WEBVTT")


async def test_the_older_model_takes_a_list_or_the_bytes_themselves(program: ApiClient) -> None:
    assert "9 bytes" in (await result(program, OLDER, {"audio": [82] * 9}))["text"]
    response = await AsyncClient().generic(
        "POST",
        f"{RUN}/{OLDER}",
        b"RIFFsound",
        "audio/wav",
        headers={"Authorization": f"Bearer {program.text}"},
    )
    assert "9 bytes" in response.json()["result"]["text"]


async def test_a_text_is_read_aloud(program: ApiClient) -> None:
    sound = await sound_of(await run(program, AURA, {"text": "Hello", "speaker": "luna"}))
    assert sound.startswith(b"RIFF")
    found = await result(program, MELO, {"prompt": "Hello", "lang": "en"})
    assert base64.b64decode(found["audio"]) == sound


async def test_a_picture_is_drawn(program: ApiClient) -> None:
    found = await result(program, FLUX, {"prompt": "A river", "steps": 2})
    picture = base64.b64decode(found["image"])
    response = await run(program, SDXL, {"prompt": "A river", "width": 512, "height": 512})
    assert response["Content-Type"] == "image/png"
    assert response.content == picture
    assert [each.microdollars async for each in Charge.objects.order_by("created_at")] == [423, 0]


async def test_texts_are_embedded(program: ApiClient) -> None:
    found = await result(program, BGE, {"text": ["one", "two"]})
    assert found["shape"] == [2, 1024]
    assert [len(each) for each in found["data"]] == [1024, 1024]


async def test_the_model_may_be_named_in_the_body(program: ApiClient) -> None:
    response = await program.post(RUN, {"model": FLUX, "input": {"prompt": "A river"}})
    assert response.json()["result"]["image"]


@pytest.mark.parametrize(
    ("model", "given"),
    [
        (WHISPER, {}),
        (WHISPER, {"audio": "%"}),
        (WHISPER, {"audio": [300]}),
        (WHISPER, {"audio": "UklGRg==", "task": "translate"}),
        (OLDER, {"audio": [1], "language": "de"}),
        (AURA, {"prompt": "Hello"}),
        (AURA, {"text": ["Hello"]}),
        (AURA, {"text": "Hello", "speaker": "nobody"}),
        (AURA, {"text": "Hello", "encoding": "mulaw"}),
        (MELO, {"text": "Hello"}),
        (FLUX, {}),
        (FLUX, {"prompt": "A river", "steps": 9}),
        (FLUX, {"prompt": "A river", "steps": 0}),
        (SDXL, {"prompt": "A river", "width": 1}),
        (BGE, {"text": []}),
        (BGE, {}),
    ],
)
async def test_an_invalid_input_is_refused(program: ApiClient, model: str, given: Any) -> None:
    response = await run(program, model, given)
    assert (response.status_code, response.json()["errors"][0]["code"]) == (400, 5006)
    assert not await Charge.objects.aexists()


@pytest.mark.parametrize("model", [WHISPER, AURA, FLUX, BGE])
async def test_a_key_for_some_models_may_not_use_them(
    alice: User, stop_server_process: None, model: str
) -> None:
    restricted = await new_api_client(alice, allowed_models=[MODEL])
    given = {"audio": "UklGRg==", "text": "Hello", "prompt": "Hello"}
    assert (await run(restricted, model, given)).status_code == 403
