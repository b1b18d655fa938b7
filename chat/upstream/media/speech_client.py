"""Ask the provider to read a text aloud, and relay the sound as it arrives."""

import base64
import binascii
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import msgspec

from chat.errors import UpstreamDisconnected
from chat.lib.catalogue import MediaModel
from chat.lib.worker_thread import off_loop
from chat.upstream.client import Upstream
from chat.upstream.documents.client import JSON, DocumentRequest, stream_document
from chat.upstream.request import ProviderEndpoint

MAX_SOUND_BYTES = 64 * 1024 * 1024
#: How Aura names the formats of OpenAI's API; raw samples have the rate that OpenAI's have.
_AURA_FORMATS: Mapping[str, Mapping[str, Any]] = {
    "mp3": {"encoding": "mp3"},
    "opus": {"encoding": "opus", "container": "ogg"},
    "aac": {"encoding": "aac"},
    "flac": {"encoding": "flac"},
    "wav": {"encoding": "linear16", "container": "wav"},
    "pcm": {"encoding": "linear16", "container": "none", "sample_rate": 24000},
}


@dataclass(frozen=True, slots=True)
class SpeechRequest:
    """A text to read aloud. An empty `voice` is the model's default."""

    text: str
    voice: str = ""
    format: str = "mp3"
    speed: float | None = None
    instructions: str = ""


class _Spoken(msgspec.Struct):
    audio: str


class _Envelope(msgspec.Struct):
    result: _Spoken


async def synthesize_speech(
    upstream: Upstream, model: MediaModel, request: SpeechRequest, principal_key: str
) -> AsyncGenerator[bytes]:
    """Yield the sound in pieces, at least one. Raise `UpstreamError`."""
    document_request = _request(upstream.endpoint, model, request, principal_key)
    is_empty = True
    async with aclosing(stream_document(upstream, document_request, MAX_SOUND_BYTES)) as pieces:
        if upstream.endpoint.is_workers_ai and model.schema == "melotts":
            yield await off_loop(_decoded, b"".join([piece async for piece in pieces]))
            return
        async for piece in pieces:
            is_empty = False
            yield piece
    if is_empty:
        raise UpstreamDisconnected(detail="no sound")


def _request(
    endpoint: ProviderEndpoint, model: MediaModel, request: SpeechRequest, principal_key: str
) -> DocumentRequest:
    body: dict[str, Any]
    if not endpoint.is_workers_ai:
        url = endpoint.openai_url("audio/speech")
        body = {
            "model": model.provider_id,
            "input": request.text,
            "voice": request.voice or "alloy",
        }
        body["response_format"] = request.format
        if request.speed is not None:
            body["speed"] = request.speed
        if request.instructions:
            body["instructions"] = request.instructions
    elif model.schema == "melotts":
        url, body = endpoint.url(model.provider_id), {"prompt": request.text}
        if request.voice:
            body["lang"] = request.voice
    else:
        url = endpoint.url(model.provider_id)
        body = {"text": request.text, **_AURA_FORMATS[request.format]}
        if request.voice:
            body["speaker"] = request.voice
    headers = {**JSON, "Accept": "*/*"}
    return DocumentRequest(url, json.dumps(body).encode(), headers, principal_key)


def _decoded(document: bytes) -> bytes:
    """Return the sound of an answer that is JSON, or the sound itself."""
    sound = document
    if document[:1] == b"{":
        try:
            audio = msgspec.json.decode(document, type=_Envelope).result.audio
            sound = base64.b64decode(audio, validate=True)
        except (msgspec.MsgspecError, UnicodeDecodeError, binascii.Error):
            raise UpstreamDisconnected(detail="no sound") from None
    if not sound:
        raise UpstreamDisconnected(detail="no sound")
    return sound
