"""Cloudflare's unmodified clients work with the API by changing the base URL."""

import base64
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cloudflare
import pytest

from tests.interop.programs import runs, shows
from tests.support.api.api_client import MODEL
from tests.support.api.api_site import ApiSite, heard_by
from tests.support.api.media_client import AURA, FLUX, MELO, WHISPER, wav

pytestmark = [pytest.mark.interop, pytest.mark.long, pytest.mark.xdist_group("foreign clients")]


CLOUDFLARE = runs("cloudflare for Python")


@pytest.fixture
def client(site: ApiSite) -> Iterator[cloudflare.Cloudflare]:
    url = f"{site.server.url}/client/v4"
    with cloudflare.Cloudflare(base_url=url, api_token=site.key, max_retries=0) as client:
        yield client


def run(client: cloudflare.Cloudflare, prompt: str, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return client.ai.run(MODEL, account_id="any", prompt=prompt, **options)


@CLOUDFLARE
@shows("text")
def test_a_whole_answer_is_read(client: cloudflare.Cloudflare) -> None:
    assert "“Hello”" in run(client, "Hello")["response"]


@CLOUDFLARE
@shows("streamed")
def test_a_streamed_answer_is_read(client: cloudflare.Cloudflare) -> None:
    with client.ai.with_streaming_response.run(
        MODEL, account_id="any", prompt="Hello", extra_body={"stream": True}
    ) as response:
        lines = [line for line in response.iter_lines() if line]
    assert lines[-1] == "data: [DONE]"
    events = [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]
    assert "“Hello”" in "".join(event["response"] for event in events)


def test_sounds_pictures_and_vectors_are_read(client: cloudflare.Cloudflare) -> None:
    def ask(model: str, **options: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return client.ai.run(model, account_id="any", **options)

    audio = base64.b64encode(wav()).decode()
    assert "can't hear" in ask(WHISPER, extra_body={"audio": audio})["text"]
    assert "9 bytes" in ask("@cf/openai/whisper", audio=[82] * 9)["text"]
    assert base64.b64decode(ask(MELO, prompt="Hello")["audio"]).startswith(b"RIFF")
    assert base64.b64decode(ask(FLUX, prompt="A river")["image"]).startswith(b"\x89PNG")
    assert ask("@cf/baai/bge-m3", text=["Hello"])["shape"] == [1, 1024]
    with client.ai.with_streaming_response.run(AURA, account_id="any", text="Hello") as response:
        assert b"".join(response.iter_bytes()).startswith(b"RIFF")


def test_all_pages_of_models_are_listed(client: cloudflare.Cloudflare) -> None:
    assert len(list(client.ai.models.list(account_id="any", per_page=5))) >= 14


def test_the_key_is_verified(client: cloudflare.Cloudflare) -> None:
    verified = client.user.tokens.verify()
    assert verified
    assert verified.status == "active"


@CLOUDFLARE
@pytest.mark.parametrize(
    ("prompt", "error", "code"),
    [
        ("/error 3040", cloudflare.RateLimitError, 3040),
        ("/error 5007", cloudflare.BadRequestError, 5007),
        pytest.param("/error 5021", cloudflare.APIStatusError, 5021, marks=shows("too long")),
        ("/error 502", cloudflare.InternalServerError, 8005),
    ],
)
def test_an_error_has_its_type(
    client: cloudflare.Cloudflare, prompt: str, error: type[cloudflare.APIStatusError], code: int
) -> None:
    with pytest.raises(error) as caught:
        run(client, prompt)
    assert caught.value.errors[0].code == code


@CLOUDFLARE
@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        pytest.param("/error-after 3", "The model provider had a problem", marks=shows("broken")),
        pytest.param("/cut 3", "The answer was interrupted", marks=shows("cut")),
    ],
)
def test_a_stream_that_breaks_off_ends_with_an_error(
    client: cloudflare.Cloudflare, prompt: str, words: str
) -> None:
    """The SDK gives the stream as it is."""
    with client.ai.with_streaming_response.run(
        MODEL, account_id="any", prompt=prompt, extra_body={"stream": True}
    ) as response:
        lines = [line for line in response.iter_lines() if line.startswith("data: {")]
    assert json.loads(lines[0][6:])["response"]
    assert words in json.loads(lines[-1][6:])["errors"][0]["message"]


