"""Send mail. Without a mail server each message is written to a file, and the log says where."""

import logging
from pathlib import Path
from smtplib import SMTPException
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends.filebased import EmailBackend

log = logging.getLogger(__name__)


def send(message: EmailMessage) -> bool:
    """Send a mail; return whether it was accepted. Failures are only logged."""
    try:
        return bool(message.send())
    except (OSError, SMTPException) as error:
        log.warning("could not send an email: %s", type(error).__name__)
        return False


class FileBackend(EmailBackend):
    """Write mails to EMAIL_FILE_PATH. The log names the folder, never the content."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        Path(self.file_path).chmod(0o700)  # the files contain links that sign people in

    def write_message(self, message: EmailMessage) -> None:
        super().write_message(message)
        log.warning(
            "no mail server is configured (EMAIL_URL); wrote an email to %s", self.file_path
        )
