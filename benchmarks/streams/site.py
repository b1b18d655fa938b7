"""The whole product in a process of its own, with people, limits that nobody reaches, and chats."""

import json
from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from pathlib import Path

import psycopg

from benchmarks.streams.programs import Upstream, signed_in
from benchmarks.streams.sizes import Size
from benchmarks.streams.targets import UNIQUE, Target
from benchmarks.streams.usage import SERVER_CORES, on
from tests.support.database.postgres import address_of, migrated_database, start_postgres
from tests.support.servers.server import Server

MUCH = "1000000"
SETTINGS = {
    "CLOUDFLARE_ACCOUNT_ID": "0123456789abcdef0123456789abcdef",
    "CLOUDFLARE_API_TOKEN": "benchmark",
    "UPSTREAM_REQUESTS_PER_MINUTE": "0",
    "UPSTREAM_CONNECTIONS": "0",
    "MAX_STREAMS_PER_PERSON": MUCH,
    "MAX_OPEN_STREAMS": MUCH,
    "MAX_RUNNING_ANSWERS": MUCH,
    "REVIEW_REASON_MINUTES": "0",
    "LOG_LEVEL": "warning",
    "TITLE_MODEL": "@cf/ibm-granite/granite-4.0-h-micro",  # as shipped
    # As a new site has them, so that each is reserved and settled; only the amounts are larger.
    "INITIAL_LIMITS": "member:running=1000000 member:requests=100000000 member:dollars=100000000"
    " address:dollars=100000000 everyone:dollars=100000000",
}
TEMPORARY = b'{"messages":[{"role":"user","content":"Hello"}]}'
STORED = b'{"key":"%b","text":"Hello"}' % UNIQUE
#: A new chat also gets a title, as it does on a new site, except where that is measured.
TEMPORARY_KIND, STORED_KIND, UNTITLED_KIND = "temporary", "stored", "stored without titles"
WORD = "reading"
PREPARE = """
import json
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import Permission
from chat.accounts.models import User
from chat.accounts.sessions.session_store import SessionStore
from chat.conversations.models import Conversation, Message
from chat.quotas.models import Limit
from chat.review.models import ReviewScope
for scope, measure, amount in settings.INITIAL_LIMITS:
    Limit.objects.create(scope=scope, measure=measure, amount=amount)
def signed_in(user):
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return session.session_key
def with_chats(user):
    chats = Conversation.objects.bulk_create(
        Conversation(owner=user, title=f"About room {n}") for n in range(%(chats)d)
    )
    Message.objects.bulk_create(
        Message(
            conversation=chat, role=role, text="A quiet %(word)s room" if n %% 10 == 0 else "Hello"
        )
        for n, chat in enumerate(chats) for role in ("user", "assistant")
    )
    user.user_permissions.add(Permission.objects.get(codename="lead_review"))
    ReviewScope.objects.create(reviewer=user)
    return user
members = [User.objects.create_user(f"member{n}@example.org", None) for n in range(%(members)d)]
rita = with_chats(User.objects.create_user("rita@example.org", None))
print(json.dumps([[signed_in(each) for each in members], signed_in(rita)]))
"""


@dataclass(frozen=True, slots=True)
class Site:
    """One server; members ask, and rita, who also reviews, has many chats."""

    database: str
    server: Server
    database_pid: int
    members: list[str]
    rita: str

    def target(self, kind: str) -> Target:
        is_stored = kind != TEMPORARY_KIND
        return Target(
            f"ours, {kind}, {self.database}",
            self.server.port,
            "/chat/messages" if is_stored else "/chat/stream",
            STORED if is_stored else TEMPORARY,
            self.server.pid,
            cycle(signed_in(each) | {"Origin": self.server.url} for each in self.members),
            self.database_pid,
        )


@contextmanager
def site(
    database: str,
    model: Upstream,
    folder: Path,
    size: Size,
    cores: Set[int] = frozenset(SERVER_CORES),
    **more: str,
) -> Iterator[Site]:
    """Start a site with these settings, on these cores of the machine."""
    settings = SETTINGS | {"WORKERS_AI_BASE_URL": model.url} | more
    postmaster = 0
    if database == "PostgreSQL":
        address = _postgres()
        settings["DATABASE_URL"] = address_of(address, migrated_database(address))
        postmaster = _postmaster(address)
    server = Server(folder, 0, **settings)
    server.prepare()
    code = PREPARE % {"chats": size.chats, "members": size.members, "word": WORD}
    members, rita = json.loads(server.manage("shell", "--verbosity", "0", "-c", code))
    try:
        with on(cores):
            server.start()
        yield Site(database, server, postmaster, members, rita)
    finally:
        server.end()


@cache
def _postgres() -> str:
    """One server of databases for all repeats, on the core of those that use it."""
    with on(SERVER_CORES):
        return start_postgres()


def _postmaster(address: str) -> int:
    with psycopg.connect(address) as connection:
        row = connection.execute("SHOW data_directory").fetchone()
    assert row
    return int((Path(row[0]) / "postmaster.pid").read_text().split()[0])
