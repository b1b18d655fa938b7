"""Each wire format contains the whole answer and how it ended, however the log is split."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.generations.delivery.encoders.base import Encoder
from chat.generations.delivery.encoders.html import HtmlEncoder
from chat.generations.delivery.encoders.openai import OpenAIEncoder
from chat.generations.delivery.encoders.plain_text import AnswerIncomplete, PlainTextEncoder
from chat.generations.delivery.encoders.ui_messages import UIMessageEncoder
from chat.generations.delivery.encoders.workers_ai import WorkersAIEncoder
from chat.lib.sse import SseDecoder
from chat.upstream.events import Text
from tests.support.generations.encoders import BUSY, ID, complete, encoded, events, log_of

ENCODERS: list[Callable[[], Encoder]] = [
    WorkersAIEncoder,
    lambda: WorkersAIEncoder("token."),
    HtmlEncoder,
    PlainTextEncoder,
    lambda: OpenAIEncoder(ID, "m", include_usage=True),
    lambda: UIMessageEncoder(ID),
]


@pytest.mark.parametrize("make", ENCODERS)
@given(cuts=st.lists(st.integers(0, 20)))
def test_the_split_of_the_log_does_not_affect_the_output(
    make: Callable[[], Encoder], cuts: list[int]
) -> None:
    def without_time(encoder: Encoder, pieces: list[bytes]) -> bytes:
        if isinstance(encoder, OpenAIEncoder):
            encoder._head["created"] = 0
        first, *rest = pieces
        parts = [encoder.opening(0, first), *map(encoder.frames, rest), encoder.closing()]
        return b"".join(parts)

    frames = complete()
    places = sorted({min(cut, len(frames)) for cut in cuts} | {len(frames)} - {0})
    pieces = [b"".join(frames[a:b]) for a, b in zip([0, *places], places, strict=False) if a < b]
    assert without_time(make(), pieces) == without_time(make(), [b"".join(frames)])


class TestAnInterruptedAnswer:
    """Clients do not know states, so each format with errors reports the interruption once."""

    CUT = log_of("interrupted", Text("Well"))
    FAILED = log_of("interrupted", Text("Well"), problem=BUSY)
    BROKEN_OFF = log_of("complete", Text("Well"))[:-2]  # whoever read it was sent away

    @pytest.mark.parametrize(("log", "code"), [(CUT, "interrupted"), (FAILED, BUSY.code)])
    def test_third_party_clients_of_our_format_get_an_error_for_an_interruption(
        self, log: list[bytes], code: str
    ) -> None:
        found = SseDecoder().feed(encoded(WorkersAIEncoder("token."), log))
        payloads = [json.loads(each.data) for each in found[:-1]]
        assert [each["error"]["code"] for each in payloads if "error" in each] == [code]
        assert payloads[-1]["state"] == "interrupted"
        assert [each.id for each in found] == [f"token.{n}" for n in range(len(log) + 1)]

    def test_our_pages_get_the_log_unchanged(self) -> None:
        assert WorkersAIEncoder().frames(b"".join(self.CUT)) == b"".join(self.CUT)

    def test_text_that_looks_like_a_terminal_event_is_unchanged(self) -> None:
        log = b"".join(log_of("complete", Text('{"state":"interrupted","error":"x"}')))
        sent = WorkersAIEncoder("token.").frames(log)
        assert sent.replace(b"id: token.", b"id: ") == log

    def test_a_truncated_log_ends_with_an_error_where_clients_cannot_resume(self) -> None:
        for encoder in (OpenAIEncoder(ID, "m"), UIMessageEncoder(ID)):
            *said, last = events(encoder, self.BROKEN_OFF)
            assert "The answer was interrupted." in json.dumps(last)
            assert "The answer was interrupted." not in json.dumps(said)
        *_, end, error = events(UIMessageEncoder(ID), self.BROKEN_OFF)
        assert (end["type"], error["type"]) == ("text-end", "error")

    def test_a_truncated_log_ends_without_an_error_where_clients_can_resume(self) -> None:
        for encoder in (WorkersAIEncoder("token."), HtmlEncoder("token.")):
            found = SseDecoder().feed(encoded(encoder, self.BROKEN_OFF))
            assert "Well" in found[-1].data
            assert found[-1].id == "token.3"

    @pytest.mark.parametrize("log", [CUT, FAILED, FAILED[:-2]])
    def test_no_format_repeats_an_error(self, log: list[bytes]) -> None:
        assert encoded(OpenAIEncoder(ID, "m"), log).count(b'"error":') == 1
        assert encoded(UIMessageEncoder(ID), log).count(b'"type":"error"') == 1
        assert encoded(WorkersAIEncoder("token."), log).count(b'"error":') == 1


class TestAContentFilter:
    """An answer ended by a content filter is incomplete, but has no error."""

    FRAMES = log_of("complete", Text("Well"), reason="content_filter")

    def test_plain_text_raises_for_a_filtered_answer(self) -> None:
        with pytest.raises(AnswerIncomplete):
            encoded(PlainTextEncoder(), self.FRAMES)

    def test_html_shows_an_alert_for_a_filtered_answer(self) -> None:
        text = encoded(HtmlEncoder(), self.FRAMES).decode()
        assert '<p role="alert">The model provider&#x27;s content filter' in text

    def test_other_formats_have_a_finish_reason_for_a_filtered_answer(self) -> None:
        assert events(OpenAIEncoder(ID, "m"), self.FRAMES)[-2]["choices"][0]["finish_reason"] == (
            "content_filter"
        )
        assert {"type": "finish", "finishReason": "content-filter"} in events(
            UIMessageEncoder(ID), self.FRAMES
        )


@pytest.mark.parametrize("pieces", [["a\r\nb\rc\nd"], ["a\r", "\nb\r", "c\nd"]])
def test_every_line_break_becomes_one_of_html(pieces: list[str]) -> None:
    log = log_of("complete", *map(Text, pieces))
    said = "".join(each.data for each in SseDecoder().feed(encoded(HtmlEncoder(), log)))
    assert said == "a<br>b<br>c<br>d"
