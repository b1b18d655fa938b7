"""Stop sequences, response formats and whole answers, at every endpoint."""

import json
from typing import Any

import pytest

from chat.widget_sites.models import WidgetSite
from tests.support.upstream.raw_upstream import always, plain, stream_of
from tests.support.upstream.upstream_override import site_with
from tests.support.web.answer_text import said_in
from tests.support.web.front_end import HELLO, FrontEnd
from tests.support.web.parameters import STATELESS, Post, asked, drained
from tests.support.widget.canned_answer import SAYS_AYE

LLAMA = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"  # native
GEMMA = "@cf/google/gemma-4-26b-a4b-it"  # OpenAI's schema
SCHEMA = {
    "type": "object",
    "properties": {"place": {"type": "string"}, "depth": {"type": "integer"}},
}
WRAPPED = {"type": "json_schema", "json_schema": {"name": "gauge", "schema": SCHEMA}}


class TestStop:
    PIECES = ["One tw", "o thr", "ee fo", "ur"]

    def _says(self) -> Any:
        events = [f'data: {{"response":"{piece}"}}\n\n'.encode() for piece in self.PIECES]
        usage = b'data: {"response":"","usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n'
        return always(stream_of(*events, usage, b"data: [DONE]\n\n"))

    @pytest.mark.parametrize("endpoint", STATELESS)
    async def test_an_answer_ends_before_a_stop_sequence(self, endpoint: str, post: Post) -> None:
        async with site_with(self._says()):
            for stop, said in ((["three", "x"], "One two "), ("four", "One two three ")):
                response = await post(endpoint, stop=stop, stream=True)
                assert await said_in(endpoint, response) == said

    async def test_usage_includes_text_after_the_stop_sequence(self, post: Post) -> None:
        async with site_with(self._says()):
            answer = (await post("member", stop="two", stream=False)).json()
        assert (answer["response"], answer["finish_reason"]) == ("One ", "stop")
        assert answer["usage"]["completion_tokens"] == 4

    async def test_a_partial_stop_sequence_is_shown(self, post: Post) -> None:
        async with site_with(self._says()):
            answer = (await post("member", stop=["urn", "fox"], stream=False)).json()
        assert answer["response"] == "One two three four"

    @pytest.mark.parametrize(("model", "is_told"), [(GEMMA, True), (LLAMA, False)])
    async def test_stop_sequences_are_sent_only_to_models_that_support_them(
        self, model: str, is_told: bool, post: Post
    ) -> None:
        async with site_with(SAYS_AYE) as raw:
            await drained(await post("member", model=model, stop="x"))
        assert ("stop" in asked(raw)) == is_told

    @pytest.mark.parametrize("model", [LLAMA, GEMMA])
    async def test_the_emulator_supports_stop_sequences(self, model: str, post: Post) -> None:
        response = await post("member", "/help", model=model, stop="/long", stream=False)
        assert response.json()["response"].endswith("| `")


class TestResponseFormat:
    @pytest.mark.parametrize("model", [LLAMA, GEMMA])
    @pytest.mark.parametrize(
        ("wanted", "keys"),
        [
            ({"type": "json_object"}, {"question", "answer", "levels"}),
            (WRAPPED, {"place", "depth"}),
            ({"type": "json_schema", "json_schema": SCHEMA}, {"place", "depth"}),
        ],
    )
    async def test_the_answer_is_json_in_the_requested_format(
        self, model: str, wanted: Any, keys: set[str], post: Post
    ) -> None:
        for stream in (True, False):
            response = await post("member", model=model, response_format=wanted, stream=stream)
            said = await said_in("member", response)
            assert json.loads(said).keys() == keys, stream

    @pytest.mark.parametrize("endpoint", STATELESS[1:])
    async def test_every_endpoint_supports_the_response_format(
        self, endpoint: str, post: Post
    ) -> None:
        response = await post(endpoint, response_format=WRAPPED, stream=True)
        assert json.loads(await said_in(endpoint, response)).keys() == {"place", "depth"}

    async def test_each_model_gets_the_schema_in_its_own_form(self, post: Post) -> None:
        whole = always(plain(200, b'{"result":{"response":{"place":"x"}},"success":true}'))
        for model, schema, stream in (
            (LLAMA, SCHEMA, False),
            (GEMMA, {"name": "gauge", "schema": SCHEMA}, True),
        ):
            async with site_with(whole) as raw:
                await drained(await post("member", model=model, response_format=WRAPPED))
            sent = asked(raw)
            assert sent["response_format"] == {"type": "json_schema", "json_schema": schema}
            assert sent["stream"] is stream

    @pytest.mark.parametrize("wrong", [{}, 7, "x", [], {"schema": 7}, None])
    async def test_an_invalid_schema_is_refused(self, wrong: Any, post: Post) -> None:
        asked_for = {"type": "json_schema", "json_schema": wrong}
        for endpoint in STATELESS:
            refused = await post(endpoint, response_format=asked_for)
            assert refused.status_code == 400
            assert refused.json()["error"]["message"].startswith("response_format.json_schema: ")


class TestWithoutAStream:
    async def test_a_whole_answer_has_the_keys_of_the_stream(self, post: Post) -> None:
        for endpoint in ("member", "chat"):
            answer = await post(endpoint, stream=False)
            assert answer["Content-Type"] == "application/json"
            assert "X-Generation-Id" in answer
            said = answer.json()
            assert said["response"].strip()
            assert (said["state"], said["length"]) == ("complete", len(said["response"]))
            assert said["usage"]["total_tokens"]
            assert said["model"]

    async def test_reasoning_is_separate_from_the_whole_answer(self, post: Post) -> None:
        said = (await post("member", "/think 30", model=GEMMA, stream=False)).json()
        assert said["reasoning"].strip()
        assert said["reasoning"] not in said["response"]

    async def test_plain_text_can_be_sent_in_one_piece(self, post: Post) -> None:
        response = await post("chat/text", stream=False)
        assert response["Content-Type"] == "text/plain; charset=utf-8"
        assert not response.streaming
        assert response.content.strip()

    async def test_endpoints_that_only_stream_refuse_whole_answers(
        self, shop: WidgetSite, post: Post
    ) -> None:
        html = {"Accept": "text/html"}
        for refused in (
            await post("chat/ui", stream=False),
            await FrontEnd(shop).post("chat", {**HELLO, "stream": False}, **html),
        ):
            assert refused.status_code == 400
            assert "stream: this address only streams answers" in refused.content.decode()

    async def test_an_interrupted_whole_answer_is_an_error(self, post: Post) -> None:
        cut = always(stream_of(b'data: {"response":"Well"}\n\n'))
        async with site_with(cut):
            for endpoint in ("member", "chat", "chat/text"):
                failed = await post(endpoint, stream=False)
                assert failed.status_code == 502
                assert "kept" not in failed.json()["error"]["message"]
