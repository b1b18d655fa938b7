"""A process that is told to end does end, whatever hangs in it."""

import subprocess
import sys
from pathlib import Path

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import ROOT, environment

HANGING = """
import threading
import django
django.setup()
from project import lifespan
lifespan._end_within(0.1)
threading.Thread(target=threading.Event().wait).start()  # Python would wait for it for good
"""


def test_a_hanging_thread_does_not_keep_the_process(tmp_path: Path) -> None:
    env = environment(tmp_path, 8000, DJANGO_SETTINGS_MODULE="project.settings")
    done = subprocess.run(
        [sys.executable, "-c", HANGING],
        cwd=ROOT,
        env=env,
        capture_output=True,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 1
    assert b"shutting down took too long" in done.stderr