@CLOUDFLARE
@pytest.mark.parametrize(
    ("key", "error"),
    [
        pytest.param("DUMMY_KEY", cloudflare.AuthenticationError, marks=shows("wrong key")),
        pytest.param("limited", cloudflare.RateLimitError, marks=shows("limits")),
        pytest.param("spent", cloudflare.RateLimitError, marks=shows("limits")),
    ],
)
def test_a_key_that_is_refused_has_its_error(
    site: ApiSite, key: str, error: type[cloudflare.APIStatusError]
) -> None:
    token = {"limited": site.limited_key, "spent": site.spent_key}.get(key, key)
    url = f"{site.server.url}/client/v4"
    with cloudflare.Cloudflare(base_url=url, api_token=token, max_retries=0) as client:
        with pytest.raises(error):
            run(client, "Hello")


@pytest.fixture(scope="module")
def heard(site: ApiSite) -> dict[str, Any]:
    environment = {"EMULATOR_URL": f"{site.server.url}/client/v4", "EMULATOR_TOKEN": site.key}
    return heard_by(site, Path(__file__).with_name("workers_ai_provider.mjs"), environment)


@runs("workers-ai-provider")
class TestWorkersAIProvider:
    """npm's `workers-ai-provider`, Cloudflare's own, with the AI SDK."""

    @pytest.mark.parametrize("kind", ["native", "dual", "openai"])
    @shows("streamed")
    def test_a_streamed_answer_is_read(self, heard: dict[str, Any], kind: str) -> None:
        assert heard[kind]["text"].count("“Hello”") == 1
        assert heard[kind]["finish"] == "stop"
        assert heard[kind]["errors"] == []
        assert heard[kind]["usage"]["outputTokens"] > 50

    def test_an_answer_cut_at_max_tokens_says_so(self, heard: dict[str, Any]) -> None:
        assert heard["cutOff"]["finish"] == "length"

    @pytest.mark.parametrize("kind", ["nativeTool", "openaiTool"])
    @shows("tools")
    def test_a_tool_call_is_read(self, heard: dict[str, Any], kind: str) -> None:
        call = {"name": "read_gauge", "input": {"query": "the level"}}
        assert heard[kind]["toolCalls"] == [call]
        assert heard[kind]["finish"] == "tool-calls"

    @pytest.mark.parametrize("kind", ["nativeDocument", "openaiDocument"])
    @shows("text")
    def test_a_whole_answer_is_read(self, heard: dict[str, Any], kind: str) -> None:
        assert "“Hello”" in heard[kind]["text"]
        assert heard[kind]["usage"]["outputTokens"] > 50

    @shows("cut")
    def test_a_truncated_stream_is_not_a_success(self, heard: dict[str, Any]) -> None:
        assert heard["truncated"]["text"]
        assert heard["truncated"]["finish"] == "error"

    @shows("broken")
    def test_a_stream_with_an_error_is_not_a_success(self, heard: dict[str, Any]) -> None:
        assert heard["broken"]["text"]
        assert heard["broken"]["errors"] or heard["broken"]["finish"] == "error"

    @pytest.mark.parametrize(
        ("kind", "status", "words"),
        [
            ("busy", 429, "at capacity"),
            ("badGateway", 502, ""),
            pytest.param("context", 413, "context window limit", marks=shows("too long")),
            pytest.param("wrongKey", 401, "Incorrect API key", marks=shows("wrong key")),
            pytest.param("rate", 429, "messages per minute", marks=shows("limits")),
            pytest.param("quota", 429, "monthly limit", marks=shows("limits")),
        ],
    )
    def test_an_error_has_its_status(
        self, heard: dict[str, Any], kind: str, status: int, words: str
    ) -> None:
        assert heard[kind]["name"] == "AI_APICallError"
        assert heard[kind]["status"] == status
        assert words in heard[kind]["message"]
