"""Open WebUI works with the API as its OpenAI connection."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.interop.open_webui import running_open_webui
from tests.interop.programs import runs, shows
from tests.support.api.api_client import MODEL, MODELS
from tests.support.api.api_site import ApiSite
from tests.support.api.snippet_text import snippet_text

pytestmark = [
    pytest.mark.interop,
    pytest.mark.long,
    pytest.mark.xdist_group("foreign clients"),
    runs("Open WebUI"),
]


@pytest.fixture(scope="module")
def open_webui(site: ApiSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    snippet = snippet_text(site, "open-webui")
    folder: Path = tmp_path_factory.mktemp("open-webui")
    with running_open_webui(folder, snippet, site.key) as client:
        client.get("/api/models").raise_for_status()  # its page does so before a chat
        yield client


def chat(open_webui: httpx.Client, text: str, **options: Any) -> httpx.Response:
    messages = [{"role": "user", "content": text}]
    body = {"model": MODEL, "messages": messages, **options}
    return open_webui.post("/api/chat/completions", json=body)


def test_the_models_appear(open_webui: httpx.Client) -> None:
    found = {each["id"]: each["name"] for each in open_webui.get("/api/models").json()["data"]}
    assert set(MODELS) <= found.keys()


@shows("streamed")
def test_a_chat_streams(open_webui: httpx.Client) -> None:
    response = chat(open_webui, "Hello", stream=True)
    assert response.headers["Content-Type"].startswith("text/event-stream")
    *events, end = [line[6:] for line in response.text.splitlines() if line.startswith("data: ")]
    choices = [choice for event in events for choice in json.loads(event).get("choices", ())]
    assert end == "[DONE]"
    assert "“Hello”" in "".join(choice["delta"].get("content") or "" for choice in choices)
    assert choices[-1]["finish_reason"] == "stop"


@shows("text")
def test_a_whole_answer_as_for_a_title_is_read(open_webui: httpx.Client) -> None:
    answer = chat(open_webui, "Hello", stream=False).json()
    assert "“Hello”" in answer["choices"][0]["message"]["content"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("/error-after 3", "The model provider had a problem", marks=shows("broken")),
        pytest.param("/cut 3", "The answer was interrupted", marks=shows("cut")),
    ],
)
def test_a_stream_that_breaks_off_ends_with_the_error(
    open_webui: httpx.Client, text: str, words: str
) -> None:
    response = chat(open_webui, text, stream=True)
    events = [line[6:] for line in response.text.splitlines() if line.startswith("data: {")]
    assert json.loads(events[0])["choices"]
    assert words in json.loads(events[-1])["error"]["message"]


@pytest.mark.parametrize(
    ("key", "status", "words"),
    [
        pytest.param("DUMMY_KEY", 401, "Incorrect API key provided", marks=shows("wrong key")),
        pytest.param("spent", 429, "monthly limit", marks=shows("limits")),
        pytest.param("limited", 429, "messages per minute", marks=shows("limits")),
    ],
)
def test_a_refused_key_is_told_in_the_sites_words(
    open_webui: httpx.Client, site: ApiSite, key: str, status: int, words: str
) -> None:
    connect(open_webui, site, {"spent": site.spent_key, "limited": site.limited_key}.get(key, key))
    try:
        response = chat(open_webui, "Hello", stream=True)
    finally:
        connect(open_webui, site, site.key)
    assert response.status_code == status
    assert words in response.text


def connect(open_webui: httpx.Client, site: ApiSite, key: str) -> None:
    """Set the key of the connection, whose models stay known."""
    body = {
        "ENABLE_OPENAI_API": True,
        "OPENAI_API_BASE_URLS": [site.base_url],
        "OPENAI_API_KEYS": [key],
        "OPENAI_API_CONFIGS": {"0": {"enable": True, "model_ids": [MODEL]}},
    }
    open_webui.post("/openai/config/update", json=body).raise_for_status()
    open_webui.get("/api/models", params={"refresh": "true"}).raise_for_status()


@shows("too long")
def test_an_error_is_told_in_the_sites_words(open_webui: httpx.Client) -> None:
    response = chat(open_webui, "/error 5021", stream=True)
    assert response.status_code == 400
    assert "maximum context length is" in response.text
