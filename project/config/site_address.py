"""Configure the site's name, its address, and where its processes listen. Part of settings.py."""

from urllib.parse import urlsplit

from chat.lib.network_addresses import is_address
from project.config.env import env_int, env_str, in_project, stop

HOST = env_str("HOST", "127.0.0.1")
PORT = env_int("PORT", 8000, maximum=65535)
#: Server processes of `manage.py serve`, each with its own port from PORT on, or its own socket.
WORKERS = env_int("WORKERS", 1, minimum=1, maximum=64)
_socket_dir = env_str("SOCKET_DIR")
SOCKET_DIR = str(in_project(_socket_dir)) if _socket_dir else ""
#: The host of the address when processes listen on every address of the machine.
EVERYWHERE = {"0.0.0.0": "localhost", "::": "localhost"}  # noqa: S104
_host = EVERYWHERE.get(HOST, HOST)
_host = f"[{_host}]" if ":" in _host else _host
SITE_URL = env_str("SITE_URL", f"http://{_host}:{PORT}").rstrip("/")
SITE_NAME = env_str("SITE_NAME", "Runnel")
site = urlsplit(SITE_URL)
if site.scheme not in {"http", "https"} or not site.hostname or site.path.strip("/"):
    stop("SITE_URL", f"is {SITE_URL!r}; write it like https://chat.example.org")
#: The host as in URLs and `Host` headers: an IPv6 address has brackets.
SITE_HOST = f"[{site.hostname}]" if ":" in site.hostname else site.hostname
#: Browsers support passkeys only for domain names, and only over HTTPS or on localhost.
PASSKEYS = not is_address(site.hostname) and (
    site.scheme == "https" or site.hostname.rpartition(".")[2] == "localhost"
)
