"""`doctor` signs in to the mail server, and asks the default model one real question."""

import asyncio
import socketserver
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

import pytest
from pytest_django import Settings

from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.doctor.mail_check import check_mail
from chat.doctor.model_check import check_model
from tests.support.upstream.raw_upstream import EVENT_STREAM, Handler, raw_upstream
from tests.support.upstream.upstream_failures import envelope

pytestmark = pytest.mark.django_db

PASSWORD = "open sesame"


class MailServer(socketserver.StreamRequestHandler):
    """Speak enough SMTP to greet, refuse or accept a password, and take a mail."""

    accepts_password = True
    received: list[str] = []

    def handle(self) -> None:
        self._say("220 mail.example.org")
        while line := self.rfile.readline().decode().strip():
            word = line.split()[0].upper()
            if word == "EHLO":
                self._say("250-mail.example.org\r\n250 AUTH PLAIN")
            elif word == "AUTH":
                self._say("235 ok" if self.accepts_password else "535 5.7.8 wrong")
            elif word == "DATA":
                self._say("354 go on")
                while self.rfile.readline().strip() != b".":
                    pass
                self._say("250 taken")
            else:
                self.received.append(line)
                self._say("221 bye" if word == "QUIT" else "250 ok")

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@pytest.fixture
def mail_server(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Use a mail server; yield the commands that it receives."""
    received: list[str] = []
    monkeypatch.setattr(MailServer, "received", received)
    settings.IS_MAILED, settings.EMAIL_BACKEND = True, "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "alice", PASSWORD
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), MailServer) as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield received
        server.shutdown()
        thread.join()


def test_without_a_mail_server_there_is_a_warning() -> None:
    (found,) = check_mail(DoctorOptions())
    assert (found.status, "EMAIL_URL" in found.advice) == ("warning", True)


def test_it_signs_in_and_sends_nothing(mail_server: list[str]) -> None:
    (found,) = check_mail(DoctorOptions())
    assert found.status == "ok"
    assert "signed in" in found.message
    assert not [each for each in mail_server if each.upper().startswith("MAIL")]


def test_it_sends_one_mail_if_asked(mail_server: list[str]) -> None:
    (found,) = check_mail(DoctorOptions(send_mail_to="rita@example.org"))
    assert "rita@example.org" in found.message
    assert "rcpt TO:<rita@example.org>" in mail_server


def test_a_refused_password_is_a_problem(
    mail_server: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MailServer, "accepts_password", False)
    (found,) = check_mail(DoctorOptions())
    assert found.status == "problem"
    assert "535" in found.message
    assert PASSWORD not in repr(found)


def test_an_unreachable_mail_server_is_a_problem(
    mail_server: list[str], settings: Settings
) -> None:
    settings.EMAIL_PORT = 9
    (found,) = check_mail(DoctorOptions())
    assert (found.status, ":9" in found.message) == ("problem", True)


@contextmanager
def provider(handler: Handler, settings: Settings) -> Iterator[None]:
    """Serve `handler` as the model provider, on an event loop of its own."""
    address: Future[str] = Future()
    loop, end = asyncio.new_event_loop(), asyncio.Event()

    async def serve() -> None:
        async with raw_upstream(handler) as raw:
            address.set_result(raw.url)
            await end.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=[serve()])
    thread.start()
    settings.WORKERS_AI_BASE_URL = address.result(60)
    settings.UPSTREAM_RETRIES = 0
    try:
        yield
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def chunk(text: str) -> bytes:
    data = f"data: {text}\n\n".encode()
    return b"%x\r\n%b\r\n" % (len(data), data)


def streaming(every_seconds: float) -> Handler:
    async def handler(_request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(EVENT_STREAM)
        for word in ("one", "two", "three", "four", "five"):
            writer.write(chunk(f'{{"response":"{word} "}}'))
            await writer.drain()
            await asyncio.sleep(every_seconds)
        usage = (
            '{"response":"","usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}'
        )
        writer.write(chunk(usage) + chunk("[DONE]") + b"0\r\n\r\n")

    return handler


def asked(handler: Handler, settings: Settings) -> CheckResult:
    with provider(handler, settings):
        (found,) = check_model(DoctorOptions())
    return found


def test_a_model_that_streams_is_healthy_and_its_cost_is_told(settings: Settings) -> None:
    found = asked(streaming(0.02), settings)
    assert found.status == "ok"
    assert "5 pieces, 15 tokens for $0." in found.message
    assert found.facts["cost_usd"] > 0


def test_a_model_that_answers_at_once_is_a_warning(settings: Settings) -> None:
    async def handler(_request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(
            EVENT_STREAM + chunk('{"response":"one two"}') + chunk("[DONE]") + b"0\r\n\r\n"
        )

    found = asked(handler, settings)
    assert (found.status, "all at once" in found.message) == ("warning", True)


def test_refused_credentials_are_a_problem(settings: Settings) -> None:
    settings.CLOUDFLARE_API_TOKEN = "t0ken-of-the-site"

    async def handler(_request: bytes, writer: asyncio.StreamWriter) -> None:
        body = envelope(10000, "Authentication error")
        head = b"HTTP/1.1 401 X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        writer.write(head % len(body) + body)

    found = asked(handler, settings)
    assert found.status == "problem"
    assert "CLOUDFLARE_API_TOKEN" in found.advice
    assert "t0ken-of-the-site" not in repr(found)


def test_a_provider_that_is_away_is_a_problem(settings: Settings) -> None:
    settings.WORKERS_AI_BASE_URL, settings.UPSTREAM_RETRIES = "http://127.0.0.1:9/client/v4", 0
    (found,) = check_model(DoctorOptions())
    assert (found.status, "firewall" in found.advice) == ("problem", True)


def test_the_emulator_is_a_warning() -> None:
    (found,) = check_model(DoctorOptions())
    assert (found.status, "emulator" in found.message) == ("warning", True)
