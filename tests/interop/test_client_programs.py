"""Programs work with what the page of API keys tells to paste: llm, aider, LangChain, Continue."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tests.interop.programs import runs, shows
from tests.support.api.api_client import GEMMA
from tests.support.api.api_site import ApiSite
from tests.support.api.client_environments import OFFLINE, Waits, program, said_by
from tests.support.api.snippet_text import snippet_text
from tests.support.patience import PATIENCE_SECONDS

pytestmark = [pytest.mark.interop, pytest.mark.long, pytest.mark.xdist_group("foreign clients")]

SECONDS = PATIENCE_SECONDS
TOOL = 'def read_gauge(query: str) -> str:\n    return "4.2 m"'
Llm = Callable[..., "subprocess.CompletedProcess[str]"]
#: What is asked, and what the client says about it.
ERRORS = [
    ("/error 5021", "maximum context length is", "too long"),
    ("/error-after 3", "The model provider had a problem", "broken"),
    ("/cut 3", "The answer was interrupted", "cut"),
]
LLM, AIDER = runs("llm"), runs("aider")


@pytest.fixture
def waits(tmp_path: Path) -> Waits:
    return Waits(tmp_path)


@pytest.fixture
def llm(site: ApiSite, tmp_path: Path, waits: Waits) -> Llm:
    """Return a function that runs `llm`, with the snippet as its configuration."""
    (tmp_path / "extra-openai-models.yaml").write_text(snippet_text(site, "llm", GEMMA))

    def run(*arguments: str, key: str = site.key) -> "subprocess.CompletedProcess[str]":
        command = [str(program("python", "llm")), "prompt", "-m", "runnel", "--key", key]
        return subprocess.run(
            [*command, *arguments],
            env={**os.environ, "LLM_USER_PATH": str(tmp_path), **waits.environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    return run


@LLM
@pytest.mark.parametrize(
    "options",
    [
        pytest.param([], marks=shows("streamed")),
        pytest.param(["--no-stream"], marks=shows("text")),
    ],
)
def test_llm_prints_the_answer(llm: Llm, options: list[str]) -> None:
    assert "“Hello”" in llm("Hello", *options).stdout


@LLM
@shows("tools")
def test_llm_calls_tools_without_a_description(llm: Llm) -> None:
    assert "“4.2 m”" in llm("/tool the level", "--functions", TOOL).stdout


@LLM
@shows("structured")
def test_llm_gets_an_object_of_its_schema(llm: Llm) -> None:
    assert '"age"' in llm("Hello", "--schema", "name, age int").stdout


@LLM
@pytest.mark.parametrize(
    ("prompt", "words"),
    [pytest.param(prompt, words, marks=shows(ability)) for prompt, words, ability in ERRORS],
)
def test_llm_says_what_went_wrong(llm: Llm, prompt: str, words: str) -> None:
    finished = llm(prompt)
    assert finished.returncode == 1
    assert words in finished.stderr


@LLM
@shows("wrong key", "limits")
def test_llm_says_at_once_that_a_key_is_wrong_or_spent(
    llm: Llm, site: ApiSite, waits: Waits
) -> None:
    assert "Incorrect API key" in llm("Hello", key="DUMMY_KEY").stderr
    assert "monthly limit" in llm("Hello", key=site.spent_key).stderr
    assert waits.seconds == []


@LLM
@shows("limits")
def test_llm_tries_again_when_it_is_told_to_and_then_says_why(
    llm: Llm, site: ApiSite, waits: Waits
) -> None:
    assert "messages per minute" in llm("Hello", key=site.limited_key).stderr
    assert len(waits.seconds) == 2
    assert all(0 < seconds <= 60 for seconds in waits.seconds)
    assert "at capacity" in llm("/error 3040").stderr
    assert waits.seconds[2:] == [2, 2]


def aider(site: ApiSite, folder: Path, prompt: str, words: str = "", key: str = "") -> str:
    """Run the snippet until aider has said `words`, or else to its end."""
    *exports, command = snippet_text(site, "aider", GEMMA).splitlines()
    options = "--no-git --yes-always --no-check-update --no-show-model-warnings --analytics-disable"
    command += f' {options} --no-pretty --chat-mode ask --message "$PROMPT"'
    environment = site.environment | OFFLINE | {"HOME": str(folder), "PROMPT": prompt}
    environment |= {"RUNNEL_API_KEY": key or site.key, "COLUMNS": "500"}
    environment |= Waits(folder).environment
    environment["PATH"] = f"{program('aider', 'aider').parent}:{os.environ['PATH']}"
    with subprocess.Popen(
        ["bash", "-c", "\n".join([*exports, f"exec timeout {SECONDS} {command}"])],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout
        said = ""
        for line in process.stdout:
            said += line
            if words and words in said.replace("\n", " "):
                break
        else:
            assert process.wait(SECONDS) == 0  # `timeout` has not ended it
        process.terminate()
    return said.replace("\n", " ")


@AIDER
@shows("streamed")
def test_aider_prints_the_answer(site: ApiSite, tmp_path: Path) -> None:
    quoted = "“Hello"  # aider adds a sentence of its own
    assert quoted in aider(site, tmp_path, "Hello", quoted)


# To aider, a message that begins with a slash is a command of its own.
@AIDER
@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        pytest.param(" /error 5021", "token-limits", marks=shows("too long")),
        *(
            pytest.param(f" {prompt}", words, marks=shows(ability))
            for prompt, words, ability in ERRORS[1:]
        ),
    ],
)
def test_aider_says_what_went_wrong(site: ApiSite, tmp_path: Path, prompt: str, words: str) -> None:
    assert words in aider(site, tmp_path, prompt, words)


@AIDER
@shows("wrong key")
def test_aider_says_that_a_key_is_wrong_and_ends(
    site: ApiSite, tmp_path: Path, waits: Waits
) -> None:
    said = aider(site, tmp_path, "Hello", key="DUMMY_KEY")
    assert "Incorrect API key provided" in said
    assert "not able to authenticate" in said
    assert waits.seconds == []


@AIDER
@shows("limits")
def test_aider_repeats_a_refused_call_for_a_minute_and_ends(
    site: ApiSite, tmp_path: Path, waits: Waits
) -> None:
    said = aider(site, tmp_path, "Hello", key=site.spent_key)
    assert "monthly limit" in said
    assert "rate limited you" in said
    # Its own repetitions only: its SDK is told not to try again.
    assert waits.seconds == [0.25, 0.5, 1, 2, 4, 8, 16, 32]


@AIDER
@shows("limits")
def test_aider_says_that_it_asks_too_often_and_waits_as_it_is_told(
    site: ApiSite, tmp_path: Path, waits: Waits
) -> None:
    words = "messages per minute"
    assert words in aider(site, tmp_path, "Hello", words, site.limited_key)
    assert all(0 < seconds <= 60 for seconds in waits.seconds)
    assert len(waits.seconds) >= 2


def test_langchains_snippet_prints_the_answer(site: ApiSite) -> None:
    finished = subprocess.run(
        [program("python", "python"), "-"],
        input=snippet_text(site, "langchain"),
        env=site.environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert "“Hello”" in finished.stdout, finished.stderr


def test_librechats_snippet_names_an_address_that_lists_its_model(site: ApiSite) -> None:
    """LibreChat fetches the models there; test_clients.py runs its agents with that address."""
    (endpoint,) = yaml.safe_load(snippet_text(site, "librechat"))["endpoints"]["custom"]
    headers = {
        "Authorization": endpoint["apiKey"].replace("${RUNNEL_API_KEY}", f"Bearer {site.key}")
    }
    found = httpx.get(f"{endpoint['baseURL']}/models", headers=headers, trust_env=False).json()
    assert endpoint["models"]["fetch"]
    assert set(endpoint["models"]["default"]) <= {each["id"] for each in found["data"]}


def test_continue_reads_the_snippet(site: ApiSite, monkeypatch: pytest.MonkeyPatch) -> None:
    text = snippet_text(site, "continue").replace("${{ secrets.RUNNEL_API_KEY }}", site.key)
    found: Any = yaml.safe_load(text)
    (model,) = found["models"]
    monkeypatch.setenv("CONTINUE_MODEL", json.dumps(model))
    assert "“Hello”" in said_by(site, "continue_config.mjs")["text"]
