"""Read a form with a recording, and write what was said in one of OpenAI's formats."""

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.http.request import QueryDict

from chat.errors import BadRequest
from chat.lib.catalogue import MediaModel
from chat.upstream.media.transcription_client import (
    LANGUAGE_CODE,
    Segment,
    SpokenWord,
    Transcription,
    TranscriptionRequest,
)
from chat.web.http.json_body import RequestTooLong, UnsupportedParameter

Format = Literal["json", "text", "srt", "verbose_json", "vtt"]
FORMATS: tuple[str, ...] = get_args(Format)
MAX_PROMPT_CHARS = 4000


@dataclass(frozen=True, slots=True)
class TranscriptionForm:
    """A checked form: the model, what to ask it, and how to answer."""

    model: str
    request: TranscriptionRequest
    format: str = "json"
    granularities: frozenset[str] = frozenset({"segment"})


def read_transcription_form(request: HttpRequest) -> TranscriptionForm:
    """Parse the form, which reads files. Raise `BadRequest`, which names the field."""
    try:
        form, files = request.POST, request.FILES
    except (MultiPartParserError, SuspiciousOperation):
        raise BadRequest("The form isn't valid.") from None
    file = files.get("file")
    if file is None or not file.size:
        raise BadRequest("file: send a recording, as a form with multipart/form-data.").at("file")
    if file.size > settings.MAX_AUDIO_BYTES:
        words = f"file: a recording has at most {settings.MAX_AUDIO_BYTES:,} bytes."
        raise RequestTooLong(words).at("file")
    model = form.get("model", "")
    if not model:
        raise BadRequest("model: name the model.").at("model")
    wanted = _one_of(form, "response_format", FORMATS, "json")
    if form.get("stream", "false").lower() not in {"false", "0", ""}:
        raise UnsupportedParameter("stream: transcriptions are sent whole.").at("stream")
    transcription_request = TranscriptionRequest(
        audio=file.read(),
        file_name=file.name or "",
        language=_language(form.get("language", "")),
        prompt=_prompt(form.get("prompt", "")),
        temperature=_temperature(form.get("temperature", "")),
    )
    return TranscriptionForm(model, transcription_request, wanted, _granularities(form))


def require_supported(model: MediaModel, request: TranscriptionRequest) -> None:
    """Raise `UnsupportedParameter` for what the model can't be told."""
    if model.schema != "whisper":
        return
    for name, value in (("language", request.language), ("prompt", request.prompt)):
        if value:
            raise UnsupportedParameter(f"{name}: this model doesn't take one.").at(name)


def transcription_response(form: TranscriptionForm, transcription: Transcription) -> HttpResponse:
    """Return the response in the format that the form asks for."""
    match form.format:
        case "text":
            return _plain(transcription.text.strip() + "\n")
        case "srt":
            return _plain(subtitles(transcription.segments, comma=True))
        case "vtt":
            return _plain("WEBVTT\n\n" + subtitles(transcription.segments), "text/vtt")
        case "verbose_json":
            return _json(_verbose(form, transcription))
    usage = {"usage": _usage(transcription)} if transcription.seconds is not None else {}
    return _json({"text": transcription.text, **usage})


def subtitles(segments: Any, *, comma: bool = False) -> str:
    """Return the segments as SubRip (with numbers and commas in times), or else as WebVTT."""
    blocks = []
    for number, each in enumerate(segments, start=1):
        head = f"{number}\n" if comma else ""
        times = f"{_time(each.start, comma=comma)} --> {_time(each.end, comma=comma)}"
        text = " ".join(each.text.split()).replace("-->", "→")
        blocks.append(f"{head}{times}\n{text}\n")
    return "\n".join(blocks)


def _verbose(form: TranscriptionForm, transcription: Transcription) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "task": "transcribe",
        "language": transcription.language or form.request.language,
        "duration": transcription.seconds or 0,
        "text": transcription.text,
    }
    if "segment" in form.granularities:
        answer["segments"] = [
            _segment(place, each) for place, each in enumerate(transcription.segments)
        ]
    if "word" in form.granularities:
        answer["words"] = [word_object(each) for each in transcription.words]
    return answer | {"usage": _usage(transcription)}


def _segment(place: int, segment: Segment) -> dict[str, Any]:
    """Return a segment with all the keys that strict clients expect."""
    return {
        "id": place,
        "seek": 0,
        "start": segment.start,
        "end": segment.end,
        "text": segment.text,
        "tokens": [],
        "temperature": segment.temperature,
        "avg_logprob": segment.avg_logprob,
        "compression_ratio": segment.compression_ratio,
        "no_speech_prob": segment.no_speech_prob,
    }


def word_object(word: SpokenWord) -> dict[str, Any]:
    return {"word": word.word, "start": word.start, "end": word.end}


def _usage(transcription: Transcription) -> dict[str, Any]:
    return {"type": "duration", "seconds": math.ceil(transcription.seconds or 0)}


def _time(seconds: float, *, comma: bool) -> str:
    milliseconds = round(max(0.0, seconds) * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    mark = "," if comma else "."
    return f"{hours:02}:{minutes:02}:{rest // 1000:02}{mark}{rest % 1000:03}"


def _plain(text: str, content_type: str = "text/plain") -> HttpResponse:
    return HttpResponse(text, content_type=f"{content_type}; charset=utf-8")


def _json(answer: dict[str, Any]) -> HttpResponse:
    return JsonResponse(answer, json_dumps_params={"ensure_ascii": False})


def _one_of(form: QueryDict, name: str, allowed: tuple[str, ...], default: str) -> str:
    value = form.get(name) or default
    if value not in allowed:
        raise BadRequest(f"{name}: expected one of {', '.join(allowed)}.").at(name)
    return value


def _language(language: str) -> str:
    if language and not LANGUAGE_CODE.fullmatch(language):
        raise BadRequest("language: expected a code like en.").at("language")
    return language


def _prompt(prompt: str) -> str:
    if len(prompt) > MAX_PROMPT_CHARS:
        words = f"prompt: at most {MAX_PROMPT_CHARS} characters are possible."
        raise BadRequest(words).at("prompt")
    return prompt


def _temperature(text: str) -> float | None:
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        raise BadRequest("temperature: expected a number from 0 to 1.").at("temperature")
    return number


def _granularities(form: QueryDict) -> frozenset[str]:
    name = "timestamp_granularities"
    granularities = frozenset(form.getlist(f"{name}[]") or form.getlist(name) or ["segment"])
    if not granularities <= {"word", "segment"}:
        raise BadRequest(f"{name}: expected word or segment.").at(name)
    return granularities
