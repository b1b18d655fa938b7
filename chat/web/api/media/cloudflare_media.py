"""Run audio, image and embedding models on `ai/run`, in the format that each has at Cloudflare."""

import base64
import binascii
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from msgspec import Struct

from chat.database import threads
from chat.errors import BadRequest
from chat.generations.process import server_process
from chat.generations.process.load_shedding import require_capacity
from chat.generations.send.embedding import embed_texts
from chat.generations.send.media import generate_images, start_speech, transcribe_audio
from chat.lib.api_formats.cloudflare_errors import envelope
from chat.lib.catalogue import MediaModel
from chat.lib.worker_thread import off_loop
from chat.upstream import available_models
from chat.upstream.media.transcription_client import Transcription, TranscriptionRequest
from chat.web.api.api_callers import ApiCaller
from chat.web.api.embeddings_request import (
    EmbeddingsRequest,
    checked_embeddings,
    vectors_object,
)
from chat.web.api.media.image_body import ImageBody, image_request
from chat.web.api.media.speech_body import SpeechBody, SpeechFormat, speech_request
from chat.web.api.media.transcription_request import (
    require_supported,
    subtitles,
    word_object,
)
from chat.web.http.json_body import UnsupportedParameter, decode_body
from chat.web.http.sound_response import sound_response
from chat.web.http.typed_responses import json_response

#: Whether a model's answer is JSON with the file in base64; others answer with the file.
_IN_JSON = frozenset({"melotts", "flux"})
_ENCODINGS: dict[tuple[str, str], SpeechFormat] = {
    ("", ""): "mp3",
    ("mp3", ""): "mp3",
    ("opus", ""): "opus",
    ("opus", "ogg"): "opus",
    ("aac", ""): "aac",
    ("flac", ""): "flac",
    ("linear16", ""): "wav",
    ("linear16", "wav"): "wav",
    ("linear16", "none"): "pcm",
}


class _Named(Struct):
    model: str = ""


class _Input(Struct):
    """The input of any of these models."""

    text: str | list[str] | None = None
    prompt: str | None = None
    audio: str | list[int] | None = None
    language: str | None = None
    initial_prompt: str | None = None
    task: str | None = None
    lang: str | None = None
    speaker: str | None = None
    encoding: str | None = None
    container: str | None = None
    steps: int | None = None
    num_steps: int | None = None
    width: int | None = None
    height: int | None = None


class _InputByBody(Struct):
    input: _Input


async def named_model(body: bytes) -> str:
    """Return the model that a request names in its body. Raise `BadRequest`."""
    return (await decode_body(body, _Named)).model


async def run_other_task(
    caller: ApiCaller, model_id: str, body: bytes, *, is_by_body: bool
) -> HttpResponseBase | None:
    """Answer for a model that does not chat; return None if the model is not one of these."""
    task = available_models.media_task_of(model_id)
    if task is None and not available_models.is_embedding_model(model_id):
        return None
    require_capacity(server_process.current())
    if task == "transcription" and not is_by_body and body[:1] != b"{":
        return await _transcribe(caller, model_id, _Input(), body)
    task_input = (
        (await decode_body(body, _InputByBody)).input
        if is_by_body
        else await decode_body(body, _Input)
    )
    match task:
        case "transcription":
            return await _transcribe(
                caller, model_id, task_input, await off_loop(_audio, task_input)
            )
        case "speech":
            return await _speak(caller, model_id, task_input)
        case "image":
            return await _draw(caller, model_id, task_input)
    return await _embed(caller, model_id, task_input)


async def _transcribe(
    caller: ApiCaller, model_id: str, task_input: _Input, audio: bytes
) -> HttpResponse:
    if not audio:
        raise BadRequest("audio: there is no recording.").at("audio")
    if task_input.task not in (None, "transcribe"):
        raise UnsupportedParameter("task: only transcribe is supported.").at("task")
    model = await threads.readers.run(caller.find_media_model, model_id, "transcription")
    wanted = TranscriptionRequest(
        audio, language=task_input.language or "", prompt=task_input.initial_prompt or ""
    )
    require_supported(model, wanted)
    transcription = await transcribe_audio(caller.principal, model, wanted)
    return await off_loop(lambda: _json(_heard(transcription)))


