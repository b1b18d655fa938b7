"""Decode a stream in bounded steps."""

from collections.abc import Iterable

from chat.errors import AnswerTooLong
from chat.lib.sse import EventTooLong, SseDecoder
from chat.upstream.decoding.normalizer import Normalizer
from chat.upstream.events import Piece

#: Work (decoding, normalising, relaying) per turn of the event loop: a few milliseconds, whatever
#: arrives. Each step costs one unit, plus one per `BYTES_PER_UNIT`.
UNITS_PER_TURN, BYTES_PER_UNIT = 128, 128
SLICE_BYTES = 16 * 1024

#: What each step found, and its cost in units.
Steps = Iterable[tuple[list[Piece], int]]


def steps(decoder: SseDecoder, normaliser: Normalizer, chunk: bytes) -> Steps:
    """Process `chunk` in bounded steps; yield the pieces that each finds, and its cost in units."""
    try:
        for start in range(0, len(chunk), SLICE_BYTES):
            part = chunk[start : start + SLICE_BYTES]
            for event in decoder.feed(part):
                token = normaliser.feed_token(event)
                if token is None:
                    yield from map(_costing, normaliser.feed(event))
                else:
                    yield _costing(token)
            yield [], 1 + len(part) // BYTES_PER_UNIT
    except EventTooLong as error:
        raise AnswerTooLong(detail=str(error)) from error


def last_steps(decoder: SseDecoder, normaliser: Normalizer) -> Steps:
    """Process what the end of the stream left, in the same way as `steps`."""
    if normaliser.done:
        return
    try:
        yield from map(_costing, normaliser.feed_unterminated(decoder.finish()))
    except EventTooLong as error:
        raise AnswerTooLong(detail=str(error)) from error


def _costing(pieces: list[Piece]) -> tuple[list[Piece], int]:
    size = 0
    for piece in pieces:
        size += len(piece.text)
    return pieces, 1 + size // BYTES_PER_UNIT
