"""Check that the mail server accepts this site. Sends a mail only if asked to."""

from collections.abc import Iterator
from contextlib import suppress
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage, get_connection

from chat.doctor.check_result import CheckResult, DoctorOptions

NAME = "Mail"


def check_mail(options: DoctorOptions) -> Iterator[CheckResult]:
    if not settings.IS_MAILED:
        message = (
            f"There is no email server. Emails are saved as files in {settings.EMAIL_FILE_PATH}."
        )
        advice = "Set EMAIL_URL, so that people can confirm addresses and reset passwords."
        yield CheckResult(NAME, "warning", message, advice)
        return
    server = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    connection = get_connection()
    try:
        connection.open()  # greets, starts TLS and signs in
        if options.send_mail_to:
            text = f"{settings.SITE_URL} can send email."
            mail = EmailMessage(
                f"{settings.SITE_NAME}: Test",
                text,
                to=[options.send_mail_to],
                connection=connection,
            )
            mail.send()
    except (OSError, SMTPException) as error:
        message = f"The email server {server} can't be used: {_reason(error)}"
        yield CheckResult(
            NAME, "problem", message, "Compare EMAIL_URL with what the server expects."
        )
        return
    finally:
        with suppress(OSError, SMTPException):
            connection.close()
    done = (
        f"took an email to {options.send_mail_to}" if options.send_mail_to else "accepts the site"
    )
    secure = "with" if settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL else "without"
    sign_in = "signed in" if settings.EMAIL_HOST_USER else "without signing in"
    yield CheckResult(NAME, "ok", f"{server} {done}, {secure} encryption, {sign_in}.")


def _reason(error: Exception) -> str:
    """Return what happened; what servers reply never quotes a password."""
    code = getattr(error, "smtp_code", None)
    words = getattr(error, "strerror", None) or str(error).splitlines()[:1]
    text = words if isinstance(words, str) else " ".join(words)
    return f"{type(error).__name__} {code}" if code else text or type(error).__name__
