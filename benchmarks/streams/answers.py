"""What was read of one answer, and what it says. Looked at afterwards: reading must cost little."""

from dataclasses import dataclass, field

import httptools

from benchmarks.streams.marks import MARK

DONE = b"data: [DONE]"


@dataclass(slots=True)
class Answer:
    """The bytes of a response, in the pieces that they came in."""

    asked_at: int
    pieces: list[tuple[int, bytes]] = field(default_factory=list)


@dataclass(slots=True)
class Heard:
    """Of one answer; times in nanoseconds."""

    tokens: int = 0
    out_of_order: int = 0
    is_whole: bool = False
    first_token: int | None = None
    delays: list[int] = field(default_factory=list)
    received_at: list[int] = field(default_factory=list)


def heard(answer: Answer) -> Heard:
    return _Listener(answer).heard


class _Listener:
    def __init__(self, answer: Answer) -> None:
        self.heard = Heard()
        self._line = b""
        self._is_done = self._is_complete = False
        self._parser = httptools.HttpResponseParser(self)
        try:
            for self._now, piece in answer.pieces:
                self._parser.feed_data(piece)
        except httptools.HttpParserError:
            return
        self.heard.is_whole = (
            self._parser.get_status_code() == 200 and self._is_done and self._is_complete
            if answer.pieces
            else False
        )
        if self.heard.received_at:
            self.heard.first_token = self.heard.received_at[0] - answer.asked_at

    def on_body(self, body: bytes) -> None:
        *lines, self._line = (self._line + body).split(b"\n")
        for line in lines:
            if line.startswith(DONE):
                self._is_done = True
            elif line.startswith(b"data:"):
                self._take(line)

    def on_message_complete(self) -> None:
        self._is_complete = True

    def _take(self, line: bytes) -> None:
        for sent_at, number in MARK.findall(line):
            self.heard.out_of_order += int(number) != self.heard.tokens
            self.heard.tokens += 1
            self.heard.delays.append(self._now - int(sent_at))
            self.heard.received_at.append(self._now)
