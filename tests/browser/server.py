"""The whole site in a process of its own: Daphne, a fresh database, collected static files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.helpers.server import ROOT, Server

__all__ = ["MAX_BODY_BYTES", "ROOT", "LiveSite", "live_site"]

TOKENS_PER_SECOND = 800
MAX_BODY_BYTES = 256 * 1024


class LiveSite(Server):
    def __init__(self, folder: Path, **settings: str) -> None:
        usual = {
            "LOG_LEVEL": "error",
            "MAX_BODY_BYTES": str(MAX_BODY_BYTES),
            "EMULATOR_TOKENS_PER_SECOND": str(TOKENS_PER_SECOND),
        }
        super().__init__("daphne", folder, **(usual | settings))

    def make_member(self, email: str, password: str) -> None:
        make = "from chat.accounts.models import User; User.objects.create_user"
        self.manage("shell", "--verbosity=0", "--command", f"{make}({email!r}, {password!r})")


@contextmanager
def live_site(folder: Path, **settings: str) -> Iterator[LiveSite]:
    site = LiveSite(folder, **settings)
    site.prepare()
    try:
        site.start()
        yield site
    finally:
        site.end()
