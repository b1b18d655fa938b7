"""Keep runs in a file, one JSON object in each line, so that several processes can add to it."""

from pathlib import Path

import msgspec

from tests.chaos.outcome import Run


def read(path: Path) -> list[Run]:
    """Return the runs in the file; none if there is no such file."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line, type=Run) for line in lines]


def append(path: Path, run: Run) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(msgspec.json.encode(run) + b"\n")
