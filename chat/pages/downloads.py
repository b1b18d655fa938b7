"""Files that are written while they are sent."""

from collections.abc import AsyncGenerator, Iterator

from django.http import StreamingHttpResponse
from django.utils import timezone, translation
from django.utils.http import content_disposition_header

from chat.relay import threads


def download(pieces: Iterator[bytes], name: str, content_type: str) -> StreamingHttpResponse:
    """To be saved, never to be shown. Its words are those of the request's language."""
    response = StreamingHttpResponse(_sent(_as_now(pieces)), content_type=content_type)
    response["Content-Disposition"] = content_disposition_header(True, name)
    response["Cache-Control"] = "no-store, no-transform"
    response["X-Accel-Buffering"] = "no"
    return response


async def _sent(pieces: Iterator[bytes]) -> AsyncGenerator[bytes]:
    """Each piece is made in a thread for the database."""
    while (piece := await threads.readers.run(next, pieces, None)) is not None:
        if piece:
            yield piece


def _as_now(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Language and time zone end with the request, which ends before the first piece."""
    language, zone = translation.get_language(), timezone.get_current_timezone()

    def next_piece() -> bytes | None:
        with translation.override(language), timezone.override(zone):
            return next(pieces, None)

    return iter(next_piece, None)
