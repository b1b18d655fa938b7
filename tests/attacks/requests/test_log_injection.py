"""Lines in the log that somebody else wrote (log injection), and secrets that end up there.

A line of the log is one request's. Nothing that a client sends may begin a new line, colour a
terminal, hide what follows, or look like an entry of its own.
"""

import json
import re
import uuid
from collections.abc import Iterator

import pytest

from tests.support.attacks.attacked_site import attacked_site
from tests.support.attacks.people import CSRF, browser, person, program
from tests.support.attacks.raw_http import say
from tests.support.servers.server import Server

MARK = "injected-mark"
TEXTS = [
    f"x\n{MARK} INFO", f"x\r\n{MARK}", f"x\r{MARK}", f"\x1b[31m{MARK}", f"\x1b]0;{MARK}\x07", f"\x1b[2J{MARK}", f"\x9b31m{MARK}", f"x\u2028{MARK}", f"x\u2029{MARK}", f"x\x85{MARK}", f"\x00{MARK}", f"\u202e{MARK}", f"{MARK}\b\b\b", f'"}}\n{{"level":"{MARK}"}}', f"{MARK}%s%n%x", f"{MARK}{{0}}{{self}}",
    f"${{jndi:ldap://{MARK}}}", f"%0a{MARK}", f"%0d%0a{MARK}", f"\\n{MARK}", f"{MARK}" * 300, f"\ufeff{MARK}", f"\x7f{MARK}", f"\x0b{MARK}", f"\x0c{MARK}", f"\x1c{MARK}", f"\u200b{MARK}", f"=cmd|{MARK}", f"<script>{MARK}</script>", f"\ud83d{MARK}".encode("utf-8", "replace").decode(),
]  # fmt: skip
HEADERS = [
    "User-Agent", "Referer", "X-Request-ID", "X-Forwarded-For", "Host", "Origin", "Cookie", "Authorization", "Accept-Language", "Accept", "Content-Type", "X-CSRFToken", "Last-Event-ID", "Range", "If-None-Match", "Sec-Fetch-Site", "Upgrade", "Via", "From", "Forwarded", "HX-Request", "HX-Current-URL", "Sec-WebSocket-Protocol", "Traceparent", "X-Amzn-Trace-Id",
]  # fmt: skip


@pytest.fixture(scope="module", params=["line", "json"])
def logging_site(request: pytest.FixtureRequest) -> Iterator[Server]:
    settings = {"LOG_FORMAT": request.param, "LOG_LEVEL": "debug"}
    with attacked_site(**settings) as server:
        yield server


def is_of_ours(line: str, is_json: bool) -> bool:
    if is_json:
        try:
            return "time" in json.loads(line)
        except ValueError:
            return False
    return bool(
        re.match(
            r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|(?: {2,}|Traceback|\w+(?:\.\w+)*(?:Error|Exception)|INFO:|WARNING:|ERROR:|$)",
            line,
        )
    )


@pytest.mark.timeout(600)
def test_nothing_that_a_client_sends_is_in_the_log(logging_site: Server) -> None:
    alice = person(logging_site, "alice@example.org")
    caller = program(logging_site, alice.make_key())
    for text in TEXTS:
        raw = text.encode("utf-8", "replace")
        for path in (
            b"/%b",
            b"/chat/?q=%b",
            b"/s/%b/",
            b"/static/%b",
            b"/accounts/setup/%b/",
            b"/v1/models/%b",
            b"/w/%b/",
            b"/review/%b",
        ):
            line = (
                b"GET "
                + path.replace(b"%b", raw.replace(b" ", b"+"))
                + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
            )
            say(logging_site.url, line, quiet=0.05)
        for method in (raw[:40].replace(b" ", b""), b"GET"):
            heads = b"".join(
                name.encode() + b": " + raw.replace(b"\r", b"").replace(b"\n", b"") + b"\r\n"
                for name in HEADERS
                if name != "Host"
            )
            say(
                logging_site.url,
                method
                + b" /chat/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + heads
                + b"Connection: close\r\n\r\n",
                quiet=0.05,
            )
        browser(logging_site).post(
            "/accounts/login/", data={"login": text, "password": text, "csrfmiddlewaretoken": CSRF}
        )
        safe = text.encode("utf-8", "replace").decode()
        alice.send(safe)
        alice.json("/chat/messages", {"key": safe[:32], "text": safe, "model": safe})
        caller.post(
            "/v1/chat/completions",
            json={"model": safe, "messages": [{"role": "user", "content": safe}], "user": safe},
        )
        alice.form(
            "/settings/import/",
            {},
            files={"file": (f"{uuid.uuid4()}{safe[:50]}.json", safe.encode())},
        )
        alice.form("/projects/new/", {"name": safe})
    text = logging_site.log.read_bytes().decode("utf-8", "backslashreplace")
    assert MARK not in text, [line for line in text.splitlines() if MARK in line][:5]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e]", text)
    lines = [each for each in text.split("\n") if each]
    assert len(lines) > 100
    is_json = logging_site.environment["LOG_FORMAT"] == "json"
    assert [each for each in lines if not is_of_ours(each, is_json)][:5] == []
