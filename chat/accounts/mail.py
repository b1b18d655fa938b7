"""Mail for a site without a mail server: each message becomes a file, and the log says where."""

import logging
from typing import Any

from django.core.mail.backends.filebased import EmailBackend

log = logging.getLogger(__name__)


class FileBackend(EmailBackend):
    """Writes to EMAIL_FILE_PATH; the log names the file, never its contents."""

    def open(self) -> bool | None:
        opened = super().open()
        if opened:
            log.warning("No mail server is set (EMAIL_URL); a mail was written to %s", self._fname)
        return opened

    def _get_filename(self) -> Any:
        self._fname: str | None
        return super()._get_filename()
