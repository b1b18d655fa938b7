"""Targets of the audit log, and what the doctor says of them."""

from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.doctor.audit_check import check_audit_log
from chat.doctor.check_result import DoctorOptions
from chat.review.audit_export import targets
from chat.review.audit_export.errors import TargetUnavailable
from project.config.audit_log import audit_log_to
from tests.review.audit_export.conftest import read
from tests.support.review.syslog_server import tcp_server
from tests.support.servers.server import free_port


def doctor_says() -> tuple[str, str]:
    (result,) = check_audit_log(DoctorOptions())
    return result.status, result.message


def test_doctor_says_whether_the_target_is_there(
    settings: Settings, tmp_path: Path, transactional_db: None
) -> None:
    assert doctor_says()[0] == "ok"
    with ExitStack() as running:
        received = running.enter_context(tcp_server())
        settings.AUDIT_LOG_TO = f"syslog+tcp://127.0.0.1:{received.port}"
        assert doctor_says()[0] == "ok"
    for target in (
        f"syslog+tcp://127.0.0.1:{free_port()}",
        f"syslog://{tmp_path}/no-socket",
        f"{tmp_path}/no-folder/audit.jsonl",
    ):
        settings.AUDIT_LOG_TO = target
        status, message = doctor_says()
        assert (status, target in message) == ("problem", True)


def test_doctor_says_that_entries_wait(alice: User, lead: User, file: Path) -> None:
    read(lead, alice, at=timezone.now() - timedelta(minutes=40))
    status, message = doctor_says()
    assert (status, "40 minutes" in message) == ("warning", True)


def test_targets_are_read_from_the_setting() -> None:
    assert targets.target_of("/a/file") == targets.FileTarget("/a/file")
    assert targets.target_of("syslog://log.example") == targets.SyslogTarget("log.example", 514)
    tcp = targets.SyslogTarget("::1", 601, is_tcp=True)
    assert targets.target_of("syslog+tcp://[::1]:601") == tcp
    assert targets.target_of("syslog:///dev/log") == targets.SyslogTarget(path="/dev/log")


def test_a_file_is_no_socket(tmp_path: Path) -> None:
    (tmp_path / "log").touch()
    with pytest.raises(TargetUnavailable, match="no socket"):
        targets.target_of(f"syslog://{tmp_path}/log").send([])


@pytest.mark.parametrize(
    "text",
    [
        "audit.jsonl",
        "/usr",
        "syslog://",
        "http://log.example",
        "syslog+tcp:///dev/log",
        "syslog://log:x",
    ],
)
def test_any_other_setting_stops_the_start(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_LOG_TO", text)
    with pytest.raises(SystemExit, match="AUDIT_LOG_TO"):
        audit_log_to()


@pytest.mark.parametrize(
    "text", ["", "/a/file", "syslog://log:514", "syslog+tcp://[::1]:601", "syslog:///dev/log"]
)
def test_these_settings_are_taken(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_LOG_TO", text)
    assert audit_log_to() == text
