"""Stand-ins for embeddings, speech, images, files and batches say what they are."""

import base64
import io
import json
import math
import wave
import zlib
from typing import Any

import pytest

from chat.emulator import Emulator
from tests.emulator.exchange import ACCOUNT, GEMMA, LLAMA, Reply, get, run_path, send

WHISPER = "@cf/openai/whisper"
BGE = "@cf/baai/bge-base-en-v1.5"
FORM = {"content-type": "multipart/form-data; boundary=b"}


async def test_native_embeddings_have_a_shape(emulator: Emulator) -> None:
    reply = await send(emulator, {"text": ["one", "two"]}, run_path(BGE))
    result = reply.json["result"]
    assert result["shape"] == [2, 768]
    assert [len(each) for each in result["data"]] == [768, 768]
    assert math.hypot(*result["data"][0]) == pytest.approx(1)
    assert (await send(emulator, {"text": 1}, run_path(BGE))).code == 5006


@pytest.mark.parametrize(
    "body",
    [b"RIFFsound", {"audio": base64.b64encode(b"RIFFsound").decode()}, {"audio": [82] * 9}],
)
async def test_speech_recognition_says_that_it_cannot_hear(emulator: Emulator, body: Any) -> None:
    result = (await send(emulator, body, run_path(WHISPER))).json["result"]
    assert "can't hear" in result["text"]
    assert "9 bytes" in result["text"]
    assert result["word_count"] == len(result["words"])
    assert result["vtt"].startswith("WEBVTT")


async def test_the_newer_model_tells_segments_language_and_length(emulator: Emulator) -> None:
    body = {"audio": base64.b64encode(b"RIFFsound").decode(), "language": "de"}
    path = run_path("@cf/openai/whisper-large-v3-turbo")
    result = (await send(emulator, body, path)).json["result"]
    (segment,) = result["segments"]
    assert segment["text"] == result["text"]
    assert result["transcription_info"]["language"] == "de"
    assert result["transcription_info"]["duration"] == segment["end"] > 0
    assert (await send(emulator, b"RIFFsound", path)).status == 400


@pytest.mark.parametrize("body", [b"", {"audio": "%"}, {"audio": [300]}, {}])
async def test_speech_recognition_refuses_what_is_no_audio(emulator: Emulator, body: Any) -> None:
    assert (await send(emulator, body, run_path(WHISPER))).status == 400


async def test_speech_is_a_tone_that_says_so_in_its_comment(emulator: Emulator) -> None:
    reply = await send(emulator, {"text": "Hello"}, run_path("@cf/deepgram/aura-1"))
    assert reply.headers["content-type"] == "audio/wav"
    with wave.open(io.BytesIO(reply.raw)) as sound:
        assert sound.getnframes() == 4000
    assert b"built-in Workers AI emulator" in reply.raw
    for wrong in ({"speaker": "nobody"}, {"encoding": "midi"}, {"text": ""}):
        body = {"text": "Hello", **wrong}
        assert (await send(emulator, body, run_path("@cf/deepgram/aura-1"))).code == 5006
    in_json = await send(emulator, {"prompt": "Hello"}, run_path("@cf/myshell-ai/melotts"))
    assert base64.b64decode(in_json.json["result"]["audio"]) == reply.raw


async def test_an_image_shows_a_word_and_says_so_in_its_comment(emulator: Emulator) -> None:
    reply = await send(
        emulator, {"prompt": "A river"}, run_path("@cf/stabilityai/stable-diffusion-xl-base-1.0")
    )
    assert reply.headers["content-type"] == "image/png"
    assert reply.raw.startswith(b"\x89PNG")
    assert b"built-in Workers AI emulator" in reply.raw
    start = reply.raw.index(b"IDAT")
    dots = zlib.decompress(reply.raw[start + 4 :])
    assert 0 < dots.count(b"\xff") < len(dots)
    path = run_path("@cf/black-forest-labs/flux-1-schnell")
    in_json = await send(emulator, {"prompt": "A river"}, path)
    assert base64.b64decode(in_json.json["result"]["image"]) == reply.raw
    for wrong in ({}, {"prompt": "x" * 2049}, {"prompt": "A river", "steps": 9}):
        assert (await send(emulator, wrong, path)).code == 5006


async def test_the_model_may_be_named_in_the_body(emulator: Emulator) -> None:
    body = {"model": WHISPER, "input": {"audio": [82] * 9}}
    reply = await send(emulator, body, f"{ACCOUNT}/ai/run")
    assert "9 bytes" in reply.json["result"]["text"]


def form(*files: tuple[str, str, bytes], field: str = "files") -> bytes:
    parts = [
        f'--b\r\ncontent-disposition: form-data; name="{field}"; filename="{name}"\r\n'
        f"content-type: {kind}\r\n\r\n".encode()
        + content
        + b"\r\n"
        for name, kind, content in files
    ]
    return b"".join(parts) + b"--b--\r\n"


async def to_markdown(emulator: Emulator, body: bytes, headers: Any = FORM) -> Reply:
    return await send(emulator, body, f"{ACCOUNT}/ai/tomarkdown", headers=headers)


