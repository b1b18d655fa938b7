"""Unmodified third-party clients work with the emulator's server."""

import json
import os
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cloudflare
import openai
import pytest

from tests.emulator.exchange import GEMMA, GPT_OSS, LLAMA, question
from tests.emulator.server import ROOT, running_emulator
from tests.support.missing_programs import require
from tests.support.patience import PATIENCE_SECONDS

pytestmark = [pytest.mark.interop, pytest.mark.long, pytest.mark.xdist_group("foreign clients")]

HELLO: Any = [{"role": "user", "content": "Hello"}]


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with running_emulator("--tokens-per-second", "0", "--api-token", "secret") as url:
        yield url


class TestOpenAI:
    """The `openai` package on /ai/v1."""

    @pytest.fixture
    def client(self, base_url: str) -> Iterator[openai.OpenAI]:
        url = f"{base_url}/accounts/a/ai/v1"
        with openai.OpenAI(base_url=url, api_key="secret", max_retries=0) as client:
            yield client

    @pytest.mark.parametrize("model", [LLAMA, GEMMA, GPT_OSS])
    def test_a_streamed_answer_is_read(self, client: openai.OpenAI, model: str) -> None:
        stream = client.chat.completions.create(
            model=model, messages=HELLO, stream=True, stream_options={"include_usage": True}
        )
        *chunks, last = list(stream)
        text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
        assert "“Hello”" in text
        assert chunks[-1].choices[0].finish_reason == "stop"
        assert last.usage
        assert last.usage.completion_tokens > 50

    def test_the_streaming_helper_works(self, client: openai.OpenAI) -> None:
        with client.chat.completions.stream(model=GEMMA, messages=HELLO) as stream:
            for _ in stream:
                pass
            message = stream.get_final_completion().choices[0].message
        assert "“Hello”" in (message.content or "")

    def test_a_whole_answer_is_read(self, client: openai.OpenAI) -> None:
        completion = client.chat.completions.create(model=LLAMA, messages=HELLO)
        assert "“Hello”" in (completion.choices[0].message.content or "")
        assert completion.usage
        assert completion.usage.total_tokens > 50

    def test_a_tool_call_is_read(self, client: openai.OpenAI) -> None:
        completion = client.chat.completions.create(
            model=GEMMA, messages=[{"role": "user", "content": "/tool the level"}]
        )
        (call,) = completion.choices[0].message.tool_calls or []
        assert call.type == "function"
        assert json.loads(call.function.arguments) == {"query": "the level"}

    def test_models_are_listed(self, client: openai.OpenAI) -> None:
        assert LLAMA in [model.id for model in client.models.list()]

    @pytest.mark.parametrize(
        ("command", "error"),
        [
            ("/error 3040", openai.RateLimitError),
            ("/error 5006", openai.BadRequestError),
            ("/error 10000", openai.AuthenticationError),
            ("/error 5035", openai.PermissionDeniedError),
            ("/error 8005", openai.InternalServerError),
            ("/error 502", openai.InternalServerError),
        ],
    )
    def test_an_error_has_its_type(
        self, client: openai.OpenAI, command: str, error: type[openai.APIStatusError]
    ) -> None:
        with pytest.raises(error):
            client.chat.completions.create(
                model=LLAMA, messages=[{"role": "user", "content": command}], stream=True
            )


class TestCloudflare:
    """The `cloudflare` package. Its typed streaming is broken; the raw stream is not."""

    @pytest.fixture
    def client(self, base_url: str) -> Iterator[cloudflare.Cloudflare]:
        with cloudflare.Cloudflare(base_url=base_url, api_token="secret", max_retries=0) as client:
            yield client

    def run(self, client: cloudflare.Cloudflare, prompt: str) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return client.ai.run(LLAMA, account_id="a", prompt=prompt)

    def test_a_streamed_answer_is_read(self, client: cloudflare.Cloudflare) -> None:
        with client.ai.with_streaming_response.run(
            LLAMA, account_id="a", prompt="Hello", extra_body={"stream": True}
        ) as response:
            lines = [line for line in response.iter_lines() if line]
        assert lines[-1] == "data: [DONE]"
        events = [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]
        assert "“Hello”" in "".join(event["response"] for event in events)

    def test_a_whole_answer_is_read(self, client: cloudflare.Cloudflare) -> None:
        assert "“Hello”" in self.run(client, "Hello")["response"]

    def test_all_pages_of_models_are_listed(self, client: cloudflare.Cloudflare) -> None:
        models = client.ai.models.list(account_id="a", per_page=5)
        assert len(list(models)) >= 14

    def test_the_token_is_verified(self, client: cloudflare.Cloudflare) -> None:
        verified = client.user.tokens.verify()
        assert verified
        assert verified.status == "active"

    @pytest.mark.parametrize(
        ("command", "error", "code"),
        [
            ("/error 3040", cloudflare.RateLimitError, 3040),
            ("/error 4006", cloudflare.RateLimitError, 4006),
            ("/error 5007", cloudflare.BadRequestError, 5007),
            ("/error 8005", cloudflare.InternalServerError, 8005),
        ],
    )
    def test_an_error_has_its_type(
        self,
        client: cloudflare.Cloudflare,
        command: str,
        error: type[cloudflare.APIStatusError],
        code: int,
    ) -> None:
        with pytest.raises(error) as caught:
            self.run(client, command)
        assert caught.value.errors[0].code == code

    def test_a_wrong_token_is_refused(self, base_url: str) -> None:
        with cloudflare.Cloudflare(base_url=base_url, api_token="wrong", max_retries=0) as client:
            with pytest.raises(cloudflare.AuthenticationError):
                client.user.tokens.verify()


