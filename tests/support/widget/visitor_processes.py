"""Helpers for the tests of visitors across processes."""

import sqlite3
import uuid
from contextlib import closing

import httpx

from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import Server
from tests.support.widget.site_with_key import MAKE_SITE

ABANDONED_AFTER_SECONDS = 2


SETTINGS = {
    "EMULATOR_TOKENS_PER_SECOND": "20",
    "STREAM_REAUTH_SECONDS": "0.5",
    "VISITOR_ABANDONED_AFTER_SECONDS": str(ABANDONED_AFTER_SECONDS),
}


MAKE_OWNER = """
from chat.accounts.models import User
User.objects.create_user("alice@example.org", "correct horse")
"""


class Visit:
    """One visitor, served by two processes."""

    def __init__(self, here: Server, there: Server) -> None:
        self.here, self.there = here, there
        self.key = here.manage(
            "shell", "--verbosity=0", "--command", MAKE_OWNER + MAKE_SITE
        ).split()[0]
        came = httpx.post(f"{here.url}/w/{self.key}/session", headers=SAME_ORIGIN)
        self.client = httpx.Client(
            headers={"Authorization": f"Bearer {came.json()['token']}"}, timeout=PATIENCE_SECONDS
        )

    def begin(self) -> str:
        """Send a message, read the first words of the answer and disconnect; return its ID."""
        body = {"key": uuid.uuid4().hex, "text": "Tell me a long story"}
        url = f"{self.here.url}/w/{self.key}/messages"
        with self.client.stream("POST", url, json=body) as response:
            assert response.status_code == 200
            next(response.iter_bytes())
            return str(response.headers["X-Generation-Id"])

    def read(self, generation_id: str) -> str:
        """Read the whole answer at the other process."""
        return self.client.get(
            f"{self.there.url}/w/{self.key}/generations/{generation_id}/stream"
        ).text

    def state(self, generation_id: str) -> str:
        with closing(
            sqlite3.connect(self.here.data_dir / "runnel.sqlite3", timeout=PATIENCE_SECONDS)
        ) as database:
            found = database.execute(
                "SELECT state FROM chat_generation WHERE id = ?", [uuid.UUID(generation_id).hex]
            ).fetchone()
        return str(found[0])

    def suspend(self) -> None:
        with closing(
            sqlite3.connect(self.here.data_dir / "runnel.sqlite3", timeout=PATIENCE_SECONDS)
        ) as database:
            database.execute("UPDATE chat_widgetsite SET is_suspended = 1")
            database.commit()
