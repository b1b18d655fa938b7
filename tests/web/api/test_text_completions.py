"""Text completions: the older format, with a prompt instead of messages."""

from typing import Any

import pytest

from tests.support.api.api_client import GPT_OSS, MODEL, MODELS, ApiClient, events_of

PATH = "/v1/completions"


async def complete(program: ApiClient, prompt: Any = "Hello", **options: Any) -> Any:
    return await program.post(PATH, {"model": MODEL, "prompt": prompt, **options})


@pytest.mark.parametrize("prompt", ["Hello", ["Hello"]])
@pytest.mark.parametrize("model", MODELS)
async def test_a_whole_answer_is_text(program: ApiClient, model: str, prompt: Any) -> None:
    found = (await complete(program, prompt, model=model)).json()
    (choice,) = found["choices"]
    assert (found["object"], found["model"]) == ("text_completion", model)
    assert "“Hello”" in choice["text"]
    assert choice["finish_reason"] == "stop"
    assert found["usage"]["total_tokens"] > 50


async def test_a_stream_is_pieces_of_text(program: ApiClient) -> None:
    options = {"stream": True, "stream_options": {"include_usage": True}}
    *chunks, last, done = await events_of(
        await complete(program, "/think", model=GPT_OSS, **options)
    )
    assert done == "[DONE]"
    assert all(isinstance(each["choices"][0]["text"], str) for each in chunks)
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"
    assert {each["object"] for each in chunks} == {"text_completion"}
    assert last["usage"]["total_tokens"] > 50


@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"prompt": ""}, "prompt"),
        ({"prompt": ["a", "b"]}, "prompt"),
        ({"prompt": [1, 2]}, "prompt"),
        ({"suffix": "}"}, "suffix"),
        ({"echo": True}, "echo"),
        ({"n": 3}, "n"),
    ],
)
async def test_what_is_not_supported_is_refused_by_name(
    program: ApiClient, options: dict[str, Any], param: str
) -> None:
    response = await program.post(PATH, {"model": MODEL, "prompt": "Hello", **options})
    error = response.json()["error"]
    assert response.status_code == 400
    assert error["param"].startswith(param)
