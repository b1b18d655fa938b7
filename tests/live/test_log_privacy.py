"""Logs and metrics contain nothing that users wrote or own.

Somebody goes through everything the site has, with words, names and secrets that are like no other; then
all that the process wrote down is read.
"""

import json
import re
import sqlite3
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest

from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import Server, running
from tests.support.widget.site_with_key import MAKE_SITE

WORDS = "Xylographie-Sentinel"
TITLE = "Quixotry-Title"
EMAIL = "zephyrine.sentinel@example.org"
OTHER_EMAIL = "other.sentinel@example.org"
PASSWORD = "Vexillology-Passphrase-7"
API_TOKEN = "tok-5entinel-upstream"
METRICS_TOKEN = "tok-5entinel-metrics"
SEARCH = "Sesquipedalian-Search"
SENTINELS = [
    WORDS,
    TITLE,
    EMAIL,
    OTHER_EMAIL,
    PASSWORD,
    API_TOKEN,
    METRICS_TOKEN,
    SEARCH,
    "zephyrine",
]


class Walk:
    """Use the site as one person; `secrets` collects everything that must not be logged."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.client = httpx.Client(
            base_url=server.url, follow_redirects=True, timeout=PATIENCE_SECONDS
        )
        self.secrets: list[str] = list(SENTINELS)

    def post(self, path: str, fields: dict[str, str], **options: Any) -> httpx.Response:
        token = self.client.cookies.get("csrftoken", "")
        return self.client.post(path, data={**fields, "csrfmiddlewaretoken": token}, **options)

    def send(self, path: str, **body: Any) -> httpx.Response:
        headers = {"X-CSRFToken": self.client.cookies["csrftoken"]}
        return self.client.post(path, json={"key": uuid.uuid4().hex, **body}, headers=headers)

    def remember_cookies(self) -> None:
        self.secrets += [cookie.value for cookie in self.client.cookies.jar if cookie.value]

    def account(self) -> None:
        self.client.get("/accounts/signup/")
        self.remember_cookies()
        fields = {"email": EMAIL, "password1": PASSWORD, "password2": PASSWORD}
        assert self.post("/accounts/signup/", {**fields, "password2": "other"}).status_code == 200
        assert self.post("/accounts/signup/", fields).url.path == "/chat/"
        self.remember_cookies()
        self.post("/accounts/logout/", {})
        self.client.get("/accounts/login/")
        for password in [f"{PASSWORD}-wrong"] * 2:
            self.post("/accounts/login/", {"login": OTHER_EMAIL, "password": password})
        self.post("/accounts/login/", {"login": EMAIL, "password": PASSWORD})
        self.remember_cookies()
        assert self.client.get("/chat/").url.path == "/chat/"

    def mails(self) -> None:
        """Use links from mails, including an invalid one."""
        self.post("/accounts/password/reset/", {"email": EMAIL})
        self.post("/accounts/email/", {"email": OTHER_EMAIL, "action_add": ""})
        for path in Path(self.server.data_dir / "mail").iterdir():
            for link in re.findall(r"https?://\S+/accounts/\S+", path.read_text()):
                self.secrets.append(link.rstrip("/").rpartition("/")[2])
                self.client.get(httpx.URL(link).path)
        self.client.get(f"/accounts/setup/{WORDS}/")

    def chat(self) -> None:
        sent = self.send("/chat/messages", text=f"{TITLE}\n{WORDS}")
        assert sent.status_code == 200
        place = f"/chat/{sent.headers['X-Conversation-Id']}"
        for command in ("/error 4006", "/error 10000", "/cut 2"):
            self.send(f"{place}/messages", text=f"{command} {WORDS}")
        generation = f"/generations/{sent.headers['X-Generation-Id']}"
        self.client.get(f"{generation}/stream", headers={"Last-Event-ID": "1"})
        self.client.get(f"{generation}/stream", params={"after": WORDS})
        self.send(f"{generation}/cancellation")
        self.post(f"{place}/title/", {"title": TITLE})
        self.client.get("/chat/search/", params={"q": SEARCH})
        self.client.get(f"{place}/?{SEARCH}={EMAIL}")
        body = json.dumps({"prompt": WORDS})
        self.client.post(
            "/chat/stream",
            content=body,
            headers={**SAME_ORIGIN, "Content-Type": "application/json"},
        )
        self.share(place, sent.headers["X-Message-Id"])
        self.post("/settings/", {"theme": WORDS})
        self.post(f"{place}/deletion/", {})

    def share(self, place: str, last: str) -> None:
        """Use a shared link before and after its revocation."""
        page = self.post(f"{place}/sharing/", {"last": last, "from": "chat"}).text
        found = re.search(r"/s/([\w-]{43})/", page)
        assert found
        self.secrets.append(found[1])
        assert httpx.get(f"{self.server.url}/s/{found[1]}/").status_code == 200
        self.client.get(f"/s/{found[1]}/continuation/")
        self.post(f"/s/{found[1]}/continuation/", {})
        for link in re.findall(r"/shared/[\w-]+/revocation/", page):
            self.post(link, {})
        assert self.client.get(f"/s/{found[1]}/").status_code == 404

    def visit(self) -> None:
        """Use the widget, with a bearer token, a cookie and an identity token."""
        key, kid, secret = self.server.manage(
            "shell", "--verbosity=0", "--command", MAKE_SITE
        ).split()
        root = f"{self.server.url}/w/{key}"
        came = httpx.post(f"{root}/session", headers=SAME_ORIGIN)
        bearer = came.json()["token"]
        cookie = came.headers["Set-Cookie"].partition(";")[0]
        headers = {"Authorization": f"Bearer {bearer}"}
        asked = {"key": uuid.uuid4().hex, "text": WORDS}
        assert httpx.post(f"{root}/messages", json=asked, headers=headers).status_code == 200
        now = int(time.time())
        said = {"sub": EMAIL, "name": "zephyrine", "jti": WORDS, "aud": key, "iat": now}
        token = jwt.encode({**said, "exp": now + 60}, secret, headers={"kid": kid})
        for _ in range(2):  # the second time it is refused
            named = httpx.post(f"{root}/identity", json={"jwt": token}, headers=headers)
            headers = {"Authorization": f"Bearer {named.json().get('token', bearer)}"}
        self.secrets += [
            bearer,
            cookie.partition("=")[2],
            secret,
            token,
            named.request.content.decode(),
        ]
        httpx.get(f"{root}/conversations", headers={"Authorization": f"Bearer rv_{API_TOKEN}"})
        origin = {"Origin": f"https://{WORDS.lower()}.example"}
        assert httpx.post(f"{root}/chat", json={"prompt": WORDS}, headers=origin).status_code == 404

    def trouble(self) -> None:
        """Send invalid bodies, unknown paths, forged tokens and long headers, and cause a server error."""
        assert self.client.get(f"/{WORDS}/").status_code == 404
        self.send("/chat/messages", text=WORDS, parent="no number")
        self.send("/chat/messages", text=f"{WORDS} " * 200_000)
        self.client.post(
            "/chat/messages",
            content=f'{{"text": "{WORDS}',
            headers={"Content-Type": "application/json"},
        )
        self.client.post(
            "/accounts/login/",
            data={"login": EMAIL, "password": PASSWORD},
            headers={"Cookie": "csrftoken=x"},
        )
        self.client.get("/", headers={"X-Long": WORDS * 2000})
        self.client.get("/", headers={"Host": f"{WORDS.lower()}.example.org"})
        self.client.get("/metrics", headers={"Authorization": f"Bearer {API_TOKEN}"})
        self.rename("chat_conversation", "away")
        broken = self.client.get(f"/chat/search/?q={SEARCH}")
        assert broken.status_code == 500
        assert self.send("/chat/messages", text=WORDS).status_code == 500
        self.rename("away", "chat_conversation")

    def rename(self, table: str, name: str) -> None:
        """Rename a table of the running site, or restore its name."""
        with closing(
            sqlite3.connect(self.server.data_dir / "runnel.sqlite3", timeout=PATIENCE_SECONDS)
        ) as database:
            database.execute(f"ALTER TABLE {table} RENAME TO {name}")
            database.commit()


pytestmark = [pytest.mark.xdist_group("discretion"), pytest.mark.long]


@pytest.fixture(scope="module", params=["json", "line"])
def written(request: pytest.FixtureRequest) -> Iterator[tuple[Walk, str, str]]:
    """Return the secrets, the whole log and the metrics."""
    secrets = {
        "METRICS_TOKEN": METRICS_TOKEN,
        "SECRET_KEY": "k3y-5entinel" * 5,
        "LOG_LEVEL": "debug",
    }
    with running(LOG_FORMAT=request.param, **secrets) as server:
        walk = Walk(server)
        with closing(walk.client):
            walk.account()
            walk.mails()
            walk.chat()
            walk.visit()
            walk.trouble()
        headers = {"Authorization": f"Bearer {METRICS_TOKEN}"}
        metrics = httpx.get(f"{server.url}/metrics", headers=headers).text
        server.end()
        yield walk, server.log.read_text(), metrics


def test_logs_and_metrics_reveal_nothing_private(written: tuple[Walk, str, str]) -> None:
    walk, log, metrics = written
    found = {
        secret
        for secret in [*walk.secrets, "k3y-5entinel"]
        if secret.lower() in (log + metrics).lower()
    }
    lines = [
        line for line in log.splitlines() if any(secret.lower() in line.lower() for secret in found)
    ]
    assert not found, lines[:5]
    assert len(walk.secrets) > len(SENTINELS) + 4  # cookies and keys were among them


def test_logs_and_metrics_contain_what_operators_need(written: tuple[Walk, str, str]) -> None:
    _, log, metrics = written
    for route in ("send_first", "search", "account_login", "relay", "cancel"):
        assert route in log
        assert f'route="{route}"' in metrics
    assert "allocation_exhausted" in log
    assert 'runnel_errors_total{code="allocation_exhausted",source="answer"}' in metrics
    assert "OperationalError" in log  # the error of ours, and where it was
    assert "Traceback" not in log or "File " in log


def test_every_json_log_line_is_valid_json(written: tuple[Walk, str, str]) -> None:
    _, log, _ = written
    if not log.startswith("{"):
        pytest.skip("lines for people")
    lines = [json.loads(line) for line in log.splitlines()]
    answers = [line for line in lines if line["message"] == "answer"]
    beginning = {"send", "send_first", "relay", "visitors_send_first"}
    asked = {line["request"] for line in lines if line.get("route") in beginning}
    assert answers
    assert all(line["request"] in asked and line["generation"] for line in answers)
    assert all(set(line) >= {"time", "level", "logger", "message"} for line in lines)
