"""What the page of API keys tells developers to paste works unchanged."""

import json
import shutil
import subprocess
import sys
from typing import Any

import pytest
import yaml

from tests.support.api.api_client import MODEL
from tests.support.api.api_site import ApiSite
from tests.support.api.snippet_text import snippet_text
from tests.support.missing_programs import require
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import ROOT

pytestmark = [pytest.mark.interop, pytest.mark.long, pytest.mark.xdist_group("foreign clients")]

#: Programs that read a snippet from their standard input.
INTERPRETERS = {
    "curl": ["bash", "-s"],
    "python": [sys.executable, "-"],
    "node": ["node", "--input-type=module", "-"],
    "ai-sdk": ["node", "--input-type=module", "-"],
    "anthropic": [sys.executable, "-"],
    "ollama": [sys.executable, "-"],
    "cloudflare": [sys.executable, "-W", "ignore", "-"],
}


@pytest.mark.parametrize("name", INTERPRETERS)
def test_a_program_runs_and_prints_the_answer(site: ApiSite, name: str) -> None:
    command = INTERPRETERS[name]
    require(shutil.which(command[0]), command[0])
    require((ROOT / "node_modules/openai").is_dir(), "openai in node_modules")
    finished = subprocess.run(
        command,
        input=snippet_text(site, name),
        env=site.environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert "“Hello”" in finished.stdout
    if name == "curl":
        assert json.loads(finished.stdout)["object"] == "chat.completion"


@pytest.mark.parametrize("name", ["llm", "continue", "librechat"])
def test_a_configuration_is_yaml_with_the_sites_address(site: ApiSite, name: str) -> None:
    found: Any = yaml.safe_load(snippet_text(site, name))
    assert site.base_url in json.dumps(found)
    assert MODEL in json.dumps(found)


@pytest.mark.parametrize("name", ["aider", "open-webui"])
def test_an_environment_has_the_sites_address(site: ApiSite, name: str) -> None:
    assert f"={site.base_url}\n" in snippet_text(site, name)
