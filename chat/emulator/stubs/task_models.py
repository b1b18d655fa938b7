"""Answer for models of other tasks on /ai/run: embeddings, reranking, verdicts, speech, images."""

import base64
import binascii
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from chat.emulator.common.faults import Refusal
from chat.emulator.requests import embeddings, judging, reranking
from chat.emulator.requests.inputs import read_document
from chat.emulator.requests.problems import bad
from chat.emulator.shapes.base import envelope
from chat.emulator.stubs import media
from chat.emulator.wire import Answer, Call, json_answer, whole
from chat.lib.catalogue import read_media_file

SECONDS_PER_WORD = 0.3
MAX_STEPS = 8
MAX_PROMPT_CHARS = 2048
ENCODINGS = frozenset(["linear16", "flac", "mulaw", "alaw", "mp3", "opus", "aac"])
HEARD = "This is the built-in emulator, which can't hear. It received {count} bytes of audio."


def is_known(model: str) -> bool:
    others = (embeddings.models(), reranking.models(), judging.models())
    return any(model in models for models in (_MODELS, *others))


def answer(call: Call, model: str) -> Answer:
    """Return what the model answers on /ai/run; raise `Refusal`."""
    if model in embeddings.models():
        return json_answer(envelope(embeddings.native_result(model, read_document(call.body))))
    if model in reranking.models():
        return json_answer(envelope(reranking.result(read_document(call.body))))
    if model in judging.models():
        return json_answer(envelope(judging.result(model, read_document(call.body))))
    return _MODELS[model](call)


def _transcribe(call: Call) -> Answer:
    """Take the audio as the whole body, or in `audio`: base64, or a list of bytes."""
    is_json = call.body[:1] == b"{"
    return _heard(_audio(read_document(call.body)) if is_json else call.body)


def _transcribe_in_json(call: Call) -> Answer:
    """Take the audio in `audio`, and tell the segments, the language and the length, too."""
    document = read_document(call.body)
    language = document.get("language")
    if language is not None and not isinstance(language, str):
        bad("Type mismatch of '/language', not 'string'")
    return _heard(_audio(document), language or "en")


def _heard(audio: bytes, language: str = "") -> Answer:
    if not audio:
        raise Refusal("3003")
    text = HEARD.format(count=len(audio))
    words = [
        {"word": word, "start": _seconds(at), "end": _seconds(at + 1)}
        for at, word in enumerate(text.split())
    ]
    seconds = _seconds(len(words))
    vtt = f"WEBVTT\n\n00.000 --> {seconds:06.3f}\n{text}\n"
    transcription: dict[str, Any] = {"text": text, "word_count": len(words), "vtt": vtt}
    if language:
        segment = {"start": 0, "end": seconds, "text": text, "words": words}
        about = {"language": language, "language_probability": 1, "duration": seconds}
        transcription |= {"segments": [segment], "transcription_info": about}
    else:
        transcription |= {"words": words}
    return json_answer(envelope(transcription))


def _seconds(words: int) -> float:
    return round(words * SECONDS_PER_WORD, 1)


def _audio(document: Mapping[str, Any]) -> bytes:
    value = document.get("audio")
    if isinstance(value, list) and all(type(each) is int and 0 <= each < 256 for each in value):
        return bytes(value)
    if not isinstance(value, str):
        bad("required properties at '/' are 'audio'")
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise Refusal("5004") from None


def _speak_in_json(call: Call) -> Answer:
    _text_in(read_document(call.body), "prompt")
    audio = base64.b64encode(media.sound()).decode()
    return json_answer(envelope({"audio": audio}))


@cache
def _speakers() -> frozenset[str]:
    return frozenset(read_media_file().models["@cf/deepgram/aura-1"].voices)


def _speak(call: Call) -> Answer:
    document = read_document(call.body)
    _text_in(document, "text")
    for name, allowed in (("speaker", _speakers()), ("encoding", ENCODINGS)):
        if document.get(name, min(allowed)) not in allowed:
            bad(f"Value of '/{name}' is not one of the allowed values")
    return Answer(200, [("content-type", "audio/wav")], whole(media.sound()))


def _draw_in_json(call: Call) -> Answer:
    document = read_document(call.body)
    if len(_text_in(document, "prompt")) > MAX_PROMPT_CHARS:
        bad(f"Length of '/prompt' must be <= {MAX_PROMPT_CHARS}")
    steps = document.get("steps", 4)
    if type(steps) is not int or steps > MAX_STEPS:
        bad(f"'/steps' must be a whole number <= {MAX_STEPS}")
    return json_answer(envelope({"image": base64.b64encode(media.picture()).decode()}))


def _draw(call: Call) -> Answer:
    _text_in(read_document(call.body), "prompt")
    return Answer(200, [("content-type", "image/png")], whole(media.picture()))


def _text_in(document: Mapping[str, Any], name: str) -> str:
    text = document.get(name)
    if not isinstance(text, str) or not text:
        bad(f"required properties at '/' are '{name}'")
    return text


_MODELS: dict[str, Callable[[Call], Answer]] = {
    "@cf/openai/whisper": _transcribe,
    "@cf/openai/whisper-large-v3-turbo": _transcribe_in_json,
    "@cf/myshell-ai/melotts": _speak_in_json,
    "@cf/deepgram/aura-1": _speak,
    "@cf/black-forest-labs/flux-1-schnell": _draw_in_json,
    "@cf/stabilityai/stable-diffusion-xl-base-1.0": _draw,
}
