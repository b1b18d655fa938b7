"""The steps of deploy/Dockerfile give an image that starts, small enough, without an engine."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.support.servers.server import ROOT

#: python:3.11-slim-bookworm, unpacked.
BASE_MEGABYTES = 130
MAX_MEGABYTES = 300


def can_mount() -> bool:
    return os.geteuid() == 0 and bool(shutil.which("unshare")) and sys.platform == "linux"


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.skipif(not can_mount(), reason="it needs root and Linux")
def test_the_image_serves_as_its_user_with_a_read_only_root() -> None:
    done = subprocess.run(
        [sys.executable, "deploy/check_image.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-3000:]
    assert "The health check succeeds." in said
    assert re.search(r"A streamed answer: \d\d+ events, complete\.", said)
    assert "The site ended with status 0." in said
    size = re.search(r"The image adds (\d+) MB to its base\.", said)
    assert size
    assert BASE_MEGABYTES + int(size[1]) < MAX_MEGABYTES
