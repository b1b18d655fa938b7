"""Each wire format says all that the log says, in the shape that its clients read, at any cut."""

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.generations.delivery.encoders.base import Encoder
from chat.generations.delivery.encoders.html import HtmlEncoder
from chat.generations.delivery.encoders.openai import OpenAICompletion, OpenAIEncoder
from chat.generations.delivery.encoders.plain_text import AnswerBroken, PlainTextEncoder
from chat.generations.delivery.encoders.ui_messages import UIMessageEncoder
from chat.generations.delivery.encoders.workers_ai import WorkersAIEncoder
from chat.generations.log.frames import frames_of, terminal
from chat.generations.result import Problem, Result
from chat.lib.sse import SseDecoder
from chat.upstream.events import AnswerOpened, Event, Reasoning, Text, Usage

ID = uuid.UUID(int=7)
WORDS = ["New", " York", "\nis <b>big</b> & \r\n", "", "日本 🌊 \u2028"]
SAID = "".join(WORDS)
BUSY = Problem("upstream_busy", "The model provider is <busy>.", True)


def log_of(
    state: str, *said: Event, problem: Problem | None = None, reason: str = ""
) -> list[bytes]:
    """The frames of an answer, as its log has them."""
    frames: list[bytes] = []
    for event in (AnswerOpened("@cf/x/y", omitted_messages=3), *said):
        frames += frames_of(event, len(frames) + 1)
    ending = Result(
        state, len(SAID), len(frames), finish_reason=reason or None, problem=problem,
        usage=Usage(3, 4, 7),
    )  # fmt: skip
    return [*frames, *terminal(ending)]


def complete(reason: str = "") -> list[bytes]:
    thought = Reasoning("I think.")
    return log_of("complete", thought, *(Text(word) for word in WORDS if word), reason=reason)


def encoded(encoder: Encoder, frames: list[bytes]) -> bytes:
    """One frame a send, a heartbeat between each two."""
    parts = [encoder.opening(0, b"")]
    for frame in frames:
        parts += [encoder.heartbeat(), encoder.frames(frame)]
    return b"".join([*parts, encoder.ending()])


def events(encoder: Encoder, frames: list[bytes]) -> list[Any]:
    """The data of each event; `[DONE]` as None."""
    found = SseDecoder().feed(encoded(encoder, frames))
    return [None if each.data == "[DONE]" else json.loads(each.data) for each in found]


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
def test_how_the_log_is_cut_makes_no_difference(
    make: Callable[[], Encoder], cuts: list[int]
) -> None:
    def without_time(encoder: Encoder, pieces: list[bytes]) -> bytes:
        if isinstance(encoder, OpenAIEncoder):
            encoder._head["created"] = 0
        first, *rest = pieces
        parts = [encoder.opening(0, first), *map(encoder.frames, rest), encoder.ending()]
        return b"".join(parts)

    frames = complete()
    places = sorted({min(cut, len(frames)) for cut in cuts} | {len(frames)} - {0})
    pieces = [b"".join(frames[a:b]) for a, b in zip([0, *places], places, strict=False) if a < b]
    assert without_time(make(), pieces) == without_time(make(), [b"".join(frames)])


class TestOurs:
    def test_the_first_event_carries_retry_and_data(self) -> None:
        opening = WorkersAIEncoder().opening(0, b"")
        assert opening == b'retry: 1000\nid: 0\ndata: {"response":""}\n\n'
        first = complete()[0]
        assert WorkersAIEncoder().opening(0, first) == b"retry: 1000\n" + first

    def test_heartbeats_are_comments_or_on_demand_data(self) -> None:
        assert WorkersAIEncoder().heartbeat() == b":\n\n"
        with_data = WorkersAIEncoder(has_data_heartbeats=True)
        assert with_data.heartbeat() == b'data: {"response":""}\n\n'

    def test_ids_can_say_whose_they_are(self) -> None:
        frames = complete()
        found = SseDecoder().feed(encoded(WorkersAIEncoder("token."), frames))
        assert [each.id for each in found] == [f"token.{n}" for n in range(len(frames) + 1)]
        plain = SseDecoder().feed(b"".join(frames))
        assert [each.data for each in found[1:]] == [each.data for each in plain]


