"""Configure outgoing mail. Part of settings.py."""

import re
from urllib.parse import urlsplit

from project.config.env import env_secret, env_str, stop
from project.config.site_address import SITE_NAME, site

_url = env_secret("EMAIL_URL")
_server = urlsplit(_url)
#: Without a mail server, mails are written to files that only the operator reads.
IS_MAILED = bool(_url)
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env_str("EMAIL_FROM", f"{SITE_NAME} <noreply@{site.hostname}>")
if _url and not (_server.scheme in {"smtp", "smtps"} and _server.hostname):
    stop(
        "EMAIL_URL",
        "isn't the address of an email server; write it like smtp://user:password@host:587",
    )
EMAIL_BACKEND = "chat.accounts.mail.PatientBackend" if _url else "chat.accounts.mail.FileBackend"
EMAIL_HOST = _server.hostname or "localhost"
EMAIL_PORT = _server.port or (465 if _server.scheme == "smtps" else 587)
EMAIL_USE_SSL = _server.scheme == "smtps"
EMAIL_USE_TLS = _server.scheme == "smtp" and EMAIL_PORT != 25
EMAIL_HOST_USER = _server.username or ""
EMAIL_HOST_PASSWORD = _server.password or ""
#: For each answer of the server. A slow one that is given up too early gets the mail twice.
EMAIL_TIMEOUT = 60

#: A mailbox for visitors' replies, whose mail is posted to this site (chat/web/inbound_mail/).
INBOUND_MAIL_ADDRESS = env_str("INBOUND_MAIL_ADDRESS").lower()
INBOUND_MAIL_SECRET = env_secret("INBOUND_MAIL_SECRET")
#: A token of 46 characters is added, and the part before the @ may have 64.
MAX_LOCAL_PART = 17
MIN_SECRET_LENGTH = 16
_local, _at, _domain = INBOUND_MAIL_ADDRESS.partition("@")
if INBOUND_MAIL_ADDRESS and not (
    re.fullmatch(rf"[a-z0-9._-]{{1,{MAX_LOCAL_PART}}}", _local)
    and re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)*", _domain)
):
    stop(
        "INBOUND_MAIL_ADDRESS",
        f"isn't an address like reply@in.example.org, with at most {MAX_LOCAL_PART} characters "
        "before the @ and no plus sign",
    )
if INBOUND_MAIL_ADDRESS and len(INBOUND_MAIL_SECRET) < MIN_SECRET_LENGTH:
    stop(
        "INBOUND_MAIL_SECRET",
        f"must have at least {MIN_SECRET_LENGTH} characters, because INBOUND_MAIL_ADDRESS is set",
    )
