"""Run the whole site in its own process: a new database, collected static files."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.support.servers.server import ROOT, Server

__all__ = ["MAX_BODY_BYTES", "MAX_MESSAGE_CHARS", "ROOT", "LiveSite", "live_site"]

TOKENS_PER_SECOND = 800
MAX_BODY_BYTES = 256 * 1024
MAX_MESSAGE_CHARS = 100_000
STORED = """
from chat.site_settings.models import SiteSetting
SiteSetting.objects.create(name={name!r}, value={value!r})
"""
#: The password's hash, computed once for speed; signing in works as usual.
MEMBER = """
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.test import Client
from chat.accounts.models import User
password = PBKDF2PasswordHasher().encode({password!r}, "salt", iterations=1)
member = User(email=User.objects.normalize_email({email!r}), password=password)
member.save()
client = Client()
client.force_login(member)
print(client.cookies["sessionid"].value)
"""


class LiveSite(Server):
    def __init__(self, folder: Path, **settings: str) -> None:
        usual = {
            "LOG_LEVEL": "error",
            "MAX_BODY_BYTES": str(MAX_BODY_BYTES),
            "MAX_MESSAGE_CHARS": str(MAX_MESSAGE_CHARS),
            "EMULATOR_TOKENS_PER_SECOND": str(TOKENS_PER_SECOND),
        }
        super().__init__(folder, **(usual | settings))

    def make_member(self, email: str, password: str) -> str:
        """Create a member, and return the key of a signed-in session."""
        return self.run(MEMBER.format(email=email, password=password))


@contextmanager
def live_site(
    folder: Path, *, stored: Mapping[str, object] | None = None, **settings: str
) -> Iterator[LiveSite]:
    """Run a site with these environment variables, and settings as its pages store them.

    A server reads the latter when it starts, but later changes by others only after seconds.
    """
    site = LiveSite(folder, **settings)
    site.prepare()
    for name, value in (stored or {}).items():
        site.run(STORED.format(name=name, value=value))
    try:
        site.start()
        yield site
    finally:
        site.end()