class TestAnInterruptedAnswer:
    """Clients know no states: an error says it, once, in each format that has errors."""

    CUT = log_of("interrupted", Text("Well"))
    FAILED = log_of("interrupted", Text("Well"), problem=BUSY)
    BROKEN_OFF = log_of("complete", Text("Well"))[:-2]  # whoever read it was sent away

    @pytest.mark.parametrize(("log", "code"), [(CUT, "interrupted"), (FAILED, BUSY.code)])
    def test_ours_says_it_to_clients_of_others(self, log: list[bytes], code: str) -> None:
        found = SseDecoder().feed(encoded(WorkersAIEncoder("token."), log))
        payloads = [json.loads(each.data) for each in found[:-1]]
        assert [each["error"]["code"] for each in payloads if "error" in each] == [code]
        assert payloads[-1]["state"] == "interrupted"
        assert [each.id for each in found] == [f"token.{n}" for n in range(len(log) + 1)]

    def test_ours_gives_our_own_pages_the_log_as_it_is(self) -> None:
        assert WorkersAIEncoder().frames(b"".join(self.CUT)) == b"".join(self.CUT)

    def test_words_that_look_like_an_end_are_left_alone(self) -> None:
        log = b"".join(log_of("complete", Text('{"state":"interrupted","error":"x"}')))
        sent = WorkersAIEncoder("token.").frames(log)
        assert sent.replace(b"id: token.", b"id: ") == log

    def test_a_log_that_breaks_off_is_an_error_where_nobody_can_resume(self) -> None:
        for encoder in (OpenAIEncoder(ID, "m"), UIMessageEncoder(ID)):
            *said, last = events(encoder, self.BROKEN_OFF)
            assert "The answer was interrupted." in json.dumps(last)
            assert "The answer was interrupted." not in json.dumps(said)
        *_, end, error = events(UIMessageEncoder(ID), self.BROKEN_OFF)
        assert (end["type"], error["type"]) == ("text-end", "error")

    def test_a_log_that_breaks_off_ends_without_a_word_where_somebody_can(self) -> None:
        for encoder in (WorkersAIEncoder("token."), HtmlEncoder("token.")):
            found = SseDecoder().feed(encoded(encoder, self.BROKEN_OFF))
            assert "Well" in found[-1].data
            assert found[-1].id == "token.3"

    @pytest.mark.parametrize("log", [CUT, FAILED, FAILED[:-2]])
    def test_no_format_says_it_twice(self, log: list[bytes]) -> None:
        assert encoded(OpenAIEncoder(ID, "m"), log).count(b'"error":') == 1
        assert encoded(UIMessageEncoder(ID), log).count(b'"type":"error"') == 1
        assert encoded(WorkersAIEncoder("token."), log).count(b'"error":') == 1


class TestAContentFilter:
    """It ends an answer that is not whole, and no error of ours says so."""

    FRAMES = log_of("complete", Text("Well"), reason="content_filter")

    def test_plain_text_breaks_off(self) -> None:
        with pytest.raises(AnswerBroken):
            encoded(PlainTextEncoder(), self.FRAMES)

    def test_html_says_it(self) -> None:
        text = encoded(HtmlEncoder(), self.FRAMES).decode()
        assert '<p role="alert">The model provider’s content filter' in text

    def test_others_have_a_reason_for_it(self) -> None:
        assert events(OpenAIEncoder(ID, "m"), self.FRAMES)[-2]["choices"][0]["finish_reason"] == (
            "content_filter"
        )
        assert {"type": "finish", "finishReason": "content-filter"} in events(
            UIMessageEncoder(ID), self.FRAMES
        )


class TestPlainText:
    def test_it_is_the_words_and_no_thoughts(self) -> None:
        assert encoded(PlainTextEncoder(), complete()).decode() == SAID

    def test_what_was_stopped_is_whole(self) -> None:
        assert encoded(PlainTextEncoder(), log_of("stopped", Text("Well"))) == b"Well"

    @pytest.mark.parametrize(
        "frames",
        [
            log_of("interrupted", Text("Well")),
            log_of("failed", problem=BUSY),
            log_of("complete", Text("Well"))[:-3],
        ],
        ids=["interrupted", "failed", "log broken off"],
    )
    def test_what_is_not_whole_breaks_the_connection(self, frames: list[bytes]) -> None:
        with pytest.raises(AnswerBroken):
            encoded(PlainTextEncoder(), frames)


class TestHtml:
    def test_words_are_escaped_and_lines_broken(self) -> None:
        found = SseDecoder().feed(encoded(HtmlEncoder(), complete()))
        assert {each.event for each in found[:-1]} == {"message"}
        fragments = "".join(each.data for each in found[:-1])
        assert fragments == "New York<br>is &lt;b&gt;big&lt;/b&gt; &amp; <br>日本 🌊 \u2028"
        assert found[-1].event == "done"

    def test_a_line_break_in_two_halves_is_one(self) -> None:
        for cut in ("a\r|\nb", "a\r||\nb", "a\r\n|b", "a\n|b", "a|\rb", "\r|\n"):
            said = [Text(piece) for piece in cut.split("|") if piece]
            found = SseDecoder().feed(encoded(HtmlEncoder(), log_of("complete", *said)))
            assert "".join(each.data for each in found).count("<br>") == 1, cut
        said = [Text("a\r"), Reasoning("Hm."), Text("\n\nb\n"), Text("\n")]
        found = SseDecoder().feed(encoded(HtmlEncoder(), log_of("complete", *said)))
        assert "".join(each.data for each in found) == "a<br><br>b<br><br>"

    def test_a_failure_is_an_alert(self) -> None:
        found = SseDecoder().feed(encoded(HtmlEncoder(), log_of("failed", problem=BUSY)))
        assert found[0].data == ('<p role="alert">The model&#x27;s service is &lt;busy&gt;.</p>')
        found = SseDecoder().feed(encoded(HtmlEncoder(), log_of("interrupted", Text("Well"))))
        assert [each.data for each in found] == [
            "Well", '<p role="alert">The answer was interrupted.</p>', ""
        ]  # fmt: skip


