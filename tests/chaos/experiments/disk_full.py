"""The disk runs out of space and has some again: text waits in memory, sends are refused in words."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tests.chaos.bench import Bench
from tests.chaos.outage import Outage, through
from tests.chaos.outcome import Outcome
from tests.chaos.site import site

STORES = ("sqlite",)
WHY_NOT = "PostgreSQL has a disk of its own; its error is tested in tests/web/http"
DISK_BYTES = 96 * 1024 * 1024
BLOCK = b"x" * 4096


async def run(bench: Bench, seed: int) -> Outcome:
    with _small_disk() as folder, site(bench.upstream.url, folder=folder) as made:
        ballast = folder / "ballast"
        outage = Outage("full", lambda: _fill(ballast), ballast.unlink, bench.size(5.0, 30.0))
        return await through(replace(bench, site=made), seed, outage)


@contextmanager
def _small_disk() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="runnel-disk-") as folder:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", folder]
        subprocess.run(mount, check=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def _fill(file: Path) -> None:
    """Write until there is no space left for a single page of the database."""
    with file.open("wb", buffering=0) as ballast:
        try:
            while ballast.write(BLOCK):
                pass
        except OSError:
            return


def missing() -> str:
    """Return why this machine can't run the experiment; empty if it can."""
    try:
        with _small_disk():
            return ""
    except (OSError, subprocess.CalledProcessError):
        return "this user may not mount a disk"
