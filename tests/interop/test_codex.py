"""Codex, unmodified and with all tools that it has by default, works on a task."""

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

CATALOGUE = f'[[models]]\nid = "{MODEL}"\ncontext_window = 200000\ntools = true\nvision = true\n'
#: What the model runs, one after the other; the second one fails.
COMMANDS = ["echo 4.2 > level.txt", "cat no_such_file.txt", "cat level.txt"]
#: Of the functions that Codex declares, one of a namespace: it is offered like the others.
OF_A_NAMESPACE = "spawn_agent"


class Model:
    """Runs the commands by the tool of the program, and then says what the last one printed."""

    def __init__(self) -> None:
        self.error: dict[str, Any] | None = None
        self.requests: list[dict[str, Any]] = []

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        self.requests.append(request)
        if self.error:
            return {"error": self.error}
        results = self.results
        if len(results) < len(COMMANDS):
            return calling(f"call_{len(results)}", "exec_command", cmd=COMMANDS[len(results)])
        return {"content": f"The level is {results[-1].split()[-1]} m."}

    @property
    def results(self) -> list[str]:
        """The results of tools in the last request."""
        return [each["content"] for each in self.requests[-1]["messages"] if each["role"] == "tool"]


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def own_site(model: Model, tmp_path: Path) -> Iterator[ApiSite]:
    catalogue = tmp_path / "models.toml"
    catalogue.write_text(CATALOGUE)
    with model_server(model.reply) as url:
        provider = {"WORKERS_AI_BASE_URL": url, "CLOUDFLARE_API_TOKEN": TOKEN}
        with running(**provider, MODELS_FILE=str(catalogue)) as server:
            yield ApiSite(server, server.run(MAKE_KEY))


def said_by_codex(site: ApiSite, folder: Path, task: str, key: str = "") -> list[dict[str, Any]]:
    """Run Codex in `folder` with the snippet as its configuration; return what it reports."""
    program = CLIENTS / "node" / "node_modules" / "@openai" / "codex" / "bin" / "codex.js"
    if not program.exists():
        pytest.fail(f"{program} is not there; `make test-long` installs it.")
    home = folder / ".codex"
    home.mkdir()
    (home / "config.toml").write_text(snippet_text(site, "codex", MODEL))
    options = ["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    finished = subprocess.run(
        ["node", program, "exec", *options, task],
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "CODEX_HOME": str(home),
            "RUNNEL_API_KEY": key or site.key,
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    lines = [line for line in finished.stdout.splitlines() if line.startswith("{")]
    assert lines, finished.stderr[-4000:]
    return [json.loads(line) for line in lines]


def words_in(reported: list[dict[str, Any]], kind: str) -> list[str]:
    """Return the text of all finished items of this type."""
    items = [each["item"] for each in reported if each["type"] == "item.completed"]
    return [each["text"] for each in items if each["type"] == kind]


def test_a_task_of_several_turns_is_done(own_site: ApiSite, model: Model, tmp_path: Path) -> None:
    reported = said_by_codex(own_site, tmp_path, "How high does the river stand?")
    assert words_in(reported, "agent_message") == ["The level is 4.2 m."]
    assert reported[-1]["type"] == "turn.completed"
    assert len(model.requests) == len(COMMANDS) + 1
    assert (tmp_path / "level.txt").read_text() == "4.2\n"
    assert "no_such_file.txt" in model.results[1]
    offered = {each["function"]["name"] for each in model.requests[0]["tools"]}
    assert {"exec_command", OF_A_NAMESPACE} <= offered
    assert "web_search" not in offered


def test_a_wrong_key_is_said(own_site: ApiSite, tmp_path: Path) -> None:
    reported = said_by_codex(own_site, tmp_path, "Hello", key="DUMMY_KEY")
    assert reported[-1]["type"] == "turn.failed"
    assert "Incorrect API key" in reported[-1]["error"]["message"]


def test_an_answer_that_breaks_off_is_said_with_its_reason(
    own_site: ApiSite, model: Model, tmp_path: Path
) -> None:
    model.error = {"message": "Out of memory.", "code": 500}
    reported = said_by_codex(own_site, tmp_path, "How high does the river stand?")
    assert reported[-1]["type"] == "turn.failed"
    assert "The model provider had a problem" in reported[-1]["error"]["message"]
