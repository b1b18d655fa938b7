"""The unmodified `openai` package for Python works with the API."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel

from tests.interop.programs import runs, shows
from tests.support.api.api_client import GEMMA, LOOK_UP, MODEL, MODELS
from tests.support.api.api_site import ApiSite
from tests.support.api.media_client import AURA, FLUX, MELO, WHISPER, wav
from tests.support.imported_later import imported_later

if TYPE_CHECKING:
    import openai
else:
    openai = imported_later("openai")

pytestmark = [
    pytest.mark.interop,
    pytest.mark.xdist_group("foreign clients"),
    runs("openai for Python"),
]

HELLO: Any = [{"role": "user", "content": "Hello"}]


def asking(text: str) -> Any:
    return [{"role": "user", "content": text}]


@pytest.fixture
def client(site: ApiSite) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=site.base_url, api_key=site.key, max_retries=0) as client:
        yield client


@pytest.mark.parametrize("model", MODELS)
@shows("streamed")
def test_a_streamed_answer_is_read(client: openai.OpenAI, model: str) -> None:
    stream = client.chat.completions.create(
        model=model, messages=HELLO, stream=True, stream_options={"include_usage": True}
    )
    *chunks, last = list(stream)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert "“Hello”" in text
    assert chunks[-1].choices[0].finish_reason == "stop"
    assert last.usage
    assert last.usage.completion_tokens > 50


@pytest.mark.parametrize("model", MODELS)
def test_the_streaming_helper_works(client: openai.OpenAI, model: str) -> None:
    with client.chat.completions.stream(model=model, messages=HELLO) as stream:
        for _ in stream:
            pass
        choice = stream.get_final_completion().choices[0]
    assert "“Hello”" in (choice.message.content or "")
    assert choice.finish_reason == "stop"


def test_the_streaming_helper_reads_tool_calls(client: openai.OpenAI) -> None:
    tools: Any = [LOOK_UP]
    with client.chat.completions.stream(
        model=GEMMA, messages=asking("/tool the level"), tools=tools
    ) as stream:
        kinds = [event.type for event in stream]
        (call,) = stream.get_final_completion().choices[0].message.tool_calls or []
    assert kinds.count("tool_calls.function.arguments.delta") > 1
    assert json.loads(call.function.arguments) == {"query": "the level"}


@pytest.mark.parametrize("model", MODELS)
@shows("text", "tools")
def test_tools_are_called_and_their_results_read(client: openai.OpenAI, model: str) -> None:
    messages, tools = asking("/tool the level"), [LOOK_UP]
    first: Any = client.chat.completions.create(model=model, messages=messages, tools=tools)
    asked = first.choices[0].message
    (call,) = asked.tool_calls
    messages += [asked, {"role": "tool", "tool_call_id": call.id, "content": "4.2 m"}]
    last: Any = client.chat.completions.create(model=model, messages=messages, tools=tools)
    assert "4.2 m" in last.choices[0].message.content


class Answer(BaseModel):
    """A schema whose every value the emulator gives."""

    model_config = {"extra": "allow"}


@shows("structured")
def test_structured_output_is_parsed(client: openai.OpenAI) -> None:
    completion = client.chat.completions.parse(model=GEMMA, messages=HELLO, response_format=Answer)
    assert completion.choices[0].message.parsed is not None


def test_models_are_listed_and_retrieved(client: openai.OpenAI) -> None:
    assert MODEL in [model.id for model in client.models.list()]
    assert client.models.retrieve(MODEL).id == MODEL


@pytest.mark.parametrize(
    ("text", "error"),
    [
        pytest.param("/error 5021", "BadRequestError", marks=shows("too long")),
        ("/error 4006", "RateLimitError"),
        ("/error 3040", "InternalServerError"),
        ("/error 502", "InternalServerError"),
        ("/error 5007", "NotFoundError"),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
def test_an_error_has_its_type(client: openai.OpenAI, text: str, error: str, stream: bool) -> None:
    kind: type[openai.APIStatusError] = getattr(openai, error)
    with pytest.raises(kind) as caught:
        client.chat.completions.create(model=MODEL, messages=asking(text), stream=stream)
    assert caught.value.request_id
    assert caught.value.response.json()["error"]["message"] in str(caught.value)


@shows("wrong key")
def test_a_wrong_key_is_an_authentication_error(site: ApiSite) -> None:
    with openai.OpenAI(base_url=site.base_url, api_key="DUMMY_KEY") as client:
        with pytest.raises(openai.AuthenticationError):
            client.models.list()


@shows("limits")
def test_a_limit_per_minute_is_a_rate_limit_with_a_time(site: ApiSite) -> None:
    key = site.limited_key
    with openai.OpenAI(base_url=site.base_url, api_key=key, max_retries=0) as client:
        with pytest.raises(openai.RateLimitError) as caught:
            client.chat.completions.create(model=MODEL, messages=HELLO)
    assert caught.value.code == "rate_limit_exceeded"
    assert 0 < int(caught.value.response.headers["Retry-After"]) <= 60


@shows("limits")
def test_a_spent_quota_is_tried_once_and_a_busy_model_again(site: ApiSite) -> None:
    statuses: list[int] = []
    with openai.OpenAI(base_url=site.base_url, api_key=site.key, max_retries=1) as client:
        client._client.event_hooks["response"] = [lambda got: statuses.append(got.status_code)]
        for text in ("/error 4006", "/error 3040"):
            with pytest.raises(openai.APIStatusError):
                client.chat.completions.create(model=MODEL, messages=asking(text))
    assert statuses == [429, 503, 503]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("/error-after 3", marks=shows("broken")),
        pytest.param("/cut 3", marks=shows("cut")),
        "/reset 3",
    ],
)
def test_a_stream_that_breaks_off_raises(client: openai.OpenAI, text: str) -> None:
    said = []
    with pytest.raises(openai.APIError, match=r"."):
        for chunk in client.chat.completions.create(
            model=MODEL, messages=asking(text), stream=True
        ):
            said.append(chunk.choices[0].delta.content)
    assert any(said)


async def test_the_asynchronous_client_works(site: ApiSite) -> None:
    async with openai.AsyncOpenAI(base_url=site.base_url, api_key=site.key) as client:
        stream = await client.chat.completions.create(model=MODEL, messages=HELLO, stream=True)
        text = "".join([chunk.choices[0].delta.content or "" async for chunk in stream])
    assert "“Hello”" in text


class TestResponses:
    """`client.responses`, which newer programs use."""

    @pytest.mark.parametrize("model", MODELS)
    def test_a_response_is_read(self, client: openai.OpenAI, model: str) -> None:
        response = client.responses.create(model=model, input="Hello")
        assert "“Hello”" in response.output_text
        assert response.usage
        assert response.usage.total_tokens > 50

    def test_the_streaming_helper_works(self, client: openai.OpenAI) -> None:
        with client.responses.stream(model=GEMMA, input="Hello") as stream:
            text = "".join(e.delta for e in stream if e.type == "response.output_text.delta")
            final = stream.get_final_response()
        assert "“Hello”" in text == final.output_text

    def test_tools_are_called_and_their_results_read(self, client: openai.OpenAI) -> None:
        tools: Any = [{"type": "function", "name": "look_up", "parameters": {}, "strict": False}]
        given: list[Any] = asking("/tool the level")
        first = client.responses.create(model=GEMMA, input=given, tools=tools)
        call: Any = first.output[-1]
        result = {"type": "function_call_output", "call_id": call.call_id, "output": "4.2 m"}
        given += [*first.output, result]
        last = client.responses.create(model=GEMMA, input=given, tools=tools)
        assert "4.2 m" in last.output_text

    def test_structured_output_is_parsed(self, client: openai.OpenAI) -> None:
        response = client.responses.parse(model=GEMMA, input="Hello", text_format=Answer)
        assert response.output_parsed is not None

    def test_a_stream_that_breaks_off_raises(self, client: openai.OpenAI) -> None:
        with pytest.raises(openai.APIError):
            list(client.responses.create(model=MODEL, input="/cut 3", stream=True))


def test_a_text_completion_is_read(client: openai.OpenAI) -> None:
    completion = client.completions.create(model=MODEL, prompt="Hello")
    assert "“Hello”" in completion.choices[0].text
    stream = client.completions.create(model=MODEL, prompt="Hello", stream=True)
    assert "“Hello”" in "".join(chunk.choices[0].text for chunk in stream)


@pytest.mark.parametrize("options", [{}, {"encoding_format": "float"}])
def test_embeddings_are_read(client: openai.OpenAI, options: Any) -> None:
    found = client.embeddings.create(model="@cf/baai/bge-m3", input=["a", "b"], **options)
    assert [len(each.embedding) for each in found.data] == [1024, 1024]
    assert found.usage.total_tokens > 0


class TestSoundsAndPictures:
    """`client.audio` and `client.images`."""

    @pytest.mark.parametrize("seconds", [1, 500])
    def test_a_recording_is_transcribed(self, client: openai.OpenAI, seconds: int) -> None:
        audio = wav(seconds)  # the second is longer than any other request may be
        found = client.audio.transcriptions.create(model=WHISPER, file=("a.wav", audio))
        assert f"{len(audio)} bytes" in found.text

    def test_each_format_is_read(self, client: openai.OpenAI) -> None:
        options: Any = {"model": WHISPER, "file": ("a.wav", wav())}
        found = client.audio.transcriptions.create(
            **options, response_format="verbose_json", timestamp_granularities=["word", "segment"]
        )
        assert found.segments[0].end == found.duration
        assert found.words[0].word == "This"
        text = client.audio.transcriptions.create(**options, response_format="text")
        assert "can't hear" in str(text)

    @pytest.mark.parametrize("model", [AURA, MELO])
    def test_speech_is_read_whole_and_streamed(self, client: openai.OpenAI, model: str) -> None:
        options: Any = {"model": model, "input": "Hello", "voice": "alloy"}
        sound = client.audio.speech.create(**options).content
        assert sound.startswith(b"RIFF")
        with client.audio.speech.with_streaming_response.create(**options) as response:
            assert b"".join(response.iter_bytes()) == sound

    def test_a_picture_is_read(self, client: openai.OpenAI) -> None:
        found = client.images.generate(model=FLUX, prompt="A river", n=2)
        assert len(found.data or []) == 2
        assert base64.b64decode((found.data or [])[0].b64_json or "").startswith(b"\x89PNG")

    def test_a_wrong_request_names_its_field(self, client: openai.OpenAI) -> None:
        with pytest.raises(openai.BadRequestError) as caught:
            client.audio.speech.create(model=AURA, input="Hello", voice="nobody")
        assert caught.value.param == "voice"
        with pytest.raises(openai.NotFoundError):
            client.images.generate(model=WHISPER, prompt="A river")
        with pytest.raises(openai.APIStatusError) as refused:
            client.audio.transcriptions.create(model=WHISPER, file=("a.wav", wav(2000)))
        assert refused.value.status_code == 413

    def test_limits_refuse(self, site: ApiSite) -> None:
        for key, code in (
            (site.spent_key, "insufficient_quota"),
            (site.limited_key, "rate_limit_exceeded"),
        ):
            with openai.OpenAI(base_url=site.base_url, api_key=key, max_retries=0) as client:
                with pytest.raises(openai.RateLimitError) as caught:
                    client.images.generate(model=FLUX, prompt="A river")
                assert caught.value.code == code
