"""Ask the provider what is said in a recording."""

import base64
import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from chat.errors import UpstreamDisconnected
from chat.lib.catalogue import MediaModel
from chat.lib.worker_thread import off_loop
from chat.upstream.client import Upstream
from chat.upstream.documents.client import JSON, DocumentRequest, fetch_document
from chat.upstream.request import ProviderEndpoint

MAX_ANSWER_BYTES = 16 * 1024 * 1024
#: How a language is named.
LANGUAGE_CODE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{2,8})?")
_SUFFIX = re.compile(r"\.([0-9A-Za-z]{1,5})$")


@dataclass(frozen=True, slots=True)
class TranscriptionRequest:
    """A recording, and what is known about it. `file_name` tells the provider its format."""

    audio: bytes
    file_name: str = ""
    language: str = ""
    prompt: str = ""
    temperature: float | None = None


class SpokenWord(msgspec.Struct):
    word: str
    start: float = 0
    end: float = 0


class Segment(msgspec.Struct):
    """A part of the text, with its times in seconds and the model's figures about its quality."""

    text: str
    start: float = 0
    end: float = 0
    temperature: float = 0
    avg_logprob: float = 0
    compression_ratio: float = 0
    no_speech_prob: float = 0
    words: list[SpokenWord] = msgspec.field(default_factory=list)


class _About(msgspec.Struct):
    language: str | None = None
    duration: float | None = None


class _Answer(msgspec.Struct):
    """What both kinds of provider say; Workers AI has language and duration in `_About`."""

    text: str
    language: str | None = None
    duration: float | None = None
    transcription_info: _About | None = None
    segments: list[Segment] | None = None
    words: list[SpokenWord] | None = None


class _Envelope(msgspec.Struct):
    result: _Answer


@dataclass(frozen=True, slots=True)
class Transcription:
    """What was said, in one segment at least; `seconds` is None if no length was reported."""

    text: str
    language: str
    seconds: float | None
    segments: Sequence[Segment]
    words: Sequence[SpokenWord]


async def transcribe(
    upstream: Upstream, model: MediaModel, request: TranscriptionRequest, principal_key: str
) -> Transcription:
    """Return what is said in the recording. Raise `UpstreamError`."""
    document_request = await off_loop(_request, upstream.endpoint, model, request, principal_key)
    document = await fetch_document(upstream, document_request, MAX_ANSWER_BYTES)
    return await off_loop(_transcription_in, document, upstream.endpoint.is_workers_ai)


def _transcription_in(document: bytes, is_workers_ai: bool) -> Transcription:
    try:
        if is_workers_ai:
            answer = msgspec.json.decode(document, type=_Envelope).result
        else:
            answer = msgspec.json.decode(document, type=_Answer)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise UpstreamDisconnected(detail="no transcription") from None
    return _transcription(answer)


def _transcription(answer: _Answer) -> Transcription:
    about = answer.transcription_info or _About()
    segments = answer.segments or []
    words = answer.words or [word for each in segments for word in each.words]
    ends = [each.end for each in segments] + [each.end for each in words]
    duration = answer.duration if answer.duration is not None else about.duration
    seconds = max(ends, default=None) if duration is None else max(0.0, duration)
    return Transcription(
        text=answer.text,
        language=answer.language or about.language or "",
        seconds=seconds,
        segments=segments or [Segment(answer.text, 0, seconds or 0)],
        words=words,
    )


def _request(
    endpoint: ProviderEndpoint, model: MediaModel, request: TranscriptionRequest, principal_key: str
) -> DocumentRequest:
    if not endpoint.is_workers_ai:
        boundary = secrets.token_hex(16)
        headers = {**JSON, "Content-Type": f"multipart/form-data; boundary={boundary}"}
        url = endpoint.openai_url("audio/transcriptions")
        return DocumentRequest(url, _form(model, request, boundary), headers, principal_key)
    url = endpoint.url(model.provider_id)
    if model.schema == "whisper":
        headers = {**JSON, "Content-Type": "application/octet-stream"}
        return DocumentRequest(url, request.audio, headers, principal_key)
    body: dict[str, Any] = {"audio": base64.b64encode(request.audio).decode()}
    if request.language:
        body["language"] = request.language
    if request.prompt:
        body["initial_prompt"] = request.prompt
    return DocumentRequest(url, json.dumps(body).encode(), JSON, principal_key)


def _form(model: MediaModel, request: TranscriptionRequest, boundary: str) -> bytes:
    """Return the form of OpenAI's API, with a name for the file that says its format only."""
    fields = [("model", model.provider_id), ("response_format", "verbose_json")]
    fields += [
        (name, value)
        for name, value in (("language", request.language), ("prompt", request.prompt))
        if value
    ]
    if request.temperature is not None:
        fields.append(("temperature", str(request.temperature)))
    fields += [("timestamp_granularities[]", each) for each in ("segment", "word")]
    suffix = _SUFFIX.search(request.file_name)
    name = f"audio.{suffix[1].lower() if suffix else 'wav'}"
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in fields
    ]
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    return b"".join([*parts, head.encode(), request.audio, f"\r\n--{boundary}--\r\n".encode()])
