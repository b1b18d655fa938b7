"""The unmodified `ollama` package for Python works with Ollama's API."""

from collections.abc import Iterator
from typing import Any

import ollama
import pytest

from tests.interop.programs import runs, shows
from tests.support.api.api_client import GEMMA, GPT_OSS, MODEL, MODELS
from tests.support.api.api_site import ApiSite
from tests.support.api.ollama_client import asking
from tests.support.web.attached_images import VISION
from tests.support.widget.pictures import png

pytestmark = [
    pytest.mark.interop,
    pytest.mark.xdist_group("foreign clients"),
    runs("ollama for Python"),
]

BGE = "@cf/baai/bge-m3"


def client_of(site: ApiSite, key: str) -> ollama.Client:
    return ollama.Client(host=site.server.url, headers={"Authorization": f"Bearer {key}"})


@pytest.fixture
def client(site: ApiSite) -> Iterator[ollama.Client]:
    with client_of(site, site.key) as client:
        yield client


@pytest.mark.parametrize("model", MODELS)
@shows("text")
def test_a_whole_answer_is_read(client: ollama.Client, model: str) -> None:
    answer = client.chat(model, [{"role": "system", "content": "Be kind."}, asking("Hello")])
    assert "“Hello”" in str(answer.message.content)
    assert (answer.done_reason, answer.model) == ("stop", model)
    assert (answer.eval_count or 0) > 50
    assert answer.total_duration


@pytest.mark.parametrize("model", MODELS)
@shows("streamed")
def test_a_stream_is_read(client: ollama.Client, model: str) -> None:
    *pieces, end = client.chat(model, [asking("Hello")], stream=True)
    assert "“Hello”" in "".join(str(each.message.content) for each in pieces)
    assert end.done


def look_up(query: str) -> str:
    """Look something up.

    Args:
        query: What to look up
    """
    return f"{query} is 4.2 m"


@pytest.mark.parametrize("stream", [True, False])
@shows("tools")
def test_a_loop_of_tools_ends_with_an_answer(client: ollama.Client, stream: bool) -> None:
    messages: list[Any] = [asking("/tool the level")]
    for turn in range(2):
        options: Any = {"model": GEMMA, "tools": [look_up], "stream": stream}
        answered: Any = client.chat(messages=messages, **options)
        pieces = [each.message for each in answered] if stream else [answered.message]
        text = "".join(each.content or "" for each in pieces)
        calls = [call for each in pieces for call in each.tool_calls or ()]
        if turn == 1:
            break
        (call,) = calls
        assert call.function.arguments == {"query": "the level"}
        messages.append({"role": "assistant", "content": text, "tool_calls": calls})
        found = look_up(**call.function.arguments)
        messages.append({"role": "tool", "tool_name": "look_up", "content": found})
    assert calls == []
    assert "the level is 4.2 m" in text


def test_thinking_is_read(client: ollama.Client) -> None:
    message = client.chat(GPT_OSS, [asking("/think")], think="low").message
    assert message.thinking
    assert message.content
    assert not client.chat(GPT_OSS, [asking("/think")], think=False).message.thinking


def test_an_image_is_seen(client: ollama.Client) -> None:
    question = {"role": "user", "content": "What is it?", "images": [png(64, 48)]}
    assert "PNG, 64 × 48 pixels" in str(client.chat(VISION, [question]).message.content)
    seen = client.generate(VISION, "What is it?", images=[png(64, 48)])
    assert "PNG, 64 × 48 pixels" in str(seen.response)


def test_a_single_prompt_is_answered(client: ollama.Client) -> None:
    whole = client.generate(MODEL, "Hello", system="Be kind.", options={"num_predict": 200})
    assert "“Hello”" in str(whole.response)
    *pieces, end = client.generate(MODEL, "Hello", stream=True)
    assert "“Hello”" in "".join(str(each.response) for each in pieces)
    assert end.done_reason == "stop"
    assert client.generate(MODEL).done_reason == "load"


@shows("structured")
def test_structured_output_follows_a_schema(client: ollama.Client) -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    answer = client.chat(GEMMA, [asking("Hello")], format=schema)
    assert '"city"' in str(answer.message.content)


def test_models_are_listed_and_shown(client: ollama.Client) -> None:
    names = [each.model for each in client.list().models]
    assert {MODEL, BGE} <= set(names)
    shown = client.show(VISION)
    assert {"completion", "tools", "vision"} <= set(shown.capabilities or ())
    assert client.ps().models == []


def test_texts_are_embedded(client: ollama.Client) -> None:
    vectors = client.embed(BGE, ["One", "Two"]).embeddings
    assert [len(each) for each in vectors] == [1024, 1024]
    assert list(client.embeddings(BGE, "One").embedding) == list(vectors[0])


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("text", "status"),
    [
        pytest.param("/error 5021", 400, marks=shows("too long")),
        ("/error 5007", 404),
        ("/error 4006", 429),
        ("/error 502", 502),
    ],
)
def test_an_error_has_its_status(
    client: ollama.Client, text: str, status: int, stream: bool
) -> None:
    options: Any = {"stream": stream}
    with pytest.raises(ollama.ResponseError) as caught:
        list(client.chat(MODEL, [asking(text)], **options))
    assert caught.value.status_code == status
    assert caught.value.error


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("/error-after 3", marks=shows("broken")),
        pytest.param("/cut 3", marks=shows("cut")),
        "/reset 3",
    ],
)
def test_a_stream_that_breaks_off_raises(client: ollama.Client, text: str) -> None:
    said = []
    with pytest.raises(ollama.ResponseError):
        for each in client.chat(MODEL, [asking(text)], stream=True):
            said.append(each.message.content)
    assert said


def test_an_unknown_model_is_named(client: ollama.Client) -> None:
    with pytest.raises(ollama.ResponseError, match=r"model 'llama9' not found") as caught:
        client.show("llama9")
    assert caught.value.status_code == 404


@pytest.mark.parametrize(
    ("key", "status"),
    [
        pytest.param("wrong", 401, marks=shows("wrong key")),
        pytest.param("limited_key", 429, marks=shows("limits")),
        pytest.param("spent_key", 429, marks=shows("limits")),
    ],
)
def test_a_key_that_is_refused_raises(site: ApiSite, key: str, status: int) -> None:
    with client_of(site, getattr(site, key, key)) as client:
        with pytest.raises(ollama.ResponseError) as caught:
            client.chat(MODEL, [asking("Hello")])
    assert caught.value.status_code == status


def test_models_are_not_pulled(client: ollama.Client) -> None:
    with pytest.raises(ollama.ResponseError, match="managed by its administrators") as caught:
        client.pull("llama3.2")
    assert caught.value.status_code == 403


async def test_the_asynchronous_client_takes_the_key_of_the_environment(
    site: ApiSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", site.key)
    monkeypatch.setenv("OLLAMA_HOST", site.server.url)
    async with ollama.AsyncClient() as client:
        stream = await client.chat(MODEL, [asking("Hello")], stream=True)
        text = "".join([str(each.message.content) async for each in stream])
    assert "“Hello”" in text
