"""Run coding agents, unmodified, with what the page of API keys tells to paste."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.support.api.api_site import ApiSite
from tests.support.api.client_environments import CLIENTS, FAST_CLOCK, HURRIED_NODE, program
from tests.support.api.snippet_text import snippet_text
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.model_server import MODEL, calling

#: What the model runs, one after the other; the second one fails. The pause is for Qwen Code: on a
#: busy machine it loses what a command printed just before its end.
COMMANDS = ["echo 4.2 > level.txt", "cat no_such_file.txt", "cat level.txt; sleep 0.5"]
NODE_MODULES = CLIENTS / "node" / "node_modules"


@dataclass(frozen=True)
class CodingAgent:
    """A program that runs commands for a model until it says something."""

    name: str
    #: What starts it: below node_modules, or else in the environment `agents`. The task follows.
    command: str
    #: The tool that runs a command, and its arguments besides the command.
    tool: str
    argument: str = "command"
    more: Mapping[str, Any] = field(default_factory=dict)
    #: Lines for a shell, or what belongs into `file` in the home folder.
    snippet: str = ""
    lines: str = ""
    file: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    #: It repeats a call for a minute or more after an answer that broke off, and can't be hurried.
    is_patient: bool = False
    #: Of the tools that it declares, one whose form is special.
    offers: str = ""
    #: How the result of a command that failed begins.
    failure: str = ""

    def step(self, number: int) -> dict[str, Any]:
        """Return the call of its tool with a command."""
        arguments = {self.argument: COMMANDS[number], **self.more}
        return calling(f"call_{number}", self.tool, **arguments)

    def run(self, site: ApiSite, folder: Path, task: str) -> tuple[str, int]:
        """Run it in `folder`; return what it printed, and its exit code."""
        text = snippet_text(site, self.snippet, MODEL) if self.snippet else self.lines
        if self.file:
            place = folder / self.file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
            text = ""
        # The last line of a snippet starts the program, but without options.
        exports = [line for line in text.splitlines() if line.startswith("export ")]
        script = "\n".join([*exports, f'exec {self._started()} "$TASK"'])
        finished = subprocess.run(
            ["bash", "-c", script],
            cwd=folder,
            env=self._environment(site, folder) | {"TASK": task},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        return f"{finished.stdout}\n{finished.stderr}", finished.returncode

    def _started(self) -> str:
        name, _, options = self.command.partition(" ")
        if "/" not in name:
            return f"{program('agents', name)} {options}"
        found = sorted(NODE_MODULES.glob(name))
        if not found:
            pytest.fail(f"{NODE_MODULES / name} is not there; `make test-long` installs it.")
        # The last one runs on every processor of its kind.
        node = "" if found[-1].suffix == "" else "node "
        return f"{node}{found[-1]} {options}"

    def _environment(self, site: ApiSite, folder: Path) -> dict[str, str]:
        hurried = {"PYTHONPATH": str(FAST_CLOCK), "WAITS": str(folder / "waits")}
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "COLUMNS": "500",
            "RUNNEL_URL": site.server.url,
            "RUNNEL_API_KEY": site.key,
            **(HURRIED_NODE if "/" in self.command else hurried),
            **self.environment,
        }


CODING_AGENTS = [
    CodingAgent(
        "Codex",
        "@openai/codex/bin/codex.js exec --json --skip-git-repo-check"
        " --dangerously-bypass-approvals-and-sandbox",
        "exec_command",
        "cmd",
        snippet="codex",
        file=".codex/config.toml",
        offers="spawn_agent",  # a function of a namespace
    ),
    CodingAgent(
        "Claude Code",
        "@anthropic-ai/claude-code/cli-wrapper.cjs -p --output-format json"
        " --dangerously-skip-permissions",
        "Bash",
        more={"description": "Looks."},
        snippet="claude-code",
        environment={
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_MAX_RETRIES": "0",
            "IS_SANDBOX": "1",  # the tests may run as root
        },
        failure="Error: ",
    ),
    CodingAgent(
        "opencode",
        "opencode-*/bin/opencode run --format json",
        "bash",
        more={"description": "Looks."},
        snippet="opencode",
        file="opencode.json",
        environment={
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_PERMISSION": '"allow"',
        },
        is_patient=True,
    ),
    CodingAgent(
        "Qwen Code",
        "@qwen-code/qwen-code/cli-entry.js --yolo --output-format json -p",
        "run_shell_command",
        more={"is_background": False},
        snippet="qwen-code",
    ),
    CodingAgent(
        "Continue CLI",
        "@continuedev/cli/dist/cn.js --auto --silent -p",
        "Bash",
        snippet="continue",
        file=".continue/config.yaml",
        environment={"CONTINUE_TELEMETRY_ENABLED": "0"},
    ),
    CodingAgent(
        "gptme",
        f"gptme --non-interactive --no-confirm --tool-format tool --tools shell -m local/{MODEL}",
        "shell",
        lines="export OPENAI_BASE_URL=$RUNNEL_URL/v1\nexport OPENAI_API_KEY=$RUNNEL_API_KEY",
        environment={"HTTPS_PROXY": "http://127.0.0.1:9"},  # else it waits for a tokenizer
    ),
]
