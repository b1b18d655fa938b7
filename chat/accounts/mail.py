"""Sending mail. Without a mail server each message becomes a file, and the log says where."""

import logging
from pathlib import Path
from smtplib import SMTPException
from typing import Any

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

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        Path(self.file_path).chmod(0o700)  # there are links in the files that let somebody in

    def write_message(self, message: EmailMessage) -> None:
        super().write_message(message)
        log.warning("No mail server is set (EMAIL_URL): a mail was written to %s", self.file_path)
