"""Shorten what a Python client sleeps between its attempts, and note each wait in `WAITS`.

Python imports this module by itself if its folder is in `PYTHONPATH`.
"""

import os
import time
from pathlib import Path

_sleep = time.sleep
NOTED_SECONDS = 0.1


def sleep(seconds: float) -> None:
    if seconds >= NOTED_SECONDS:
        with Path(os.environ["WAITS"]).open("a") as waits:
            waits.write(f"{seconds}\n")
    _sleep(min(seconds, 0.01))


time.sleep = sleep
