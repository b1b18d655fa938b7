"""What a request needs is loaded before the first one arrives."""

import subprocess
import sys
from pathlib import Path

from tests.support.servers.server import ROOT, environment

CONTEXT_PROCESSORS = """
import sys
import django
from project import preload
django.setup()
assert "chat.web.http.context_processors" not in sys.modules
preload._keep_templates()
assert "chat.web.http.context_processors" in sys.modules
"""
MODULES = """
import sys
import project.asgi.entry_point
from project.preload import preload
preload()
print(*sys.modules)
"""
#: Run by commands, in processes of their own, or with PostgreSQL and Redis only.
NOT_FOR_REQUESTS = (
    "chat.accounts.second_factor.second_factors",
    "chat.backup",
    "chat.database.postgresql",
    "chat.database.redis_or_table_cache",
    "chat.database_copy",
    "chat.doctor",
    "chat.documents.reader.__main__",
    "chat.generations.process.prune_now",
    "chat.tools.mcp.program_launcher",
    "chat.widget_sites.demo",
    "project.npm",
    "project.serving",
    "project.translations",
)


def run(tmp_path: Path, code: str) -> str:
    settings = {"DJANGO_SETTINGS_MODULE": "project.settings"}
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=ROOT,
        env=environment(tmp_path, 8000, **settings),
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def test_context_processors_are_imported(tmp_path: Path) -> None:
    run(tmp_path, CONTEXT_PROCESSORS)


def test_all_modules_that_serve_requests_are_imported(tmp_path: Path) -> None:
    files = [each for package in ("chat", "project") for each in (ROOT / package).rglob("*.py")]
    names = {".".join(each.relative_to(ROOT).with_suffix("").parts) for each in files}
    ours = {
        name.removesuffix(".__init__")
        for name in names
        if not {"management", "migrations"} & set(name.split("."))
    }
    late = ours - set(run(tmp_path, MODULES).split())
    assert [each for each in sorted(late) if not each.startswith(NOT_FOR_REQUESTS)] == []
    assert len(ours - late) > 500
