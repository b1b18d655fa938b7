"""Relay a sound while it arrives."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from django.http import StreamingHttpResponse

from chat.generations.send.media import Sound
from chat.web.api.media.speech_body import content_type_of

HEADERS = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}


def sound_response(sound: Sound, wanted: str) -> StreamingHttpResponse:
    """Return a response with the sound. `wanted` is the file format that was asked for."""
    kind = content_type_of(sound.first, wanted)
    return StreamingHttpResponse(_pieces(sound), content_type=kind, headers=HEADERS)


async def _pieces(sound: Sound) -> AsyncGenerator[bytes]:
    async with aclosing(sound.rest) as rest:
        yield sound.first
        async for piece in rest:
            yield piece
