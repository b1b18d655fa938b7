"""A copy of deploy/.env.example works once what it asks for is filled in; nothing else misleads."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.database import database_templates
from tests.support.servers.server import ROOT, environment

LINES = (ROOT / "deploy" / ".env.example").read_text().splitlines()
EXAMPLE = dict(line.split("=", 1) for line in LINES if line and not line.startswith("#"))
INSTALL = (ROOT / "docs" / "install.md").read_text()
#: The two ways of docs/install.md each say what has to be filled in.
REQUIRED = {
    name for line in re.findall(r"at least ((?:`\w+`(?:, | and )?)+)", INSTALL)
    for name in re.findall(r"`(\w+)`", line)
}  # fmt: skip
FILLED = {
    "SITE_HOST": "runnel.test",
    "SITE_URL": "https://runnel.test",
    "SECRET_KEY": "k" * 60 + "0123456789",
    "POSTGRES_PASSWORD": "not-used-here",
}
#: For these, blanks are a choice; the warnings say what is lost.
OF_BLANKS = {"runnel.W007", "runnel.W008", "runnel.W009", "runnel.W010"}


def test_only_what_has_to_be_filled_in_has_a_value_for_somebody_else() -> None:
    placeholders = {
        name for name, value in EXAMPLE.items() if re.search(r"example|password", value)
    }
    assert set(FILLED) == REQUIRED
    assert placeholders <= REQUIRED


def test_values_that_are_left_are_the_defaults_or_harmless() -> None:
    left = {name: value for name, value in EXAMPLE.items() if value and name not in REQUIRED}
    assert left == {
        "TRUSTED_PROXY_COUNT": "1", "SIGN_UP": "invitation", "WORKERS": "2",
        "DRAIN_SECONDS": "20", "LOG_FORMAT": "json",
    }  # fmt: skip


@pytest.mark.long
def test_the_filled_copy_passes_the_deployment_check_and_the_doctor(tmp_path: Path) -> None:
    database_templates.copy_sqlite(tmp_path / "runnel.sqlite3")
    database_templates.copy_static(tmp_path / "static")
    env = environment(tmp_path, 8000) | EXAMPLE | FILLED
    checked = manage(env, "check", "--deploy")
    assert checked.returncode == 0, checked.stderr
    named = set(re.findall(r"\(([\w.]+)\) ", checked.stderr))
    assert named <= OF_BLANKS, checked.stderr
    assert manage(env, "prepare").returncode == 0
    skipped = [f"--skip={name}" for name in ("streaming", "proxy", "silence")]
    examined = manage(env, "doctor", "--json", *skipped)
    report = json.loads(examined.stdout)["results"]
    assert [each for each in report if each["status"] == "problem"] == []
    (mail,) = [each for each in report if each["check"] == "Mail"]
    assert (mail["status"], "EMAIL_URL" in mail["advice"]) == ("warning", True)


def manage(env: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
