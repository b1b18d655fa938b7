"""A worker that dies between the installation of a version and the reload finds its schema."""

import os
import signal
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.servers.copied_release import CopiedRelease
from tests.support.servers.newer_release import MARK, make_newer
from tests.support.servers.served_site import ServedSite, wait_until
from tests.support.servers.server import signed_up

pytestmark = [
    pytest.mark.xdist_group("serving"),
    pytest.mark.long,
    pytest.mark.timeout(600),  # servers start slowly on a busy machine
]


def test_a_new_version_is_prepared_before_a_dead_worker_starts_with_it(tmp_path: Path) -> None:
    release = CopiedRelease(tmp_path / "release")
    site = ServedSite(tmp_path)
    site.python, site.release = release.python, release.folder
    site.environment |= release.environment
    site.prepare()
    try:
        site.start()
        make_newer(release.folder)
        os.kill(site.worker_pids()[0], signal.SIGKILL)
        site.until_logged("started worker 1", times=2)
        assert "preparing it" in site.text()
        wait_until(lambda: site.status(site.port) == 200, site.text)
        with closing(signed_up(site)) as alice:
            shown = alice.get("/personas/")
            assert shown.status_code == 200
            assert MARK in shown.text
    finally:
        site.end()
