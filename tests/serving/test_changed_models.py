"""A running site follows the provider's list of models without a restart."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from chat.lib.catalogue import SHIPPED_FILE
from tests.emulator.server import running_emulator
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import Server

NEW = "@cf/house/brew-9b"
GONE = "@cf/qwen/qwq-32b"
ENTRY = f'[[models]]\nid = "{NEW}"\ncontext_window = 64000\noutput_usd_per_million = 0.6\n\n'
HELLO = [{"role": "user", "content": "Hello"}]
MAKE_KEY = """
from chat.accounts.models import User
from chat.api_keys import keys
alice = User.objects.create_user("alice@example.org", "correct horse")
print(keys.create(alice, keys.KeyOptions("Hers"))[1])
"""
SWITCH_ON = f"""
from chat.upstream.catalogue.models import ModelOverlay
ModelOverlay.objects.filter(pk="{NEW}").update(is_offered=True)
"""


@pytest.fixture
def changed_file(tmp_path: Path) -> Path:
    """Return the shipped catalogue with a new model, and without one."""
    entries = re.split(r"(?m)^(?=\[\[models\]\])", SHIPPED_FILE.read_text())
    kept = [each for each in entries if f'id = "{GONE}"' not in each]
    assert len(kept) == len(entries) - 1
    path = tmp_path / "changed.toml"
    path.write_text("".join([*kept, "\n", ENTRY]))
    return path


@pytest.fixture
def site(tmp_path: Path, changed_file: Path) -> Iterator[Server]:
    """Start a site whose provider has other models than the site's catalogue."""
    with running_emulator("--models", str(changed_file), "--tokens-per-second", "0") as base_url:
        data_dir = tmp_path / "data"
        data_dir.mkdir()
        server = Server(data_dir, WORKERS_AI_BASE_URL=base_url)
        server.prepare()
        server.start()
        try:
            yield server
        finally:
            server.end()


def test_a_running_site_takes_a_new_and_a_gone_model_over(site: Server) -> None:
    key = {"Authorization": f"Bearer {site.run(MAKE_KEY)}"}
    with httpx.Client(base_url=f"{site.url}/v1", headers=key, timeout=PATIENCE_SECONDS) as client:

        def offered() -> set[str]:
            return {each["id"] for each in client.get("/models").json()["data"]}

        def ask(model: str) -> httpx.Response:
            return client.post("/chat/completions", json={"model": model, "messages": HELLO})

        assert GONE in offered()
        assert NEW not in offered()
        assert "2 changes" in site.manage("models", "--apply")
        assert offered().isdisjoint({GONE, NEW})
        assert ask(GONE).json()["error"]["code"] == "model_not_found"
        assert ask(NEW).status_code == 404
        site.run(SWITCH_ON)
        assert NEW in offered()
        answer = ask(NEW).json()
        assert answer["model"] == NEW
        assert answer["choices"][0]["message"]["content"]
