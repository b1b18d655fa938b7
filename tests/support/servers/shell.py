"""Run code of tests in one process of the site; `manage.py shell` would start one each time."""

import contextlib
import io
import os
import tempfile
import traceback
from multiprocessing.connection import Connection
from pathlib import Path

from tests.support.servers import forked


class Shell:
    def __init__(self, environment: dict[str, str]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="runnel-shell-")
        output = Path(self._folder.name) / "output"
        self._ours, theirs = forked.pipe()
        self._process = forked.started(_execute_all, theirs, environment=environment, output=output)
        theirs.close()
        self._errors = forked.errors_of(output)

    def run(self, code: str) -> str:
        """Run the code and return its output."""
        try:
            self._ours.send(code)
            said, wrong = self._ours.recv()
        except (EOFError, OSError):
            raise AssertionError(self._errors.read_text()) from None
        assert not wrong, wrong
        return str(said)

    def end(self) -> None:
        self._ours.close()
        self._process.join()
        self._folder.cleanup()


def _execute_all(codes: Connection) -> None:
    """Execute each code that arrives, and send what it printed and why it failed."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
    import django

    django.setup()
    from django.db import connections

    with contextlib.suppress(EOFError):
        while True:
            code = codes.recv()
            said, wrong = io.StringIO(), ""
            try:
                with contextlib.redirect_stdout(said):
                    exec(code, {})
            except Exception:
                wrong = traceback.format_exc()
            connections.close_all()
            codes.send((said.getvalue(), wrong))
