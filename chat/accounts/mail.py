"""Send mail. Without a mail server each message is written to a file, and the log says where."""

import logging
from email.utils import formataddr, parseaddr
from pathlib import Path
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.filebased import EmailBackend

from chat.site_settings import effective

log = logging.getLogger(__name__)


def send(message: EmailMessage) -> bool:
    """Send a mail; return whether it was accepted. Failures are only logged."""
    if message.from_email == settings.DEFAULT_FROM_EMAIL:
        message.from_email = sender()
    try:
        return bool(message.send())
    except (OSError, SMTPException) as error:
        log.warning("an email couldn't be sent: %s", type(error).__name__)
        return False


def sender() -> str:
    """Return the sender of mails, with the site's name unless EMAIL_FROM names one."""
    given = settings.DEFAULT_FROM_EMAIL
    if effective.is_from_environment("EMAIL_FROM") or effective.site_name() == settings.SITE_NAME:
        return str(given)
    return formataddr((effective.site_name(), parseaddr(given)[1]))


class FileBackend(EmailBackend):
    """Write mails to EMAIL_FILE_PATH. The log names the folder, never the content."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        Path(self.file_path).chmod(0o700)  # the files contain links that sign people in

    def write_message(self, message: EmailMessage) -> None:
        super().write_message(message)
        log.warning(
            "no email server is set (EMAIL_URL); an email was written to %s", self.file_path
        )