@pytest.fixture(scope="module")
def heard(base_url: str) -> dict[str, Any]:
    node = shutil.which("node")
    require(node, "node")
    require((ROOT / "node_modules/workers-ai-provider").is_dir(), "workers-ai-provider")
    assert node
    finished = subprocess.run(
        [node, Path(__file__).with_name("workers_ai_provider.mjs")],
        env={**os.environ, "EMULATOR_URL": base_url, "EMULATOR_TOKEN": "secret"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return dict(json.loads(finished.stdout))


class TestWorkersAIProvider:
    """npm's `workers-ai-provider`, Cloudflare's own, with the AI SDK."""

    @pytest.mark.parametrize("kind", ["native", "dual", "openai"])
    def test_a_streamed_answer_is_read(self, heard: dict[str, Any], kind: str) -> None:
        assert heard[kind]["text"].count("“Hello”") == 1
        assert heard[kind]["finish"] == "stop"
        assert heard[kind]["errors"] == []
        assert heard[kind]["usage"]["outputTokens"] > 50

    def test_reasoning_is_read(self, heard: dict[str, Any]) -> None:
        assert heard["openai"]["reasoning"]

    def test_an_answer_cut_at_max_tokens_says_so(self, heard: dict[str, Any]) -> None:
        assert heard["cutOff"]["finish"] == "length"
        assert heard["cutOff"]["usage"]["outputTokens"] == 20

    @pytest.mark.parametrize("kind", ["nativeTool", "openaiTool"])
    def test_a_tool_call_is_read(self, heard: dict[str, Any], kind: str) -> None:
        call = {"name": "read_gauge", "input": {"query": "the level"}}
        assert heard[kind]["toolCalls"] == [call]
        assert heard[kind]["finish"] == "tool-calls"

    @pytest.mark.parametrize("kind", ["nativeDocument", "openaiDocument"])
    def test_a_whole_answer_is_read(self, heard: dict[str, Any], kind: str) -> None:
        assert "“Hello”" in heard[kind]["text"]
        assert heard[kind]["usage"]["outputTokens"] > 50

    def test_a_truncated_stream_is_not_a_success(self, heard: dict[str, Any]) -> None:
        assert heard["truncated"]["text"]
        assert heard["truncated"]["finish"] == "error"

    @pytest.mark.parametrize(
        ("kind", "status"), [("busy", 429), ("unauthorised", 401), ("badGateway", 502)]
    )
    def test_an_error_has_its_type(self, heard: dict[str, Any], kind: str, status: int) -> None:
        assert heard[kind]["name"] == "AI_APICallError"
        assert heard[kind]["status"] == status


def test_the_raw_protocol_needs_no_library(base_url: str) -> None:
    """Like the public examples: POST, read lines, and use `response`."""
    curl = shutil.which("curl")
    require(curl, "curl")
    assert curl
    command = [curl, "-sN", "-H", "Authorization: Bearer secret", "-d", json.dumps(question("Hi"))]
    output = subprocess.run(
        [*command, f"{base_url}/accounts/a/ai/run/{LLAMA}"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=True,
    ).stdout
    assert output.endswith("data: [DONE]\n\n")


@pytest.mark.parametrize(
    "model",
    [
        "@cf/meta/llama-2-7b-chat-int8",
        "@cf/meta/llama-2-7b-chat-fp16",
        "@cf/google/gemma-2b-it-lora",
    ],
)
def test_cloudflares_example_command_gets_the_documented_response(
    base_url: str, model: str
) -> None:
    curl = shutil.which("curl")
    assert curl, "make test runs where there is curl"
    command = [
        curl, "-sNi", "-X", "POST", f"{base_url}/accounts/a/ai/run/{model}",
        "-H", "Authorization: Bearer secret", "-H", "Content-Type:application/json",
        "-d", '{ "prompt": "where is new york?", "stream": true }',
    ]  # fmt: skip
    output = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True
    ).stdout
    head, _, body = output.partition("\n\n")
    assert "content-type: text/event-stream" in head.lower()
    lines = [line for line in body.splitlines() if line]
    assert lines[-1] == "data: [DONE]"
    words = [json.loads(line.removeprefix("data: "))["response"] for line in lines[:-1]]
    assert "where is new york?" in "".join(words)
