"""The texts of alerts have numbers that people read: Prometheus writes each with real series."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.missing_programs import skip_without
from tests.support.servers.server import ROOT

RULES = ROOT / "deploy" / "prometheus" / "alerts.yml"
ALERTS = [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]
PROMTOOL = shutil.which("promtool")
TARGET = 'job="runnel",instance="127.0.0.1:8000"'


def counter(name: str, labels: str, each_minute: float) -> dict[str, str]:
    selector = f"{name}{{{TARGET}{',' if labels else ''}{labels}}}"
    return {"series": selector, "values": f"0+{each_minute}x120"}


def gauge(name: str, value: float) -> dict[str, str]:
    return {"series": f"{name}{{{TARGET}}}", "values": f"{value}x120"}


def histogram(name: str) -> list[dict[str, str]]:
    """Return a histogram whose slowest twentieth is in the last bucket."""
    buckets = {"0.25": 10, "0.5": 20, "1": 40, "10": 60, "15": 117, "30": 119, "+Inf": 120}
    return [counter(f"{name}_bucket", f'le="{le}"', count) for le, count in buckets.items()]


#: For each alert: the series, the labels that it keeps, and the text.
CASES: dict[str, tuple[list[dict[str, str]], dict[str, str], str]] = {
    "RunnelProcessDown": (
        [gauge("up", 0)],
        {"job": "runnel", "instance": "127.0.0.1:8000"},
        "127.0.0.1:8000 doesn't answer",
    ),
    "RunnelDatabaseUnavailable": (
        [counter("runnel_database_errors_total", 'cause="unreachable"', 3)],
        {"cause": "unreachable"},
        "The database is unavailable: unreachable",
    ),
    "RunnelDiskFull": (
        [counter("runnel_requests_shed_total", 'reason="disk"', 3)],
        {"instance": "127.0.0.1:8000"},
        "127.0.0.1:8000 refuses questions because the disk is full",
    ),
    "RunnelAnswersFail": (
        [
            counter("runnel_answers_total", 'state="failed"', 40),
            counter("runnel_answers_total", 'state="complete"', 20),
        ],
        {},
        "66.67% of answers fail",
    ),
    "RunnelServerErrors": (
        [
            counter("runnel_http_requests_total", 'route="chat",status="5xx"', 3),
            counter("runnel_http_requests_total", 'route="chat",status="2xx"', 97),
        ],
        {},
        "3% of requests get a server error",
    ),
    "RunnelAnswersInterrupted": (
        [counter("runnel_answers_total", 'state="interrupted"', 3)],
        {},
        "Answers were cut off by a process that ended",
    ),
    "RunnelOverloaded": (
        [counter("runnel_requests_shed_total", 'reason="open_streams"', 3)],
        {"instance": "127.0.0.1:8000", "reason": "open_streams"},
        "127.0.0.1:8000 refuses questions: open_streams",
    ),
    "RunnelEventLoopLag": (
        [gauge("runnel_event_loop_lag_seconds", 0.75)],
        {"job": "runnel", "instance": "127.0.0.1:8000"},
        "127.0.0.1:8000 handles requests 750ms late",
    ),
    "RunnelSlowDatabase": (
        histogram("runnel_log_flush_duration_seconds"),
        {},
        "Storing the running answers takes 14.74s",
    ),
    "RunnelSlowFirstToken": (
        histogram("runnel_time_to_first_token_seconds"),
        {},
        "One answer in twenty begins after 14.74s or later",
    ),
    "RunnelRedisAway": (
        [counter("runnel_redis_failures_total", "", 3)],
        {},
        "Redis can't be reached",
    ),
    "RunnelSignInGuessing": (
        [counter("runnel_requests_shed_total", 'reason="sign_in"', 40)],
        {},
        "400 sign-in attempts were refused in ten minutes",
    ),
    "RunnelMemoryGrows": (
        [{"series": f"process_resident_memory_bytes{{{TARGET}}}", "values": "1073741824+1024x500"}],
        {"job": "runnel", "instance": "127.0.0.1:8000"},
        "127.0.0.1:8000 uses 1GiB, and grows",
    ),
    "RunnelFilesRunOut": (
        [gauge("process_open_fds", 1_000_001), gauge("process_max_fds", 1_048_576)],
        {"job": "runnel", "instance": "127.0.0.1:8000"},
        "127.0.0.1:8000 has 1000001 files and connections open",
    ),
    "RunnelHousekeepingFails": (
        [gauge("runnel_housekeeping_failing", 2)],
        {"job": "runnel", "instance": "127.0.0.1:8000"},
        "127.0.0.1:8000 can't delete or do 2 things",
    ),
}


def test_every_alert_has_a_case() -> None:
    assert list(CASES) == [alert["alert"] for alert in ALERTS]


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: alert["alert"])
def test_a_number_has_a_unit_or_no_fractions(alert: dict[str, Any]) -> None:
    """`humanize` writes 666.7m for two thirds, and a bare value 1.048576e+06."""
    for used in re.findall(r"\{\{ *\$value *(.*?)\}\}", alert["annotations"]["summary"]):
        assert re.search(r"humanizeDuration|humanizePercentage|humanize1024|%\.0f", used)


@skip_without(PROMTOOL, "promtool")
def test_prometheus_writes_the_expected_texts(tmp_path: Path) -> None:
    tests = [
        {
            "interval": "1m",
            "input_series": series,
            "alert_rule_test": [
                {
                    "eval_time": "1h",
                    "alertname": name,
                    "exp_alerts": [
                        {
                            "exp_labels": labels | {"severity": severity_of(name)},
                            "exp_annotations": {"summary": text},
                        }
                    ],
                }
            ],
        }
        for name, (series, labels, text) in CASES.items()
    ]
    document = {"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": tests}
    (tmp_path / "texts.yml").write_text(yaml.safe_dump(document))
    done = subprocess.run(
        [str(PROMTOOL), "test", "rules", str(tmp_path / "texts.yml")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def severity_of(name: str) -> str:
    return next(str(alert["labels"]["severity"]) for alert in ALERTS if alert["alert"] == name)
