"""Read a request for speech, and tell the file format of the answer."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from chat.errors import BadRequest
from chat.lib.catalogue import MediaModel
from chat.upstream.media.speech_client import SpeechRequest
from chat.web.http.json_body import UnsupportedParameter, decode_body

SpeechFormat = Literal["mp3", "opus", "aac", "flac", "wav", "pcm"]
#: Voices of OpenAI's own models. Programs send one by default, so they mean the model's default.
OPENAI_VOICES = frozenset(
    [
        "alloy",
        "ash",
        "ballad",
        "cedar",
        "coral",
        "echo",
        "fable",
        "marin",
        "nova",
        "onyx",
        "sage",
        "shimmer",
        "verse",
    ]
)


class _Voice(Struct):
    id: str


class SpeechBody(Struct):
    model: str | None = None
    input: str | None = None
    voice: str | _Voice | None = None
    response_format: SpeechFormat | None = None
    speed: Annotated[float, Meta(ge=0.25, le=4)] | None = None
    instructions: str | None = None
    stream_format: Literal["audio", "sse"] | None = None


async def read_speech_body(body: bytes) -> SpeechBody:
    """Parse the body. Raise `BadRequest`, which names the field that is wrong."""
    return await decode_body(body, SpeechBody, _checked)


def _checked(body: SpeechBody) -> SpeechBody:
    if not body.model:
        raise BadRequest("model: name the model.").at("model")
    if not body.input or not body.input.strip():
        raise BadRequest("input: there is no text to read aloud.").at("input")
    if body.stream_format == "sse":
        words = "stream_format: the sound is sent as it is, not in events."
        raise UnsupportedParameter(words).at("stream_format")
    return body


def speech_request(body: SpeechBody, model: MediaModel) -> SpeechRequest:
    """Return what to ask the model. Raise `BadRequest` for what it can't do."""
    text = body.input or ""
    require_length(text, "input", model)
    if model.schema:  # Workers AI's models know neither
        for name, value in (("speed", body.speed), ("instructions", body.instructions)):
            if value and value != 1:
                words = f"{name}: this model can't be told."
                raise UnsupportedParameter(words).at(name)
    return SpeechRequest(
        text=text,
        voice=_voice(body, model),
        format=_format(body, model),
        speed=body.speed,
        instructions=body.instructions or "",
    )


def require_length(text: str, name: str, model: MediaModel) -> None:
    if len(text) > model.max_characters:
        words = f"{name}: at most {model.max_characters} characters are possible."
        raise BadRequest(words).at(name)


def require_choice(value: str, name: str, choices: tuple[str, ...]) -> None:
    """Raise `BadRequest` unless it is one of the choices; without any, the provider decides."""
    if choices and value not in choices:
        raise BadRequest(f"{name}: expected one of {', '.join(choices)}.").at(name)


def _voice(body: SpeechBody, model: MediaModel) -> str:
    voice_or_name = body.voice
    voice = voice_or_name.id if isinstance(voice_or_name, _Voice) else voice_or_name or ""
    if not voice or (model.voices and voice in OPENAI_VOICES - set(model.voices)):
        return model.voices[0] if model.voices else ""
    require_choice(voice, "voice", model.voices)
    return voice


def _format(body: SpeechBody, model: MediaModel) -> str:
    if body.response_format is None:
        return model.formats[0] if model.formats else "mp3"
    require_choice(body.response_format, "response_format", model.formats)
    return body.response_format
