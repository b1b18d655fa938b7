"""Mutants that no test can tell from the original, with reasons: explained.toml.

An entry is recognised by its lines before and after the change. When the code changes, it matches
nothing any more, and `stale` reports it.
"""

import tomllib
from collections.abc import Iterable
from pathlib import Path

from tests.mutants import python_places, scripts
from tests.mutants.mutant import Mutant
from tests.support.servers.server import ROOT

LIST = Path(__file__).with_name("explained.toml")
Key = tuple[str, str, str, str]


def reasons(file: Path = LIST) -> dict[Key, str]:
    """Return the reasons by the keys of mutants."""
    entries = tomllib.loads(file.read_text()).get("mutant", [])
    return {
        (each["path"], each.get("in", ""), each["before"], each["after"]): each["why"]
        for each in entries
    }


def stale(keys: Iterable[Key], root: Path = ROOT) -> list[Key]:
    """Return the entries that are no mutants of the present code."""
    wanted = list(keys)
    present = {path for path, *_ in wanted if (root / path).is_file()}
    possible: list[Mutant] = []
    if found := sorted(path for path in present if not path.endswith(".py")):
        possible += scripts.script_mutants(root, found)
    for path in sorted(present - set(found)):
        possible += python_places.mutants_of(path, (root / path).read_bytes())
    known = {each.key for each in possible}
    return [key for key in wanted if key not in known]
