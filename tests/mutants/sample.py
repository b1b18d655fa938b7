"""Draw mutants at random, in equal numbers from each group of modules."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path

from tests.mutants import python_places, scripts
from tests.mutants.mutant import Mutant


def draw(
    files: Mapping[str, list[str]], count: int, seed: int, root: Path, only: str = ""
) -> dict[str, list[Mutant]]:
    """Return up to `count` mutants by group: at most one for each place of the code.

    `only` is the name of a group, or a pattern of paths. Small groups are drawn completely, and
    what they leave is shared by the others.
    """
    chosen = {
        group: [path for path in paths if only in {"", group} or fnmatch(path, only)]
        for group, paths in files.items()
    }
    waiting = {
        group: _shuffled(paths, f"{seed} {group}", root) for group, paths in chosen.items() if paths
    }
    found: dict[str, list[Mutant]] = {group: [] for group in waiting}
    left = count
    while waiting and left:
        for group in list(waiting)[:left]:
            drawn = next(waiting[group], None)
            if drawn is None:
                del waiting[group]
            else:
                found[group].append(drawn)
                left -= 1
    return found


def _shuffled(paths: list[str], seed: str, root: Path) -> Iterator[Mutant]:
    """Yield valid mutants in random order, and no two of them at one place."""
    python = [path for path in paths if path.endswith(".py")]
    found = [
        each
        for path in python
        for each in python_places.mutants_of(path, (root / path).read_bytes())
    ]
    if rest := [path for path in paths if path not in python]:
        found += scripts.script_mutants(root, rest)
    places: defaultdict[tuple[str, int, int], list[Mutant]] = defaultdict(list)
    for mutant in found:
        places[mutant.path, mutant.edit.start, mutant.edit.end].append(mutant)
    chance = random.Random(seed)
    order = sorted(places)
    chance.shuffle(order)
    for place in order:
        mutant = chance.choice(places[place])
        check = python_places.is_valid if mutant.path.endswith(".py") else scripts.is_valid
        if check(mutant):
            yield mutant
