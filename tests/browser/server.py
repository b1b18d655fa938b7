"""The whole site in a process of its own: Daphne, a fresh database, collected static files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.helpers.server import ROOT, Server

__all__ = ["MAX_BODY_BYTES", "MAX_MESSAGE_CHARS", "ROOT", "LiveSite", "live_site"]

TOKENS_PER_SECOND = 800
MAX_BODY_BYTES = 256 * 1024
MAX_MESSAGE_CHARS = 100_000


class LiveSite(Server):
    def __init__(self, folder: Path) -> None:
        super().__init__(
            "daphne",
            folder,
            LOG_LEVEL="error",
            MAX_BODY_BYTES=str(MAX_BODY_BYTES),
            MAX_MESSAGE_CHARS=str(MAX_MESSAGE_CHARS),
            EMULATOR_TOKENS_PER_SECOND=str(TOKENS_PER_SECOND),
        )

    def make_member(self, email: str, password: str) -> None:
        make = "from chat.accounts.models import User; User.objects.create_user"
        self.manage("shell", "--verbosity=0", "--command", f"{make}({email!r}, {password!r})")


@contextmanager
def live_site(folder: Path) -> Iterator[LiveSite]:
    site = LiveSite(folder)
    site.prepare()
    try:
        site.start()
        yield site
    finally:
        site.end()
