"""The places that take the audit log: a file, or syslog as RFC 5424 describes its messages.

Python's SysLogHandler writes the format before RFC 5424, has no framing on TCP, and doesn't tell
when the server is away, so it can't be repeated.
"""

import os
import socket
import stat
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from chat.review.audit_export.errors import TargetUnavailable
from chat.review.audit_export.lines import AuditLine

TIMEOUT_SECONDS = 10.0
#: How long a server may take to close a connection, by which it confirms that it has read all.
CLOSE_SECONDS = 2.0
#: The system reports within this time that nobody listens on this machine.
REFUSED_SECONDS = 0.05
DEFAULT_PORT = 514
#: Facility 13, “log audit”, and severity 6, “informational” (RFC 5424, section 6.2.1).
PRIORITY = 13 * 8 + 6
APP_NAME = "runnel"
#: Readable for a group, so that a program which collects logs can read it.
FILE_MODE = 0o640


class AuditTarget(ABC):
    """Takes lines in order. Both methods block, for some seconds at most."""

    @abstractmethod
    def send(self, lines: Sequence[AuditLine]) -> None:
        """Deliver all lines. Raise `TargetUnavailable`; some may have been delivered then."""

    def check(self) -> None:
        """Raise `TargetUnavailable` if it would take nothing now."""
        self.send([])


@dataclass(frozen=True, slots=True)
class FileTarget(AuditTarget):
    path: str

    def send(self, lines: Sequence[AuditLine]) -> None:
        text = "".join(f"{each.text}\n" for each in lines).encode()
        try:
            self._append(text)
        except OSError as error:
            raise TargetUnavailable(f"the file can't be written: {error.strerror}") from error

    def _append(self, text: bytes) -> None:
        """Append the text; a line that a crash has cut ends first. The file may be rotated."""
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
        with open(os.open(self.path, flags, FILE_MODE), "r+b", buffering=0) as file:
            if not text:
                return
            end = file.seek(0, os.SEEK_END)
            if end and os.pread(file.fileno(), 1, end - 1) != b"\n":
                text = b"\n" + text
            while text:
                text = text[file.write(text) :]
            os.fsync(file.fileno())


@dataclass(frozen=True, slots=True)
class SyslogTarget(AuditTarget):
    """A server by UDP or TCP, or the machine's own at a socket file."""

    host: str = ""
    port: int = DEFAULT_PORT
    path: str = ""
    is_tcp: bool = False

    def send(self, lines: Sequence[AuditLine]) -> None:
        messages = [_message(each) for each in lines]
        try:
            if self.is_tcp:
                self._by_tcp(messages)
            else:
                self._by_datagrams(messages)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise TargetUnavailable(f"syslog can't be reached: {reason}") from error

    def _by_tcp(self, messages: Sequence[bytes]) -> None:
        """Send with octet counting (RFC 6587), and wait until the server has closed.

        Syslog has no answers. A server that closes its side after ours has read everything; one
        that broke off resets the connection.
        """
        with socket.create_connection((self.host, self.port), TIMEOUT_SECONDS) as connection:
            connection.sendall(b"".join(b"%d %b" % (len(each), each) for each in messages))
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(CLOSE_SECONDS)
            with suppress(TimeoutError):
                while connection.recv(1024):
                    pass

    def _by_datagrams(self, messages: Sequence[bytes]) -> None:
        with self._datagram_socket() as connection:
            connection.settimeout(TIMEOUT_SECONDS)
            for each in messages:
                connection.send(each)
            if not self.path:
                connection.settimeout(REFUSED_SECONDS)
                with suppress(TimeoutError):
                    connection.recv(1)

    def _datagram_socket(self) -> socket.socket:
        """Return a connected socket, which the system tells if nobody listens."""
        if self.path:
            family, address = socket.AF_UNIX, self.path
            if not stat.S_ISSOCK(os.stat(self.path).st_mode):
                raise OSError(0, "it is no socket")
            return _connected(family, address)
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_DGRAM)
        return _connected(found[0][0], found[0][4])


def _connected(family: int, address: Any) -> socket.socket:
    connection = socket.socket(family, socket.SOCK_DGRAM)
    try:
        connection.connect(address)
    except OSError:
        connection.close()
        raise
    return connection


def _message(line: AuditLine) -> bytes:
    """Return the line as a message of RFC 5424."""
    at = line.at.isoformat(timespec="milliseconds")
    host = "".join(each for each in socket.gethostname() if "!" <= each <= "~") or "-"
    head = f"<{PRIORITY}>1 {at} {host[:255]} {APP_NAME} {os.getpid()} {line.log} -"
    return f"{head} {line.text}".encode()


def target_of(text: str) -> AuditTarget:
    """Return the target that `AUDIT_LOG_TO` names; project/config/audit_log.py checks its form."""
    if text.startswith("/"):
        return FileTarget(text)
    url = urlsplit(text)
    if not url.hostname:
        return SyslogTarget(path=url.path)
    return SyslogTarget(url.hostname, url.port or DEFAULT_PORT, is_tcp=url.scheme == "syslog+tcp")
