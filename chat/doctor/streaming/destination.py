"""Where to connect, and under which name: before DNS leads to a proxy, the two differ."""

import socket
import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx
from django.conf import settings

from chat.doctor.check_result import DoctorOptions
from project.serving.listen_address import LOOPBACK, ListenAddress, listen_addresses

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

    def client(self, timeout: httpx.Timeout) -> httpx.Client:
        """Return a client for this address, under the site's name."""
        verify = self.tls() or True
        transport = httpx.HTTPTransport(verify=verify, trust_env=False, uds=self.socket_path)
        return httpx.Client(
            base_url=self.base_url,
            headers={"Host": self.host_header},
            transport=transport,
            timeout=timeout,
            event_hooks={"request": [self._name_server]},
        )

    def _name_server(self, request: httpx.Request) -> None:
        if self.is_secure:
            request.extensions = {**request.extensions, "sni_hostname": self.server_name}

    def connect(self, timeout_seconds: float) -> socket.socket:
        return socket.create_connection(self.address, timeout_seconds)


def public(options: DoctorOptions) -> Destination:
    """Return the address that people use."""
    return Destination((options.url or settings.SITE_URL).rstrip("/"))


def process(options: DoctorOptions) -> Destination:
    """Return the address of a server process without a proxy."""
    return Destination(options.process_url.rstrip("/")) if options.process_url else processes()[0]


def processes() -> list[Destination]:
    """Return the addresses of all workers that `manage.py serve` starts."""
    addresses = listen_addresses(
        settings.WORKERS, settings.HOST, settings.PORT, settings.SOCKET_DIR
    )
    return [Destination(_url_of(each)) for each in addresses]


def _url_of(address: ListenAddress) -> str:
    host = LOOPBACK.get(address.host, address.host)
    return str(address) if address.path else f"http://{ListenAddress(host, address.port)}"
