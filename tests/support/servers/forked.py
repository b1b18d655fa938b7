"""Run functions in processes that start with most libraries loaded, which saves half a second.

Nothing that depends on settings is loaded, so each process reads its own.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.support.servers.loaded_libraries", __name__])
pipe = _context.Pipe


def started(
    function: Callable[..., object], *arguments: Any, environment: dict[str, str], output: Path
) -> ForkServerProcess:
    """Start `function(*arguments)` with this environment only.

    What it prints goes to `output`, and errors to `output` with the suffix `.errors`.
    """
    process = _context.Process(
        target=_call, args=(function, arguments, environment, output), daemon=True
    )
    process.start()
    return process


def errors_of(output: Path) -> Path:
    return output.with_suffix(".errors")


def _call(
    function: Callable[..., object],
    arguments: tuple[Any, ...],
    environment: dict[str, str],
    output: Path,
) -> None:
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    for path, stream in ((output, sys.stdout), (errors_of(output), sys.stderr)):
        with path.open("ab") as file:
            os.dup2(file.fileno(), stream.fileno())
    function(*arguments)
