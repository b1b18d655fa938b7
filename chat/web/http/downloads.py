"""Files that are written while they are sent."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace

from django.http import StreamingHttpResponse
from django.utils import timezone, translation
from django.utils.http import content_disposition_header

from chat.accounts.principals import Principal
from chat.database import threads
from chat.database.person_queues import PersonQueues
from chat.errors import NotFound
from chat.generations.delivery.encoders.plain_text import AnswerBroken
from chat.generations.process import server_process

_queues = PersonQueues("downloads")


class DownloadBroken(AnswerBroken):
    """Whoever asked for the file may not read it any more; half of it must not pass for all."""


def download(
    pieces: Iterator[bytes], name: str, content_type: str, principal: Principal
) -> StreamingHttpResponse:
    """Return a file to be saved, never to be shown. Its words are those of the request's language.

    It breaks off once `principal` is signed out, or `pieces` raises `NotFound`.
    """
    response = StreamingHttpResponse(_sent(_as_now(pieces), principal), content_type=content_type)
    response["Content-Disposition"] = content_disposition_header(True, name)
    response["Cache-Control"] = "no-store, no-transform"
    response["X-Accel-Buffering"] = "no"
    return response


async def _sent(pieces: Iterator[bytes], principal: Principal) -> AsyncGenerator[bytes]:
    """Each piece is made in the thread for downloads, one of a person's at a time.

    They need not wait for a whole file: one that its reader has stopped reading holds up no other.
    """
    here = server_process.current()
    # Counted by themselves, so that no chat's stream ends for a download nor the other way round.
    reader = replace(principal, key=f"download:{principal.key}")
    with here.subscribers.viewing(reader, None) as viewer:
        while (piece := await _next(pieces, principal)) is not None:
            if viewer.left and not here.draining:
                raise DownloadBroken
            if piece:
                yield piece


async def _next(pieces: Iterator[bytes], principal: Principal) -> bytes | None:
    """The next piece, or None. Other work has as long as it took before the person's next one."""
    clock = asyncio.get_running_loop().time
    try:
        async with _queues.turn(principal.key):
            began = clock()
            piece = await threads.downloaders.run(next, pieces, None)
            await asyncio.sleep(clock() - began)
            return piece
    except NotFound:  # of what they could see when they asked
        raise DownloadBroken from None


def _as_now(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Language and time zone end with the request, which ends before the first piece."""
    language, zone = translation.get_language(), timezone.get_current_timezone()

    def next_piece() -> bytes | None:
        with translation.override(language), timezone.override(zone):
            return next(pieces, None)

    return iter(next_piece, None)
