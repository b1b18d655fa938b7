"""Run all checks of a site in order, each on its own: one that fails doesn't end the others."""

from collections.abc import Iterator

from chat.doctor.audit_check import check_audit_log
from chat.doctor.check_result import Check, CheckResult, DoctorOptions
from chat.doctor.clock_check import check_clock
from chat.doctor.database_check import check_database
from chat.doctor.deletion_check import check_deletion
from chat.doctor.disk_check import check_data_files, check_disk
from chat.doctor.mail_check import check_mail
from chat.doctor.model_check import check_model
from chat.doctor.proxy.proxy_check import check_proxy
from chat.doctor.proxy.silence_check import check_silence
from chat.doctor.redis_check import check_redis
from chat.doctor.settings_check import check_settings
from chat.doctor.sign_in_check import check_sign_in
from chat.doctor.static_check import check_static
from chat.doctor.streaming.streaming_check import check_streaming

#: By the name with which they can be skipped. Streaming notes the clock of the address.
CHECKS: dict[str, Check] = {
    "settings": check_settings,
    "database": check_database,
    "deletion": check_deletion,
    "redis": check_redis,
    "static": check_static,
    "disk": check_disk,
    "files": check_data_files,
    "mail": check_mail,
    "audit": check_audit_log,
    "sign-in": check_sign_in,
    "model": check_model,
    "streaming": check_streaming,
    "proxy": check_proxy,
    "silence": check_silence,
    "clock": check_clock,
}


def run_checks(options: DoctorOptions, skip: frozenset[str] = frozenset()) -> Iterator[CheckResult]:
    """Yield the findings of all checks but those to skip."""
    for name, check in CHECKS.items():
        if name in skip:
            continue
        try:
            yield from check(options)
        except Exception as error:
            message = f"This check failed itself: {type(error).__name__}: {error}"
            yield CheckResult(name.capitalize(), "problem", message, "Please report it.")
