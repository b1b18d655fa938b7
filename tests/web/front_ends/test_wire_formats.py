"""Each wire format has the shape that its clients expect."""

from typing import Any

import pytest

from chat.generations.delivery.encoders.html import HtmlEncoder
from chat.generations.delivery.encoders.openai import OpenAICompletion, OpenAIEncoder
from chat.generations.delivery.encoders.plain_text import AnswerIncomplete, PlainTextEncoder
from chat.generations.delivery.encoders.ui_messages import UIMessageEncoder
from chat.generations.delivery.encoders.workers_ai import WorkersAIEncoder
from chat.generations.result import Problem
from chat.lib.sse import SseDecoder
from chat.upstream.events import Reasoning, Text
from tests.support.generations.encoders import BUSY, ID, SAID, complete, encoded, events, log_of


class TestOurs:
    def test_the_first_event_has_retry_and_data(self) -> None:
        opening = WorkersAIEncoder().opening(0, b"")
        assert opening == b'retry: 1000\nid: 0\ndata: {"response":""}\n\n'
        first = complete()[0]
        assert WorkersAIEncoder().opening(0, first) == b"retry: 1000\n" + first

    def test_heartbeats_are_comments_or_data_on_request(self) -> None:
        assert WorkersAIEncoder().heartbeat() == b":\n\n"
        with_data = WorkersAIEncoder(has_data_heartbeats=True)
        assert with_data.heartbeat() == b'data: {"response":""}\n\n'

    def test_event_ids_can_have_a_prefix(self) -> None:
        frames = complete()
        found = SseDecoder().feed(encoded(WorkersAIEncoder("token."), frames))
        assert [each.id for each in found] == [f"token.{n}" for n in range(len(frames) + 1)]
        plain = SseDecoder().feed(b"".join(frames))
        assert [each.data for each in found[1:]] == [each.data for each in plain]


class TestPlainText:
    def test_plain_text_contains_no_reasoning(self) -> None:
        assert encoded(PlainTextEncoder(), complete()).decode() == SAID

    def test_a_stopped_plain_text_answer_is_complete(self) -> None:
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
    def test_an_incomplete_plain_text_answer_raises(self, frames: list[bytes]) -> None:
        with pytest.raises(AnswerIncomplete):
            encoded(PlainTextEncoder(), frames)


class TestHtml:
    def test_html_is_escaped_with_line_breaks(self) -> None:
        found = SseDecoder().feed(encoded(HtmlEncoder(), complete()))
        assert {each.event for each in found[:-1]} == {"message"}
        fragments = "".join(each.data for each in found[:-1])
        assert fragments == "New York<br>is &lt;b&gt;big&lt;/b&gt; &amp; <br>日本 🌊 \u2028"
        assert found[-1].event == "done"

    def test_a_split_crlf_is_one_line_break(self) -> None:
        for cut in ("a\r|\nb", "a\r||\nb", "a\r\n|b", "a\n|b", "a|\rb", "\r|\n"):
            pieces = [Text(piece) for piece in cut.split("|") if piece]
            found = SseDecoder().feed(encoded(HtmlEncoder(), log_of("complete", *pieces)))
            assert "".join(each.data for each in found).count("<br>") == 1, cut
        pieces = [Text("a\r"), Reasoning("Hm."), Text("\n\nb\n"), Text("\n")]
        found = SseDecoder().feed(encoded(HtmlEncoder(), log_of("complete", *pieces)))
        assert "".join(each.data for each in found) == "a<br><br>b<br><br>"

    def test_html_shows_a_failure_as_an_alert(self) -> None:
        found = SseDecoder().feed(encoded(HtmlEncoder(), log_of("failed", problem=BUSY)))
        assert found[0].data == ('<p role="alert">The model provider is &lt;busy&gt;.</p>')
        found = SseDecoder().feed(encoded(HtmlEncoder(), log_of("interrupted", Text("Well"))))
        assert [each.data for each in found] == [
            "Well", '<p role="alert">The answer was interrupted.</p>', ""
        ]  # fmt: skip


class TestOpenAI:
    def chunks(self, frames: list[bytes], **options: bool) -> list[Any]:
        return events(OpenAIEncoder(ID, "@cf/x/y", **options), frames)

    def test_the_first_openai_chunk_has_a_role_and_the_last_a_finish_reason(self) -> None:
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

    def test_requested_usage_follows_the_finish_reason(self) -> None:
        *_, last, usage, _done = self.chunks(complete("length"), include_usage=True)
        assert last["choices"][0]["finish_reason"] == "length"
        assert usage["choices"] == []
        assert usage["usage"] == {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}

    @pytest.mark.parametrize(("problem", "code"), [(BUSY, BUSY.code), (None, "interrupted")])
    def test_a_failed_openai_stream_has_one_error_and_no_finish_reason(
        self, problem: Problem | None, code: str
    ) -> None:
        *chunks, done = self.chunks(log_of("interrupted", Text("Well"), problem=problem))
        errors = [chunk["error"] for chunk in chunks if "error" in chunk]
        assert [(e["code"], e["type"], e["param"]) for e in errors] == [
            (code, "server_error", None)
        ]
        assert not any(c["choices"][0]["finish_reason"] for c in chunks if "choices" in c)
        assert done is None

    def test_a_whole_completion_has_the_same_content(self) -> None:
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

    def test_parts_open_and_close_one_after_the_other(self) -> None:
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
    def test_finish_reasons_are_those_that_the_sdk_knows(self, given: str, told: str) -> None:
        assert self.chunks(complete(given))[-2]["finishReason"] == told

    def test_a_stopped_answer_is_an_abort(self) -> None:
        *_, last, _done = self.chunks(log_of("stopped", Text("Well")))
        assert last["type"] == "abort"

    @pytest.mark.parametrize(
        ("problem", "text"), [(BUSY, BUSY.message), (None, "The answer was interrupted.")]
    )
    def test_a_failed_ui_stream_has_one_error_and_no_finish(
        self, problem: Problem | None, text: str
    ) -> None:
        chunks = self.chunks(log_of("interrupted", Text("Well"), problem=problem))[:-1]
        assert [c["type"] for c in chunks[-2:]] == ["text-end", "error"]
        assert [c["errorText"] for c in chunks if c["type"] == "error"] == [text]
