"""Run code of tests in one process of the site; `manage.py shell` would start one each time."""

import json
import subprocess
import sys

from tests.support.database.database_templates import ROOT

LOOP = """
import contextlib, io, json, os, sys, traceback
os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
import django
django.setup()
from django.db import connections
for line in sys.stdin:
    said, wrong = io.StringIO(), ""
    try:
        with contextlib.redirect_stdout(said):
            exec(json.loads(line), {})
    except Exception:
        wrong = traceback.format_exc()
    connections.close_all()
    print(json.dumps([said.getvalue(), wrong]), flush=True)
"""


class Shell:
    def __init__(self, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", LOOP],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, code: str) -> str:
        """Run the code and return its output."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(code) + "\n")
        self._process.stdin.flush()
        said, wrong = json.loads(self._process.stdout.readline())
        assert not wrong, wrong
        return str(said)

    def end(self) -> None:
        self._process.communicate()
