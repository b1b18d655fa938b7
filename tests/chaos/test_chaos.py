"""Run the experiments: one small one with `make test`; all, with twenty seeds, with `make test-long`."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache

import pytest

from tests.chaos import registry
from tests.chaos.bench import Scale
from tests.chaos.site import Site
from tests.chaos.upstream_process import Upstream

Places = tuple[Site, Upstream]
SEEDS = range(1, 21)


#: One group, one test process: the site starts once for all of them.
CASES = [
    pytest.param(stores, name, marks=pytest.mark.xdist_group(f"chaos with {stores}"))
    for stores in registry.STORES
    for name in registry.EXPERIMENTS
    if registry.suits(name, stores)
]


@pytest.fixture(scope="module")
def places_on() -> Iterator[Callable[[str], Places]]:
    """Return the site with stores of this kind, started on first use."""
    with ExitStack() as stack:
        yield cache(lambda stores: stack.enter_context(registry.places(stores)))


#: Run by `make test`: the process is killed.
QUICK = [case for case in CASES if case.values == ("sqlite", "process_killed_mid_answer")]


def found_wrong(name: str, seed: int, places: Places, scale: Scale) -> list[str]:
    site, upstream = places
    if lack := registry.missing(name):
        pytest.skip(lack)
    run = registry.run(name, seed, site, upstream, scale)
    print(f"seed {seed}: {run.outcome.figure:,.0f} {run.outcome.unit}", *run.outcome.notes)
    return run.outcome.complaints


@pytest.mark.chaos
@pytest.mark.parametrize(("stores", "name"), QUICK)
def test_no_text_is_lost(stores: str, name: str, places_on: Callable[[str], Places]) -> None:
    assert not found_wrong(name, 1, places_on(stores), Scale.SMALL)


@pytest.mark.chaos
@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("stores", "name"), CASES)
def test_no_text_is_lost_with_other_seeds(
    stores: str, name: str, places_on: Callable[[str], Places]
) -> None:
    places = places_on(stores)
    seeds = SEEDS if name in registry.FAULTS else SEEDS[:3]
    assert not [
        problem for seed in seeds for problem in found_wrong(name, seed, places, Scale.SMALL)
    ]


@pytest.mark.chaos
@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("stores", "name"), CASES)
def test_no_text_is_lost_at_full_size(
    stores: str, name: str, places_on: Callable[[str], Places]
) -> None:
    assert not found_wrong(name, 1, places_on(stores), Scale.FULL)