def _audio(task_input: _Input) -> bytes:
    """Return the recording: base64, or a list of bytes."""
    try:
        if isinstance(task_input.audio, list):
            return bytes(task_input.audio)
        return base64.b64decode(task_input.audio or "", validate=True)
    except (binascii.Error, ValueError):
        raise BadRequest("audio: expected base64, or a list of bytes.").at("audio") from None


def _heard(transcription: Transcription) -> dict[str, Any]:
    segments = [
        {"start": each.start, "end": each.end, "text": each.text} for each in transcription.segments
    ]
    return {
        "text": transcription.text,
        "word_count": len(transcription.text.split()),
        "words": [word_object(each) for each in transcription.words],
        "segments": segments,
        "vtt": "WEBVTT\n\n" + subtitles(transcription.segments),
        "transcription_info": {
            "language": transcription.language,
            "duration": transcription.seconds or 0,
        },
    }


async def _speak(caller: ApiCaller, model_id: str, task_input: _Input) -> HttpResponseBase:
    model = await threads.readers.run(caller.find_media_model, model_id, "speech")
    is_in_json = model.schema in _IN_JSON
    name = "prompt" if is_in_json else "text"
    text = task_input.prompt if is_in_json else task_input.text
    if not isinstance(text, str) or not text.strip():
        raise BadRequest(f"{name}: there is no text to read aloud.").at(name)
    voice = task_input.lang if is_in_json else task_input.speaker
    kind = _ENCODINGS.get((task_input.encoding or "", task_input.container or ""))
    if kind is None:
        raise UnsupportedParameter("encoding: this site doesn't support it.").at("encoding")
    wanted = speech_request(SpeechBody(input=text, voice=voice, response_format=kind), model)
    sound = await start_speech(caller.principal, model, wanted)
    if not is_in_json:
        return sound_response(sound, wanted.format)
    audio = sound.first + b"".join([piece async for piece in sound.rest])
    return await off_loop(_json, {"audio": audio})


async def _draw(caller: ApiCaller, model_id: str, task_input: _Input) -> HttpResponse:
    model = await threads.readers.run(caller.find_media_model, model_id, "image")
    if not task_input.prompt:
        raise BadRequest("prompt: say what to draw.").at("prompt")
    body = ImageBody(
        prompt=task_input.prompt, size=_size(task_input), steps=_steps(task_input, model)
    )
    (picture,) = await generate_images(caller.principal, model, image_request(body, model), 1)
    if model.schema in _IN_JSON:
        return await off_loop(_json, {"image": picture})
    return HttpResponse(picture, content_type="image/png")


def _size(task_input: _Input) -> str | None:
    if task_input.width is None and task_input.height is None:
        return None
    return f"{task_input.width or 1024}x{task_input.height or 1024}"


def _steps(task_input: _Input, model: MediaModel) -> int | None:
    steps = task_input.steps if model.schema == "flux" else task_input.num_steps
    if steps is not None and steps < 1:
        raise BadRequest("steps: expected at least 1.").at("steps")
    return steps


async def _embed(caller: ApiCaller, model_id: str, task_input: _Input) -> HttpResponse:
    request = EmbeddingsRequest(model=model_id, input=task_input.text)
    texts = checked_embeddings(request, "text").texts
    model = await threads.readers.run(caller.find_embedding_model, model_id)
    embeddings = await embed_texts(caller.principal, model, texts)
    return _json(await vectors_object(embeddings))


def _json(result: dict[str, Any]) -> HttpResponse:
    """Return the result in an envelope; msgspec encodes bytes in base64."""
    return json_response(envelope(result))
