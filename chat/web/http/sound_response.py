"""Relay a sound while it arrives."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from django.http import StreamingHttpResponse

from chat.generations.send.media import Sound

HEADERS = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}
CONTENT_TYPES = {
    "mp3": "audio/mpeg",
    "opus": "audio/ogg",
    "aac": "audio/aac",
    "flac": "audio/flac",
    "wav": "audio/wav",
    "pcm": "audio/pcm",
}
_BEGINNINGS = {b"RIFF": "audio/wav", b"OggS": "audio/ogg", b"fLaC": "audio/flac"}


def sound_response(sound: Sound, wanted: str) -> StreamingHttpResponse:
    """Return a response with the sound. `wanted` is the file format that was asked for."""
    kind = content_type_of(sound.first, wanted)
    return StreamingHttpResponse(_pieces(sound), content_type=kind, headers=HEADERS)


def content_type_of(first: bytes, wanted: str) -> str:
    """Return the type of a sound by its first bytes, or else that of the format `wanted`."""
    return _BEGINNINGS.get(first[:4]) or CONTENT_TYPES[wanted]


async def _pieces(sound: Sound) -> AsyncGenerator[bytes]:
    async with aclosing(sound.rest) as rest:
        yield sound.first
        async for piece in rest:
            yield piece
