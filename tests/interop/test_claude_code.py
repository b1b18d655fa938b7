"""Claude Code, unmodified, works on a task with a model of the site."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.api.api_site import MAKE_KEY, ApiSite
from tests.support.api.client_environments import CLIENTS
from tests.support.api.snippet_text import snippet_text
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.model_server import MODEL, TOKEN, calling, model_server
from tests.support.servers.server import running

pytestmark = [pytest.mark.interop, pytest.mark.long, pytest.mark.xdist_group("foreign clients")]

CATALOGUE = f'[[models]]\nid = "{MODEL}"\ncontext_window = 200000\ntools = true\n'
#: What the model runs, one after the other; the second one fails.
COMMANDS = ["echo 4.2 > level.txt", "cat no_such_file.txt", "cat level.txt"]
QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_MAX_RETRIES": "0",
    "IS_SANDBOX": "1",  # the tests may run as root
}


class Model:
    """Runs the commands by the tool of the program, and then says what the last one printed."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        self.requests.append(request)
        results = self.results
        if len(results) < len(COMMANDS):
            command = COMMANDS[len(results)]
            return calling(f"call_{len(results)}", "Bash", command=command, description="Looks.")
        return {"content": f"The level is {results[-1]} m."}

    @property
    def results(self) -> list[str]:
        """The results of tools in the last request."""
        return [each["content"] for each in self.requests[-1]["messages"] if each["role"] == "tool"]


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def site(model: Model, tmp_path: Path) -> Iterator[ApiSite]:
    catalogue = tmp_path / "models.toml"
    catalogue.write_text(CATALOGUE)
    with model_server(model.reply) as url:
        provider = {"WORKERS_AI_BASE_URL": url, "CLOUDFLARE_API_TOKEN": TOKEN}
        with running(**provider, MODELS_FILE=str(catalogue)) as server:
            yield ApiSite(server, server.run(MAKE_KEY))


def said_by_claude(site: ApiSite, folder: Path, task: str, key: str = "") -> dict[str, Any]:
    """Run the snippet of the page of API keys in `folder`; return what the program reports."""
    program = CLIENTS / "node" / "node_modules" / "@anthropic-ai" / "claude-code"
    if not program.exists():
        pytest.fail(f"{program} is not there; `make test-long` installs it.")
    *exports, command = snippet_text(site, "claude-code", MODEL).splitlines()
    assert command == "claude"
    run = f"exec node {program / 'cli-wrapper.cjs'} -p --output-format json"
    run += " --dangerously-skip-permissions"
    finished = subprocess.run(
        ["bash", "-c", "\n".join([*exports, f'{run} "$TASK"'])],
        cwd=folder,
        env=QUIET
        | {"PATH": os.environ["PATH"], "HOME": str(folder), "TASK": task}
        | {"RUNNEL_API_KEY": key or site.key},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert finished.stdout, finished.stderr[-4000:]
    return dict(json.loads(finished.stdout))


def test_a_task_of_several_turns_is_done(site: ApiSite, model: Model, tmp_path: Path) -> None:
    said = said_by_claude(site, tmp_path, "How high does the river stand?")
    assert said["result"] == "The level is 4.2 m."
    assert not said["is_error"]
    assert said["num_turns"] == len(COMMANDS) + 1 == len(model.requests)
    assert (tmp_path / "level.txt").read_text() == "4.2\n"
    assert model.results[1].startswith("Error: ")
    assert "no_such_file.txt" in model.results[1]
    roles = [each["role"] for each in model.requests[0]["messages"]]
    assert roles == ["system", "user"]


def test_a_wrong_key_is_said(site: ApiSite, tmp_path: Path) -> None:
    said = said_by_claude(site, tmp_path, "Hello", key="DUMMY_KEY")
    assert said["is_error"]
    assert "Incorrect API key" in said["result"]
