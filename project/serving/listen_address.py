"""Where a worker listens: a port or a Unix socket. Loads no Django, like all of the supervisor."""

import errno
import http.client
import os
import socket
import stat
from dataclasses import dataclass
from pathlib import Path

UNIX = "unix:"
#: The kernel's limit for the path of a socket, with its final zero.
MAX_SOCKET_PATH_BYTES = 107
#: What to ask when a process listens on every address of the machine.
LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104
ASK_SECONDS = 5.0


@dataclass(frozen=True)
class ListenAddress:
    """Either `path` is set, or `host` and `port`."""

    host: str = ""
    port: int = 0
    path: str = ""

    @classmethod
    def parse(cls, text: str) -> "ListenAddress":
        """Read what `str` returned."""
        if text.startswith(UNIX):
            return cls(path=text.removeprefix(UNIX))
        host, _, port = text.rpartition(":")
        return cls(host=host.strip("[]"), port=int(port))

    def __str__(self) -> str:
        if self.path:
            return f"{UNIX}{self.path}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def problem(self) -> str:
        """Return in words why no process can listen here now; empty if one can."""
        return self._socket_problem() if self.path else self._port_problem()

    def status(self, path: str, site_host: str) -> int:
        """Request `path` from the process that listens here; return the status, 0 if none answers.

        `site_host` is sent as Host, because the site refuses unknown names.
        """
        connection = _Connection(self)
        try:
            connection.request("GET", path, headers={"Host": site_host})
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            connection.close()

    def _port_problem(self) -> str:
        try:
            infos = socket.getaddrinfo(
                self.host, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )
        except socket.gaierror as error:
            return f"the address {self.host} isn't known ({error.strerror}); change HOST"
        for family, kind, protocol, _, address in infos:
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind(address)
                except OSError as error:
                    return _words(error, self)
        return ""

    def _socket_problem(self) -> str:
        folder = Path(self.path).parent
        if len(os.fsencode(self.path)) > MAX_SOCKET_PATH_BYTES:
            return f"the path {self.path} is too long for a socket; choose a shorter SOCKET_DIR"
        if not folder.is_dir():
            return f"there is no directory {folder}; create it, or change SOCKET_DIR"
        if not os.access(folder, os.W_OK | os.X_OK):
            return f"the directory {folder} isn't writable; change its owner, or SOCKET_DIR"
        try:
            mode = os.stat(self.path).st_mode
        except FileNotFoundError:
            return ""
        if not stat.S_ISSOCK(mode):
            return f"{self.path} isn't a socket; remove it, or change SOCKET_DIR"
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(self.path) == 0:
                return f"the socket {self.path} is in use by another process; stop that process"
        return ""


def listen_addresses(count: int, host: str, port: int, socket_dir: str) -> list[ListenAddress]:
    """Return where each of `count` workers listens."""
    numbers = range(count)
    if socket_dir:
        folder = Path(socket_dir).absolute()
        return [ListenAddress(path=str(folder / f"worker-{n + 1}.sock")) for n in numbers]
    return [ListenAddress(host=host, port=port + n) for n in numbers]


def _words(error: OSError, address: ListenAddress) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {address.port} is in use by another process; stop it, or change PORT"
    if error.errno == errno.EACCES:
        return f"port {address.port} needs special rights; choose a PORT from 1024 on"
    return f"nothing can listen on {address} ({error.strerror}); change HOST or PORT"


class _Connection(http.client.HTTPConnection):
    def __init__(self, address: ListenAddress) -> None:
        host = LOOPBACK.get(address.host, address.host)
        super().__init__(host, address.port, timeout=ASK_SECONDS)
        self._path = address.path

    def connect(self) -> None:
        if not self._path:
            return super().connect()
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(ASK_SECONDS)
        self.sock.connect(self._path)
        return None
