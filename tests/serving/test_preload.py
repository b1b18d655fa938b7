"""What a page needs is loaded before the first one is asked for."""

import subprocess
import sys
from pathlib import Path

from tests.support.servers.server import ROOT, environment

CODE = """
import sys
import django
from project import preload
django.setup()
assert "chat.web.http.context_processors" not in sys.modules
preload._keep_templates()
assert "chat.web.http.context_processors" in sys.modules
"""


def test_context_processors_are_imported(tmp_path: Path) -> None:
    settings = {"DJANGO_SETTINGS_MODULE": "project.settings"}
    subprocess.run(
        [sys.executable, "-c", CODE],
        cwd=ROOT,
        env=environment(tmp_path, 8000, **settings),
        check=True,
    )
