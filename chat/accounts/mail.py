"""Sending mail. Without a mail server each message becomes a file, and the log says where."""

import logging
from smtplib import SMTPException

from django.core.mail import EmailMessage
from django.core.mail.backends.filebased import EmailBackend

log = logging.getLogger(__name__)


def send(message: EmailMessage) -> bool:
    """Return whether it is on its way; what was done stays done without it."""
    try:
        return bool(message.send())
    except (OSError, SMTPException) as error:
        log.warning("a mail could not be sent: %s", type(error).__name__)
        return False


class FileBackend(EmailBackend):
    """Writes to EMAIL_FILE_PATH; the log names the folder, never what is in a mail."""

    def write_message(self, message: EmailMessage) -> None:
        super().write_message(message)
        log.warning("No mail server is set (EMAIL_URL): a mail was written to %s", self.file_path)
