"""Send mail. Without a mail server each message is written to a file, and the log says where.

A mail server may take its time to answer, most of all after the whole message (RFC 5321, section
4.5.3.2). A client that gives up too early sends a mail again that was accepted.
"""

import logging
import smtplib
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from email.utils import formataddr, parseaddr
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends import filebased, smtp
from django.utils.encoding import punycode

from chat.database import threads
from chat.lib.text import one_line
from chat.outbox.deliver import DeliveryKind
from chat.outbox.errors import DeliveryFailed, DeliveryRefused, DeliveryUncertain
from chat.outbox.models import Delivery
from chat.site_settings import effective
from project import private_files

log = logging.getLogger(__name__)

PERMANENT = range(500, 600)  # of SMTP's codes
#: How long the outboxes wait for the answer to a whole message; no request waits for them.
PATIENT_SECONDS = 180.0
#: For one mail in total, so that a server that answers bit by bit can't hold a thread for ever.
MAIL_SECONDS = 240.0
LEASE = timedelta(minutes=5)
#: Of each kind, in one process.
AT_ONCE = 4
#: Mails are written to files if there is no mail server. Their links work for at most three days.
FILES_KEPT_SECONDS = 7 * 24 * 3600.0


def message(subject: str, text: str, address: str, sender_name: str = "") -> EmailMessage:
    """Return a mail to one person, from the site, or from this name at the site's address.

    The subject is written on one line, whatever it is made of.
    """
    from_email = formataddr((one_line(sender_name), sender_address())) if sender_name else None
    return EmailMessage(one_line(subject), text, from_email, to=[address])


def send(message: EmailMessage) -> bool:
    """Send a mail; return whether it was accepted. Failures are only logged."""
    if message.from_email == settings.DEFAULT_FROM_EMAIL:
        message.from_email = sender()
    try:
        return bool(message.send())
    except (OSError, smtplib.SMTPException) as error:
        log.warning("an email couldn't be sent: %s", type(error).__name__)
        return False


def kind(name: str, message_of: Callable[[Delivery], EmailMessage | None]) -> DeliveryKind:
    """Return a kind of deliveries by mail. `message_of` makes one; None: nobody is to get it."""

    async def deliver(delivery: Delivery) -> None:
        if message := await threads.readers.run(message_of, delivery):
            await threads.mailers.run(deliver_now, message, delivery.pk)

    return DeliveryKind(name, deliver, LEASE, AT_ONCE)


def deliver_now(message: EmailMessage, message_id: UUID) -> None:
    """Send a mail to one recipient, for minutes if the server takes its time.

    Raise `DeliveryFailed`. The ID is the same for each attempt, so that mail programs show one.
    """
    if message.from_email == settings.DEFAULT_FROM_EMAIL:
        message.from_email = sender()
    domain = punycode(parseaddr(message.from_email)[1].rpartition("@")[2])
    message.extra_headers["Message-ID"] = f"<{message_id}@{domain}>"
    try:
        message.connection = get_connection(is_patient=True)
        if not message.send():
            raise DeliveryFailed("the backend sent nothing")
    except (OSError, ValueError) as error:  # ValueError: a header or address that can't be written
        raise _failure_of(error) from error


def _failure_of(error: Exception) -> DeliveryFailed:
    name, code = type(error).__name__, 0
    if isinstance(error, OutcomeUnknown):
        return DeliveryUncertain(name)
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code = next(iter(error.recipients.values()))[0]
    elif isinstance(error, smtplib.SMTPDataError):
        code = error.smtp_code
    is_final = code in PERMANENT or isinstance(error, ValueError)
    return (DeliveryRefused if is_final else DeliveryFailed)(f"{name} {code or ''}".strip())


def sender() -> str:
    """Return the sender of mails, with the site's name unless EMAIL_FROM names one."""
    address = settings.DEFAULT_FROM_EMAIL
    if effective.is_from_environment("EMAIL_FROM") or effective.site_name() == settings.SITE_NAME:
        return str(address)
    return formataddr((effective.site_name(), parseaddr(address)[1]))


def sender_address() -> str:
    """Return the bare address that mails are from."""
    return parseaddr(sender())[1]


class FileBackend(filebased.EmailBackend):
    """Write mails to EMAIL_FILE_PATH. The log names the folder, never the content."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        Path(self.file_path).chmod(0o700)  # the files contain links that sign people in

    def open(self) -> bool:
        """Create the file for the site's user only, whatever the umask is."""
        if self.stream is not None:
            return False
        self.stream = open(  # noqa: SIM115  (the base class closes it)
            self._get_filename(), "ab", opener=private_files.opener
        )
        return True

    def write_message(self, message: EmailMessage) -> None:
        super().write_message(message)
        log.warning(
            "no email server is set (EMAIL_URL); an email was written to %s", self.file_path
        )


def remove_old_files() -> None:
    """Remove mails that were written to files so long ago that their links no longer work."""
    folder = Path(settings.EMAIL_FILE_PATH)
    before = time.time() - FILES_KEPT_SECONDS
    for file in folder.glob("*.log"):
        with suppress(OSError):  # another process removes them too
            if file.stat().st_mtime < before:
                file.unlink()


class OutcomeUnknown(smtplib.SMTPServerDisconnected):
    """The whole message was sent, and the server did not answer in time."""


class _Waiting:
    """Part of both classes below: wait for each answer as long as it may take."""

    sock: Any
    timeout: Any

    def __init__(self, *arguments: Any, after_data_seconds: float, **options: Any) -> None:
        self._after_data_seconds = after_data_seconds
        self._until = time.monotonic() + MAIL_SECONDS
        self._replies_to_data: int | None = None  # None: another command
        super().__init__(*arguments, **options)

    def data(self, msg: Any) -> tuple[int, bytes]:
        self._replies_to_data = 0
        try:
            return super().data(msg)  # type: ignore[misc, no-any-return]
        except smtplib.SMTPResponseException:
            raise
        except OSError as error:
            if self._replies_to_data:
                raise OutcomeUnknown(str(error)) from error
            raise
        finally:
            self._replies_to_data = None

    def getreply(self) -> tuple[int, bytes]:
        if self.sock:
            limit = self._after_data_seconds if self._replies_to_data else self.timeout
            self.sock.settimeout(max(0.1, min(limit, self._until - time.monotonic())))
        reply: tuple[int, bytes] = super().getreply()  # type: ignore[misc]
        if self._replies_to_data is not None:
            self._replies_to_data += 1
        return reply


class _Smtp(_Waiting, smtplib.SMTP):
    pass


class _SmtpWithSsl(_Waiting, smtplib.SMTP_SSL):
    pass


class PatientBackend(smtp.EmailBackend):
    """Django's backend, which can wait longer for the answer to a whole message."""

    def __init__(self, *arguments: Any, is_patient: bool = False, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._after_data_seconds = PATIENT_SECONDS if is_patient else float(self.timeout or 0)

    @property
    def connection_class(self) -> Callable[..., smtplib.SMTP]:  # type: ignore[override]
        base = _SmtpWithSsl if self.use_ssl else _Smtp
        return partial(base, after_data_seconds=self._after_data_seconds)
