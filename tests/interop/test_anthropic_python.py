"""The unmodified `anthropic` package for Python works with the Messages API."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.interop.programs import runs, shows
from tests.support.api.api_client import GEMMA, GPT_OSS, MODEL, MODELS
from tests.support.api.api_site import ApiSite
from tests.support.api.messages_client import WEATHER
from tests.support.imported_later import imported_later
from tests.support.web.attached_images import VISION
from tests.support.widget.pictures import png

if TYPE_CHECKING:
    import anthropic
else:
    anthropic = imported_later("anthropic")

pytestmark = [
    pytest.mark.interop,
    pytest.mark.xdist_group("foreign clients"),
    runs("anthropic for Python"),
]


def asking(text: Any) -> Any:
    return [{"role": "user", "content": text}]


@pytest.fixture
def client(site: ApiSite) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(base_url=site.server.url, api_key=site.key, max_retries=0) as client:
        yield client


def create(client: anthropic.Anthropic, text: Any = "Hello", **options: Any) -> Any:
    sent = {"model": MODEL, "max_tokens": 1000, "messages": asking(text), **options}
    return client.messages.create(**sent)


@pytest.mark.parametrize("model", MODELS)
@shows("text")
def test_a_whole_answer_is_read(client: anthropic.Anthropic, model: str) -> None:
    message = create(client, model=model, system="Be kind.")
    assert "“Hello”" in message.content[0].text
    assert message.stop_reason == "end_turn"
    assert message.usage.output_tokens > 50
    assert message._request_id


@pytest.mark.parametrize("model", MODELS)
@shows("streamed")
def test_the_streaming_helper_works(client: anthropic.Anthropic, model: str) -> None:
    with client.messages.stream(model=model, max_tokens=1000, messages=asking("Hello")) as stream:
        text = "".join(stream.text_stream)
        message = stream.get_final_message()
    assert "“Hello”" in text == message.content[0].text  # type: ignore[union-attr]
    assert message.usage.output_tokens > 50
    assert message.stop_reason == "end_turn"


@shows("tools", "turns")
def test_a_loop_of_tools_goes_on_after_an_error(client: anthropic.Anthropic) -> None:
    """Each of the first two turns calls a tool; the third answers with the last result."""
    messages, results = asking("/tool the level"), iter(["no such river", "4.2 m"])
    for turn in range(3):
        with client.messages.stream(
            model=GEMMA,
            max_tokens=1000,
            messages=messages,
            tools=[WEATHER],  # type: ignore[list-item]
        ) as stream:
            message = stream.get_final_message()
        if turn == 2:
            break
        call: Any = message.content[0]
        assert (message.stop_reason, call.type) == ("tool_use", "tool_use")
        assert call.input == {"query": "the level"}
        result = {"type": "tool_result", "tool_use_id": call.id, "content": next(results)}
        messages.append({"role": "assistant", "content": message.content})
        more = [{"type": "text", "text": "/tool the level"}] if turn == 0 else []
        messages.append({"role": "user", "content": [{**result, "is_error": not turn}, *more]})
    assert message.stop_reason == "end_turn"
    assert "4.2 m" in message.content[0].text  # type: ignore[union-attr]


def test_tools_are_run_by_the_sdk(client: anthropic.Anthropic) -> None:
    @anthropic.beta_tool
    def look_up(query: str) -> str:
        """Look something up."""
        return f"{query} is 4.2 m"

    runner = client.beta.messages.tool_runner(
        model=GEMMA, max_tokens=1000, messages=asking("/tool the level"), tools=[look_up]
    )
    assert "the level is 4.2 m" in str(runner.until_done().content)


def test_thinking_is_read_and_may_be_sent_back(client: anthropic.Anthropic) -> None:
    thinking: Any = {"type": "enabled", "budget_tokens": 1024}
    options: Any = {"model": GPT_OSS, "max_tokens": 4000, "thinking": thinking}
    with client.messages.stream(messages=asking("/think"), **options) as stream:
        kinds = {event.type for event in stream}
        message = stream.get_final_message()
    assert {"thinking", "signature", "text"} <= kinds
    assert [each.type for each in message.content] == ["thinking", "text"]
    again = [*asking("/think"), {"role": "assistant", "content": message.content}, *asking("Hi")]
    assert "“Hi”" in create(client, **options | {"messages": again}).content[-1].text


def test_an_image_is_seen(client: anthropic.Anthropic) -> None:
    data = base64.b64encode(png(64, 48)).decode()
    source = {"type": "base64", "media_type": "image/png", "data": data}
    content = [{"type": "image", "source": source}, {"type": "text", "text": "What is it?"}]
    assert "PNG, 64 × 48 pixels" in create(client, content, model=VISION).content[0].text
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": content[:1]}
    called = {"type": "tool_use", "id": "toolu_1", "name": "look_up", "input": {}}
    messages = [*asking("Hi"), {"role": "assistant", "content": [called]}, *asking([result])]
    seen = create(client, messages=messages, model=VISION, tools=[WEATHER])
    assert "PNG, 64 × 48 pixels" in seen.content[0].text


@shows("structured")
def test_structured_output_is_parsed(client: anthropic.Anthropic) -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    config = {"format": {"type": "json_schema", "schema": schema}}
    assert '"city"' in create(client, model=GEMMA, output_config=config).content[0].text


def test_tokens_are_counted_and_models_listed(client: anthropic.Anthropic) -> None:
    options: Any = {"model": MODEL, "messages": asking("Hello " * 100)}
    assert client.messages.count_tokens(**options).input_tokens > 100
    assert client.beta.messages.count_tokens(**options).input_tokens > 100
    assert MODEL in [each.id for each in client.models.list(limit=3)]
    assert client.models.retrieve(MODEL).id == MODEL


def test_beta_headers_are_accepted(client: anthropic.Anthropic) -> None:
    message = client.beta.messages.create(
        model=MODEL,
        max_tokens=1000,
        messages=asking("Hello"),
        betas=["context-management-2025-06-27", "interleaved-thinking-2025-05-14"],
        context_management={"edits": [{"type": "clear_tool_uses_20250919"}]},
    )
    assert "“Hello”" in message.content[0].text  # type: ignore[union-attr]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("text", "status", "kind"),
    [
        pytest.param("/error 5021", 400, "invalid_request_error", marks=shows("too long")),
        ("/error 5007", 404, "not_found_error"),
        ("/error 4006", 429, "rate_limit_error"),
        ("/error 3040", 529, "overloaded_error"),
        ("/error 502", 500, "api_error"),
    ],
)
def test_an_error_has_its_type(
    client: anthropic.Anthropic, text: str, status: int, kind: str, stream: bool
) -> None:
    with pytest.raises(anthropic.APIStatusError) as caught:
        create(client, text, stream=stream)
    error = caught.value
    assert (error.status_code, error.type) == (status, kind)
    assert error.request_id


@shows("wrong key")
def test_a_wrong_key_is_an_authentication_error(site: ApiSite) -> None:
    with anthropic.Anthropic(base_url=site.server.url, api_key="DUMMY_KEY") as client:
        with pytest.raises(anthropic.AuthenticationError):
            client.models.list()


def test_a_key_may_be_a_bearer_token(site: ApiSite) -> None:
    with anthropic.Anthropic(base_url=site.server.url, auth_token=site.key) as client:
        assert "“Hello”" in create(client).content[0].text


@pytest.mark.parametrize(("key", "is_retried"), [("limited_key", True), ("spent_key", False)])
@shows("limits")
def test_limits_refuse(site: ApiSite, key: str, is_retried: bool) -> None:
    key = getattr(site, key)
    with anthropic.Anthropic(base_url=site.server.url, api_key=key, max_retries=0) as client:
        with pytest.raises(anthropic.RateLimitError) as caught:
            create(client)
    headers = caught.value.response.headers
    assert (headers.get("X-Should-Retry") != "false") == is_retried
    if is_retried:
        assert 0 < int(headers["Retry-After"]) <= 60


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("/error-after 3", marks=shows("broken")),
        pytest.param("/cut 3", marks=shows("cut")),
        "/reset 3",
    ],
)
def test_a_stream_that_breaks_off_raises(client: anthropic.Anthropic, text: str) -> None:
    said = []
    with pytest.raises(anthropic.APIError, match=r"."):
        for event in create(client, text, stream=True):
            said.append(event.type)
    assert "content_block_delta" in said


async def test_the_asynchronous_client_works(site: ApiSite) -> None:
    async with anthropic.AsyncAnthropic(base_url=site.server.url, api_key=site.key) as client:
        async with client.messages.stream(
            model=MODEL, max_tokens=1000, messages=asking("Hello")
        ) as stream:
            text = "".join([each async for each in stream.text_stream])
    assert "“Hello”" in text
