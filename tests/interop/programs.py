"""The programs that tests call the API with, and what the table in docs/api.md says of each."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

#: By ability of a program: the column of the table. The marks of tests name the ability.
COLUMNS = {
    "text": "text",
    "streamed": "streamed",
    "tools": "tools",
    "turns": "several turns",
    "structured": "structured output",
    "wrong key": "wrong key",
    "limits": "limits",
    "too long": "too long",
    "broken": "error in a stream",
    "cut": "cut stream",
}
YES, FAILED = "yes", "FAILED"
_ROOT = Path(__file__).parents[2]
_CLIENTS = "tests/interop/clients"


@dataclass(frozen=True, slots=True)
class Program:
    """A program, the package that has it, and the lock file that has its version."""

    name: str
    package: str
    lock: str

    @property
    def version(self) -> str:
        text = (_ROOT / self.lock).read_text()
        if self.lock.endswith(".json"):
            return str(json.loads(text)["packages"][f"node_modules/{self.package}"]["version"])
        found = re.search(rf"^{re.escape(self.package)}==([^\s;]+)", text, re.MULTILINE)
        assert found, self.package
        return found[1]


def _of(environment: str) -> str:
    name = "package-lock.json" if environment == "node" else "requirements.lock"
    return f"{_CLIENTS}/{environment}/{name}"


PROGRAMS = [
    Program("Claude Code", "@anthropic-ai/claude-code", _of("node")),
    Program("Codex", "@openai/codex", _of("node")),
    Program("opencode", "opencode-ai", _of("node")),
    Program("Qwen Code", "@qwen-code/qwen-code", _of("node")),
    Program("Continue CLI", "@continuedev/cli", _of("node")),
    Program("gptme", "gptme", _of("agents")),
    Program("aider", "aider-chat", _of("aider")),
    Program("llm", "llm", _of("python")),
    Program("Open WebUI", "open-webui", _of("open_webui")),
    Program("LibreChat's agents", "@librechat/agents", _of("node")),
    Program("Continue's adapters", "@continuedev/openai-adapters", _of("node")),
    Program("openai for Python", "openai", "requirements-dev.lock"),
    Program("openai for Node", "openai", "package-lock.json"),
    Program("anthropic for Python", "anthropic", "requirements-dev.lock"),
    Program("ollama for Python", "ollama", "requirements-dev.lock"),
    Program("ollama for JavaScript", "ollama", _of("node")),
    Program("AI SDK", "ai", "package-lock.json"),
    Program("LangChain", "langchain-openai", _of("python")),
    Program("LangChain.js", "@langchain/openai", _of("node")),
    Program("LlamaIndex", "llama-index-llms-openai-like", _of("agents")),
    Program("Haystack", "haystack-ai", _of("agents")),
    Program("DSPy", "dspy", _of("agents")),
    Program("Agno", "agno", _of("agents")),
    Program("smolagents", "smolagents", _of("agents")),
    Program("litellm", "litellm", _of("python")),
    Program("instructor", "instructor", _of("python")),
    Program("Pydantic AI", "pydantic-ai-slim", _of("python")),
    Program("OpenAI's agents", "openai-agents", _of("python")),
    Program("cloudflare for Python", "cloudflare", "requirements-dev.lock"),
    Program("cloudflare for Node", "cloudflare", _of("node")),
    Program("workers-ai-provider", "workers-ai-provider", "package-lock.json"),
    Program("langchain-cloudflare", "langchain-cloudflare", _of("python")),
]


def runs(name: str) -> pytest.MarkDecorator:
    """Mark tests with the program that they run."""
    return pytest.mark.runs(name)


def shows(*abilities: str, cell: str = YES) -> pytest.MarkDecorator:
    """Mark a test with what it shows about its program; `cell` is what the table says then."""
    return pytest.mark.shows(*abilities, cell=cell)
