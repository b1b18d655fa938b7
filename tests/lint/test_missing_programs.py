"""CI skips no test because a program is missing, and runs both Chromiums."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser import chromium

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = "from tests.support.missing_programs import pytest_runtest_makereport"
BODY = """
import pytest
from tests.support.missing_programs import require, skip_without

@skip_without(None, "nginx")
def test_marked():
    pass

def test_inside():
    require("", "caddy")

@pytest.mark.skipif(True, reason="PostgreSQL locks rows")
def test_of_another_database():
    pass
"""


@pytest.mark.parametrize(
    ("ci", "counts"), [("true", "1 failed, 1 skipped, 1 error"), ("", "3 skipped")]
)
def test_only_in_ci_a_missing_program_is_a_failure(ci: str, counts: str, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(BODY)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:django", "-c", "/dev/null"]
    env = os.environ | {"PYTHONPATH": str(ROOT), "CI": ci}
    done = subprocess.run(
        [*command, "--rootdir", str(tmp_path), str(tmp_path)],
        env=env,
        capture_output=True,
        text=True,
    )
    assert counts in done.stdout, done.stdout + done.stderr
    assert ("nginx isn't installed, but CI runs all tests" in done.stdout) == (ci == "true")


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in CI nor with a Chromium; the one from npm is unpacked."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(chromium.shutil, "which", lambda name: None)
    monkeypatch.setattr(chromium, "_from_npm", lambda: chromium.Chromium("npm", {}))


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"chromium": "/usr/bin/chromium"}
    monkeypatch.setattr(chromium.shutil, "which", found.get)


def test_the_machines_own_chromium_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chromium.find_chromium().path == "npm"
    install(monkeypatch)
    assert chromium.find_chromium().path == "/usr/bin/chromium"


def test_each_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    monkeypatch.setenv("CHROMIUM", "npm")
    assert chromium.find_chromium().path == "npm"
    monkeypatch.setenv("CHROMIUM", "installed")
    assert chromium.find_chromium().path == "/usr/bin/chromium"
    monkeypatch.setenv("CHROMIUM", "firefox")
    with pytest.raises(pytest.fail.Exception, match="'installed' or 'npm'"):
        chromium.find_chromium()


@pytest.mark.parametrize(("name", "value"), [("CI", "true"), ("CHROMIUM", "installed")])
def test_ci_does_not_fall_back_on_the_other(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(pytest.fail.Exception, match="is on PATH"):
        chromium.find_chromium()


def test_ci_installs_what_the_tests_need_and_uses_both_chromiums() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    for name in ("nginx-light", "caddy", "chromium"):
        assert f'lacking+=" {name}"' in script
    assert "make test\n" in script
    assert "make test-browser CHROMIUM=npm\n" in script
