"""Configure the site's name, its address, and where its processes listen. Part of settings.py."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from project.config.env import env_int, env_str, stop

HOST = env_str("HOST", "127.0.0.1")
PORT = env_int("PORT", 8000, maximum=65535)
#: Server processes of `manage.py serve`, each with its own port from PORT on, or its own socket.
WORKERS = env_int("WORKERS", 1, minimum=1, maximum=64)
SOCKET_DIR = env_str("SOCKET_DIR")
SITE_URL = env_str("SITE_URL", f"http://{'localhost' if HOST == '0.0.0.0' else HOST}:{PORT}")  # noqa: S104
SITE_URL = SITE_URL.rstrip("/")
SITE_NAME = env_str("SITE_NAME", "Runnel")
site = urlsplit(SITE_URL)
if site.scheme not in {"http", "https"} or not site.hostname or site.path.strip("/"):
    stop("SITE_URL", f"is {SITE_URL!r}; write it like https://chat.example.org")


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


#: Browsers support passkeys only for domain names, and only over HTTPS or on localhost.
PASSKEYS = not _is_number(site.hostname) and (
    site.scheme == "https" or site.hostname.rpartition(".")[2] == "localhost"
)
