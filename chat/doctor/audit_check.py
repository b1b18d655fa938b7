"""Check that the audit log reaches the place that `AUDIT_LOG_TO` names."""

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.review.audit_export.errors import TargetUnavailable
from chat.review.audit_export.shipping import waiting_since
from chat.review.audit_export.targets import target_of

NAME = "Audit log"
#: Longer than an entry waits for one before it that may still come.
LATE = timedelta(minutes=15)


def check_audit_log(_options: DoctorOptions) -> Iterator[CheckResult]:
    if not settings.AUDIT_LOG_TO:
        yield CheckResult(NAME, "ok", "It isn't sent anywhere. AUDIT_LOG_TO would name a place.")
        return
    try:
        target_of(settings.AUDIT_LOG_TO).check()
    except TargetUnavailable as error:
        message = f"It can't be sent to {settings.AUDIT_LOG_TO}: {error}."
        advice = "Start the server, or correct AUDIT_LOG_TO. Entries wait, and none is lost."
        yield CheckResult(NAME, "problem", message, advice)
        return
    yield _lag()


def _lag() -> CheckResult:
    try:
        since = waiting_since()
    except DatabaseError:
        since = None  # reported by the database check
    if since is None or timezone.now() - since < LATE:
        return CheckResult(NAME, "ok", f"It is sent to {settings.AUDIT_LOG_TO}.")
    minutes = int((timezone.now() - since).total_seconds() // 60)
    message = f"An entry has waited for {minutes} minutes to be sent to {settings.AUDIT_LOG_TO}."
    advice = "Look into the site's log, and whether a server process is running."
    return CheckResult(NAME, "warning", message, advice, {"minutes": minutes})
