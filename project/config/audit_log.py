"""Read where the audit log is sent to."""

import os
from urllib.parse import urlsplit

from project.config.env import env_str, stop

NAME = "AUDIT_LOG_TO"


def audit_log_to() -> str:
    """Return a path, `syslog://host[:port]`, `syslog+tcp://host[:port]` or `syslog:///path`."""
    text = env_str(NAME)
    if os.path.isdir(text):
        stop(NAME, f"needs a file, but this is a folder: {text}")
    if not text or text.startswith("/"):
        return text
    try:
        url = urlsplit(text)
        has_host = bool(url.hostname) and url.port != 0 and url.path in {"", "/"}
    except ValueError:
        stop(NAME, f"is {text!r}; its port must be a number")
    is_socket = url.scheme == "syslog" and not url.netloc and url.path.startswith("/")
    if not (url.scheme in {"syslog", "syslog+tcp"} and (has_host or is_socket)):
        stop(NAME, f"is {text!r}; write /a/file, syslog://host:514, syslog+tcp://host:514 or "
                   "syslog:///dev/log")  # fmt: skip
    return text


AUDIT_LOG_TO = audit_log_to()
