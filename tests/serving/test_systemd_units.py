"""Both services are confined in the same way, as far as systemd can tell."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.servers.server import ROOT

UNITS = ROOT / "deploy" / "systemd"
ANALYZE = shutil.which("systemd-analyze")
#: What makes a unit safe; each service has the same values.
CONFINING = re.compile(
    r"(NoNew|Protect|Private|Restrict(?!$)|Lock|Capability|SystemCall|Inaccessible|StateDir).*"
)
#: systemd's own measure, from 0 (confined) to 10.
MOST_EXPOSED = 2.0


def confinement(path: Path) -> list[str]:
    section = path.read_text().partition("[Service]")[2].partition("\n[")[0]
    lines = [line for line in section.splitlines() if CONFINING.match(line)]
    return sorted(line for line in lines if not line.startswith(("Restart", "ReadWrite")))


def services() -> list[Path]:
    return sorted(UNITS.glob("*.service"))


def test_all_services_share_their_confinement() -> None:
    first, *others = services()
    assert others
    assert len(confinement(first)) >= 20
    for each in others:
        assert confinement(each) == confinement(first), each.name


@pytest.mark.parametrize("path", services(), ids=lambda path: path.name)
def test_a_service_runs_as_its_own_user(path: Path) -> None:
    text = path.read_text()
    assert "\nUser=runnel\nGroup=runnel\n" in text
    assert re.search(r"^ProtectSystem=strict$", text, re.MULTILINE)


@pytest.mark.skipif(not ANALYZE, reason="there is no systemd-analyze here")
@pytest.mark.parametrize("path", services(), ids=lambda path: path.name)
def test_systemd_finds_a_service_confined(path: Path) -> None:
    done = subprocess.run(
        [str(ANALYZE), "security", "--offline=true", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    if not found:
        pytest.skip("this systemd-analyze can't judge files")
    assert float(found[1]) <= MOST_EXPOSED
