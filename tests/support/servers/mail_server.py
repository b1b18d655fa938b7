"""A mail server that takes, refuses and delays mails, and dies, as a test wants it."""

import socket
import socketserver
import ssl
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pytest_django import Settings


@dataclass
class Mail:
    """A whole message that was taken."""

    recipient: str
    id: str  # its Message-ID
    is_answered: bool = False


class MailServer:
    """What it does and has done; it can die and start again.

    With a `certificate`, a file with `.key` beside it, clients have to begin TLS.
    """

    def __init__(self, certificate: Path | None = None) -> None:
        self.certificate = certificate
        self.address = ("127.0.0.1", 0)
        self.replies: dict[str, str] = {}  # to RCPT, by address
        self.reply_to_data = "250 taken"
        self.pause_seconds = 0.0  # before the answer to a whole message
        self.is_silent = False  # never gives that answer
        self.tried: Counter[str] = Counter()  # RCPT commands
        self.mails: list[Mail] = []
        self.dead = threading.Event()
        self.connections: set[socket.socket] = set()
        self._listener: _Listener | None = None
        self._thread: threading.Thread | None = None

    @property
    def taken(self) -> Counter[str]:
        """Return how many whole messages there are for each address, answered or not."""
        return Counter(mail.recipient for mail in self.mails)

    @property
    def ids(self) -> dict[str, list[str]]:
        """Return the Message-ID of each of them."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for mail in self.mails:
            found[mail.recipient].append(mail.id)
        return found

    def start(self) -> None:
        """Listen, after the first time at the same address."""
        self.dead.clear()
        self._listener = _Listener(self.address, self)
        self.address = ("127.0.0.1", self._listener.server_address[1])
        self._thread = threading.Thread(target=self._listener.serve_forever, daemon=True)
        self._thread.start()

    def die(self) -> None:
        """Close all connections, in the middle of whatever they do, and refuse new ones."""
        assert self._listener
        assert self._thread
        self.dead.set()
        self._listener.shutdown()
        self._listener.server_close()
        self._thread.join()
        for connection in list(self.connections):
            with suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)


class _Listener(socketserver.ThreadingTCPServer):
    daemon_threads = allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, address: tuple[str, int], site: MailServer) -> None:
        self.mail_server = site
        super().__init__(address, _Session)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients may go at any time."""


class _Session(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, _Listener)
        self._to, self._is_secure, self._site = "", False, self.server.mail_server
        self._register(self.request)
        try:
            self._say("220 mail.example.org")
            while line := self.rfile.readline().decode().strip():
                self._answer(line)
                if line.upper() == "QUIT":
                    return
        finally:
            self._site.connections.discard(self.request)

    def _register(self, connection: socket.socket) -> None:
        self._site.connections.discard(self.request)
        self.request = self.connection = connection
        self._site.connections.add(connection)
        if self._site.dead.is_set():
            raise ConnectionAbortedError

    def _answer(self, line: str) -> None:
        site, word = self._site, line.split()[0].upper()
        if word == "EHLO" and site.certificate and not self._is_secure:
            self._say("250-mail.example.org\r\n250 STARTTLS")
        elif word == "STARTTLS" and site.certificate:
            self._begin_tls(site.certificate)
        elif site.certificate and not self._is_secure and word != "QUIT":
            self._say("530 begin TLS first")
        elif word == "RCPT":
            self._to = line.partition("<")[2].partition(">")[0]
            site.tried[self._to] += 1
            self._say(site.replies.get(self._to, "250 ok"))
        elif word == "DATA":
            self._take()
        else:
            self._say("221 bye" if word == "QUIT" else "250 ok")

    def _begin_tls(self, certificate: Path) -> None:
        self._say("220 go on")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, certificate.with_suffix(".key"))
        self._register(context.wrap_socket(self.request, server_side=True))
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb", buffering=0)
        self._is_secure = True

    def _take(self) -> None:
        self._say("354 go on")
        found = Mail(self._to, "")
        while (line := self.rfile.readline()).strip() != b".":
            if not line:
                return  # the client has gone in the middle
            if line.startswith(b"Message-ID:"):
                found.id = line.decode().strip()
        self._site.mails.append(found)
        if self._site.is_silent:
            self.rfile.read()  # until the client gives up
            return
        if self._site.dead.wait(self._site.pause_seconds):
            return
        self._say(self._site.reply_to_data)
        found.is_answered = True

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def mail_server(settings: Settings) -> Iterator[MailServer]:
    """Let the site mail through such a server."""
    settings.EMAIL_BACKEND = "chat.accounts.mail.PatientBackend"
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    with running_mail_server() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.address
        yield server


@contextmanager
def running_mail_server(certificate: Path | None = None) -> Iterator[MailServer]:
    """Run such a server until the end of the block."""
    server = MailServer(certificate)
    server.start()
    try:
        yield server
    finally:
        server.die()
