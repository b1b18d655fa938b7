"""Run the demo website that `make run` serves."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.browser.server import ROOT, LiveSite
from tests.support.servers.server import free_port

MAKE_STAFF = """
from chat.accounts.models import User
User.objects.create(email="rita@example.org", is_staff=True)
"""


@contextmanager
def demo_website(site: LiveSite) -> Iterator[str]:
    """Start the demo website and return its origin."""
    command = [sys.executable, "manage.py", "demo_website", str(free_port())]
    with subprocess.Popen(
        command, cwd=ROOT, env=site.environment, stdout=subprocess.PIPE, text=True
    ) as demo:
        try:
            assert demo.stdout
            yield demo.stdout.readline().split()[-1].rstrip("/")
        finally:
            demo.terminate()