class TestOpenAI:
    def chunks(self, frames: list[bytes], **options: bool) -> list[Any]:
        return events(OpenAIEncoder(ID, "@cf/x/y", **options), frames)

    def test_the_first_chunk_has_a_role_and_the_last_a_reason(self) -> None:
        *chunks, done = self.chunks(complete())
        assert done is None
        for chunk in chunks:
            assert chunk["object"] == "chat.completion.chunk"
            assert (chunk["id"], chunk["model"]) == (f"chatcmpl-{ID.hex}", "@cf/x/y")
            assert chunk["created"] == chunks[0]["created"] > 1_700_000_000
        deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
        assert deltas[0] == {"role": "assistant", "content": ""}
        assert "".join(d.get("content", "") for d in deltas) == SAID
        assert "".join(d.get("reasoning_content", "") for d in deltas) == "I think."
        reasons = [chunk["choices"][0]["finish_reason"] for chunk in chunks]
        assert reasons == [*[None] * (len(chunks) - 1), "stop"]

    def test_usage_comes_when_asked_for_and_after_the_reason(self) -> None:
        *_, last, usage, _done = self.chunks(complete("length"), include_usage=True)
        assert last["choices"][0]["finish_reason"] == "length"
        assert usage["choices"] == []
        assert usage["usage"] == {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}

    @pytest.mark.parametrize(("problem", "code"), [(BUSY, BUSY.code), (None, "interrupted")])
    def test_a_failure_is_one_error_and_no_reason_follows(
        self, problem: Problem | None, code: str
    ) -> None:
        *chunks, done = self.chunks(log_of("interrupted", Text("Well"), problem=problem))
        errors = [chunk["error"] for chunk in chunks if "error" in chunk]
        assert [(e["code"], e["type"], e["param"]) for e in errors] == [
            (code, "server_error", None)
        ]
        assert not any(c["choices"][0]["finish_reason"] for c in chunks if "choices" in c)
        assert done is None

    def test_a_whole_completion_says_the_same(self) -> None:
        completion = OpenAICompletion(ID, "@cf/x/y")
        for frame in complete("length"):
            completion.take(frame)
        body = completion.body()
        assert completion.is_whole
        assert body["choices"][0]["message"]["content"] == SAID
        assert body["choices"][0]["message"]["reasoning_content"] == "I think."
        assert body["choices"][0]["finish_reason"] == "length"
        assert body["usage"]["total_tokens"] == 7


class TestUIMessages:
    def chunks(self, frames: list[bytes]) -> list[Any]:
        return events(UIMessageEncoder(ID), frames)

    def test_parts_begin_and_end_one_after_the_other(self) -> None:
        *chunks, done = self.chunks(complete("tool_calls"))
        assert done is None
        assert [chunk["type"] for chunk in chunks] == [
            "start", "start-step", "reasoning-start", "reasoning-delta", "reasoning-end",
            "text-start", *["text-delta"] * 4, "text-end", "finish-step", "finish",
        ]  # fmt: skip
        assert chunks[0]["messageId"] == f"msg-{ID.hex}"
        assert "".join(c["delta"] for c in chunks if c["type"] == "text-delta") == SAID
        assert chunks[-1]["finishReason"] == "tool-calls"
        assert {c["id"] for c in chunks[2:5]} == {"1"}
        assert {c["id"] for c in chunks[5:11]} == {"2"}

    @pytest.mark.parametrize(
        ("given", "told"), [("", "stop"), ("content_filter", "content-filter"), ("odd", "other")]
    )
    def test_reasons_are_those_that_the_sdk_knows(self, given: str, told: str) -> None:
        assert self.chunks(complete(given))[-2]["finishReason"] == told

    def test_a_stop_is_an_abort(self) -> None:
        *_, last, _done = self.chunks(log_of("stopped", Text("Well")))
        assert last["type"] == "abort"

    @pytest.mark.parametrize(
        ("problem", "text"), [(BUSY, BUSY.message), (None, "The answer was interrupted.")]
    )
    def test_a_failure_is_one_error_and_no_finish(self, problem: Problem | None, text: str) -> None:
        chunks = self.chunks(log_of("interrupted", Text("Well"), problem=problem))[:-1]
        assert [c["type"] for c in chunks[-2:]] == ["text-end", "error"]
        assert [c["errorText"] for c in chunks if c["type"] == "error"] == [text]
