"""Stream files that are generated while they are sent."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace

from django.http import StreamingHttpResponse
from django.utils import timezone, translation
from django.utils.http import content_disposition_header

from chat.accounts.principals import Principal
from chat.database import threads
from chat.errors import NotFound
from chat.generations.delivery.encoders.plain_text import AnswerIncomplete
from chat.generations.process import server_process
from chat.lib import json_lines
from chat.lib.limits import FairQueues
from chat.web.http.files import csv_file
from chat.web.http.files.saved_file import BINARY

#: Of what is made here, by the file's extension; any other file is `BINARY`.
CONTENT_TYPES = {
    "csv": csv_file.CONTENT_TYPE,
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "json": "application/json",
    "jsonl": json_lines.CONTENT_TYPE,
    "md": "text/markdown; charset=utf-8",
    "zip": "application/zip",
}

_queues = FairQueues("downloads")


class DownloadBroken(AnswerIncomplete):
    """The reader lost access during a download; a partial file must not look complete."""


def download(
    pieces: Iterator[bytes], name: str, principal: Principal, *, is_ours: bool = True
) -> StreamingHttpResponse:
    """Return a response that is saved as the file `name`. Its text is in the request's language.

    A file that `is_ours` has the type of its extension. What somebody has added is only bytes. The
    download is aborted once `principal` is signed out or `pieces` raises `NotFound`.
    """
    known = CONTENT_TYPES if is_ours else {}
    content_type = known.get(name.rpartition(".")[2], BINARY)
    response = StreamingHttpResponse(_sent(_as_now(pieces), principal), content_type=content_type)
    response["Content-Disposition"] = content_disposition_header(True, name)
    response["Cache-Control"] = "no-store, no-transform"
    response["X-Accel-Buffering"] = "no"
    return response


async def _sent(pieces: Iterator[bytes], principal: Principal) -> AsyncGenerator[bytes]:
    """Generate each piece in the download thread, one at a time for each user.

    Pieces, not whole files, take turns, so a reader that has stalled does not block others.
    """
    here = server_process.current()
    # Counted apart from streams, so that chats and downloads do not close each other.
    reader = replace(principal, key=f"download:{principal.key}")
    with here.subscribers.subscription(reader, None) as viewer:
        while (piece := await _next(pieces, principal)) is not None:
            if viewer.left and not here.draining:
                raise DownloadBroken
            if piece:
                yield piece


async def _next(pieces: Iterator[bytes], principal: Principal) -> bytes | None:
    """Return the next piece or None, then pause for as long as it took, for other work to run."""
    clock = asyncio.get_running_loop().time
    try:
        async with _queues.turn(principal.key):
            began = clock()
            piece = await threads.downloaders.run(next, pieces, None)
            await asyncio.sleep(clock() - began)
            return piece
    except NotFound:  # something that the user could see when they asked is gone
        raise DownloadBroken from None


def _as_now(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Generate each piece in the request's language and time zone, which are reset by then."""
    language, zone = translation.get_language(), timezone.get_current_timezone()

    def next_piece() -> bytes | None:
        with translation.override(language), timezone.override(zone):
            return next(pieces, None)

    return iter(next_piece, None)
