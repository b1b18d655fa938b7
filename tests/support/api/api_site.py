"""Run the site for unmodified clients, which call it over real sockets."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.missing_programs import require
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import ROOT, Server, running

MAKE_KEY = """
from chat.accounts.models import User
from chat.api_keys import keys
from chat.api_keys.keys import KeyOptions
alice = User.objects.create_user("alice@example.org", None)
print(keys.create(alice, KeyOptions("Clients"))[1])
"""
#: A key without any budget, and one of a member who may not send any message in a minute.
MAKE_LIMITED_KEYS = """
from chat.accounts.models import User
from chat.api_keys import keys
from chat.api_keys.keys import KeyOptions
from chat.quotas.models import Limit
alice = User.objects.get(email="alice@example.org")
carol = User.objects.create_user("carol@example.org", None)
Limit.objects.create(scope="member", user=carol, measure="requests", amount=0)
print(keys.create(alice, KeyOptions("Spent", monthly_usd=0))[1])
print(keys.create(carol, KeyOptions("Limited"))[1])
"""


@dataclass(frozen=True, slots=True)
class ApiSite:
    """A running site, and a key of a member there; also keys that limits refuse."""

    server: Server
    key: str
    spent_key: str = ""
    limited_key: str = ""

    @property
    def base_url(self) -> str:
        return f"{self.server.url}/v1"

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment for a client's process."""
        return {
            **os.environ,
            "RUNNEL_URL": self.server.url,
            "RUNNEL_API_KEY": self.key,
            "RUNNEL_QUOTA_KEY": self.spent_key,
            "RUNNEL_RATE_KEY": self.limited_key,
        }


@contextmanager
def api_site() -> Iterator[ApiSite]:
    with running() as server:
        yield ApiSite(server, server.run(MAKE_KEY), *server.run(MAKE_LIMITED_KEYS).split())


def heard_by(
    site: ApiSite, script: Path, environment: dict[str, str] | None = None
) -> dict[str, Any]:
    """Run a Node script that talks to the site, and return the JSON that it prints."""
    node = shutil.which("node")
    require(node, "node")
    require((ROOT / "node_modules/openai").is_dir(), "openai in node_modules")
    assert node
    finished = subprocess.run(
        [node, script],
        env=site.environment | (environment or {}),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return dict(json.loads(finished.stdout))
