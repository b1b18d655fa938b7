"""Where to connect, and under which name: before DNS leads to a proxy, the two differ."""

import socket
import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

from chat.doctor.check_result import DoctorOptions

UNIX = "unix:"
DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Destination:
    """Connect to `url`; `Host` and the certificate's name are those of SITE_URL.

    `unix:/path` names a socket, over which HTTP is spoken without TLS.
    """

    url: str

    @property
    def socket_path(self) -> str | None:
        return self.url.removeprefix(UNIX) if self.url.startswith(UNIX) else None

    @property
    def base_url(self) -> str:
        """What requests begin with."""
        return "http://localhost" if self.socket_path else self.url

    @property
    def is_secure(self) -> bool:
        return urlsplit(self.url).scheme == "https"

    @property
    def address(self) -> tuple[str, int]:
        parts = urlsplit(self.url)
        return parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme]

    @property
    def host_header(self) -> str:
        return urlsplit(settings.SITE_URL).netloc

    @property
    def server_name(self) -> str:
        return urlsplit(settings.SITE_URL).hostname or ""

    def tls(self) -> ssl.SSLContext | None:
        """Return a context that trusts what this machine trusts; None without TLS."""
        return ssl.create_default_context() if self.is_secure else None

    def connect(self, timeout_seconds: float) -> socket.socket:
        return socket.create_connection(self.address, timeout_seconds)


def public(options: DoctorOptions) -> Destination:
    """Return the address that people use."""
    return Destination((options.url or settings.SITE_URL).rstrip("/"))


def process(options: DoctorOptions) -> Destination:
    """Return the address of a server process without a proxy."""
    host = "127.0.0.1" if settings.HOST == "0.0.0.0" else settings.HOST  # noqa: S104
    host = f"[{host}]" if ":" in host else host
    return Destination((options.process_url or f"http://{host}:{settings.PORT}").rstrip("/"))