async def test_text_files_are_markdown_already_and_others_are_described(
    emulator: Emulator,
) -> None:
    body = form(
        ("a.txt", "text/plain", "Grüße".encode()),
        ("b.pdf", "application/pdf", b"%PDF\xff\xfe"),
        ("c.txt", "text/plain", b"\xff"),
    )
    first, second, third = (await to_markdown(emulator, body)).json["result"]
    assert first["id"] != second["id"]
    assert (first["name"], first["format"], first["data"]) == ("a.txt", "markdown", "Grüße")
    assert first["tokens"] > 0
    assert (second["mimeType"], "6 bytes" in second["data"]) == ("application/pdf", True)
    assert "can't read" in third["data"]


async def test_a_file_of_an_unknown_type_has_an_error_of_its_own(emulator: Emulator) -> None:
    body = form(("a.zip", "application/zip", b"PK"), ("a.txt", "text/plain", b"x"))
    first, second = (await to_markdown(emulator, body)).json["result"]
    assert (first["format"], first["name"], first["mimeType"]) == (
        "error",
        "a.zip",
        "application/zip",
    )
    assert "application/zip" in first["error"]
    assert "data" not in first
    assert second["data"] == "x"


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ('{"output": {"format": "text"}}', "text"),
        ('{"html": {"hostname": "example.org"}}', "markdown"),
        ('{"output": {"format": "pdf"}}', None),
        ("{", None),
    ],
)
async def test_options_choose_the_format(
    emulator: Emulator, options: str, found: str | None
) -> None:
    part = f'--b\r\ncontent-disposition: form-data; name="conversionOptions"\r\n\r\n{options}\r\n'
    reply = await to_markdown(emulator, part.encode() + form(("a.txt", "text/plain", b"x")))
    if found is None:
        assert reply.code == 5006
    else:
        assert reply.json["result"][0]["format"] == found


@pytest.mark.parametrize("headers", [FORM, {}, {"content-type": "application/json"}])
async def test_a_request_without_files_is_refused(emulator: Emulator, headers: Any) -> None:
    body = form(("a.txt", "text/plain", b"x"), field="other")
    assert (await to_markdown(emulator, body, headers)).code == 3003


async def test_the_supported_files_are_listed(emulator: Emulator) -> None:
    found = (await get(emulator, f"{ACCOUNT}/ai/tomarkdown/supported")).json["result"]
    assert {"extension": ".pdf", "mimeType": "application/pdf"} in found


def batch(model: str = LLAMA) -> str:
    return f"{run_path(model)}?queueRequest=true"


async def queued(emulator: Emulator, *requests: Any, model: str = LLAMA) -> str:
    reply = await send(emulator, {"requests": list(requests)}, batch(model))
    assert reply.json["result"]["status"] == "queued"
    return str(reply.json["result"]["request_id"])


async def fetched(emulator: Emulator, request_id: str, model: str = LLAMA) -> Any:
    """Return the result of a batch, which is still running when it is asked for first."""
    asked = {"request_id": request_id}
    running = (await send(emulator, asked, batch(model))).json["result"]
    assert running == {"status": "running", "request_id": request_id, "model": model}
    return (await send(emulator, asked, batch(model))).json["result"]


async def test_a_batch_is_queued_and_fetched(emulator: Emulator) -> None:
    one = {"prompt": "Hello", "external_reference": "a"}
    request_id = await queued(emulator, one, {"prompt": "/error 3040"}, {"prompt": ""})
    result = await fetched(emulator, request_id)
    first, second, third = result["responses"]
    assert (first["id"], first["external_reference"], first["success"]) == (0, "a", True)
    assert first["result"]["response"]
    assert (second["success"], second["error"]["code"]) == (False, 3040)
    assert third["error"]["code"] == 5006
    assert result["usage"] == {
        name: first["result"]["usage"][name]
        for name in ("prompt_tokens", "completion_tokens", "total_tokens")
    }


async def test_a_batch_of_texts_is_embedded(emulator: Emulator) -> None:
    request_id = await queued(emulator, {"text": ["one"]}, model=BGE)
    result = await fetched(emulator, request_id, BGE)
    assert result["responses"][0]["result"]["shape"] == [1, 768]


async def test_a_batch_that_is_too_long_is_refused(emulator: Emulator) -> None:
    long = {"requests": [{"prompt": "x" * (10 * 1024 * 1024)}]}
    reply = await send(emulator, long, batch())
    assert (reply.status, reply.code) == (413, 3006)


@pytest.mark.parametrize(
    "document", [{}, {"requests": []}, {"requests": ["x"]}, {"request_id": "unknown"}]
)
async def test_a_wrong_batch_is_refused(emulator: Emulator, document: Any) -> None:
    assert (await send(emulator, document, batch())).code == 5006


async def test_another_models_batch_is_not_found(emulator: Emulator) -> None:
    request_id = await queued(emulator, {"prompt": "Hello"})
    assert (await send(emulator, {"request_id": request_id}, batch(GEMMA))).code == 5006


async def test_the_free_plan_refuses_paid_models_and_much_use() -> None:
    emulator = Emulator(tokens_per_second=0, free_plan=True)
    kimi = await send(emulator, {"messages": []}, run_path("@cf/moonshotai/kimi-k2.7-code"))
    assert (kimi.status, kimi.code) == (403, 5035)
    assert "Workers Free plan" in json.dumps(kimi.json)
    long = {"prompt": "/long 60000", "max_tokens": 20000}
    for _ in range(4):
        reply = await send(emulator, long, run_path(LLAMA))
    assert (reply.status, reply.code) == (429, 4006)
