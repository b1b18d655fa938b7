"""Decode a stream in bounded steps, and its plain tokens in a single one."""

from collections.abc import Iterable

from chat.errors import AnswerTooLong
from chat.lib.sse import EventTooLong, SseDecoder
from chat.upstream.answer_deadline import AnswerDeadline
from chat.upstream.decoding.normalizer import Normalizer
from chat.upstream.events import Piece, TokenSink

#: Work (decoding, normalising, relaying) per turn of the event loop: a few milliseconds, whatever
#: arrives. Each step costs one unit, plus one per `BYTES_PER_UNIT`.
UNITS_PER_TURN, BYTES_PER_UNIT = 128, 128
SLICE_BYTES = 16 * 1024

#: What each step found, and its cost in units.
Steps = Iterable[tuple[list[Piece], int]]


def sole_token(decoder: SseDecoder, normaliser: Normalizer, chunk: bytes) -> Steps | None:
    """Process `chunk` if it is one plain token, as nearly all are; otherwise return None."""
    if len(chunk) > SLICE_BYTES:
        return None
    data = decoder.sole_data(chunk)
    pieces = None if data is None else normaliser.feed_token(data)
    return None if pieces is None else ((pieces, 1 + len(chunk) // BYTES_PER_UNIT),)


def steps(decoder: SseDecoder, normaliser: Normalizer, chunk: bytes) -> Steps:
    """Process `chunk` in bounded steps; yield the pieces that each finds, and its cost in units."""
    try:
        for start in range(0, len(chunk), SLICE_BYTES):
            part = chunk[start : start + SLICE_BYTES]
            for event in decoder.feed(part):
                is_message = event.event == "message"
                token = normaliser.feed_token(event.data) if is_message else None
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


def take_token(
    sink: TokenSink,
    deadline: AnswerDeadline,
    decoder: SseDecoder,
    normaliser: Normalizer,
    chunk: bytes,
) -> bool:
    """Give `chunk` to `sink` if it is one plain token; otherwise read nothing and return False."""
    if not sink.has_room(len(chunk)) or len(chunk) > SLICE_BYTES:
        return False
    data = decoder.sole_data(chunk)
    pieces = None if data is None else normaliser.feed_token(data)
    if pieces is None:
        return False
    deadline.saw_token()
    for piece in pieces:
        sink.take(piece)
    return True


def _costing(pieces: list[Piece]) -> tuple[list[Piece], int]:
    size = 0
    for piece in pieces:
        size += len(piece.text)
    return pieces, 1 + size // BYTES_PER_UNIT
