"""Every experiment by its name, and running some of them."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from tests.chaos.bench import Bench, new_http
from tests.chaos.experiments import (
    c1,
    c2,
    c3,
    c4,
    c5,
    c6,
    c7,
    c12,
    endurance,
    greedy,
    hoarders,
    hops,
    load,
    orphans,
    overload,
    resumes,
    stops,
)
from tests.chaos.outcome import Outcome, Run
from tests.chaos.site import WidgetSite, site
from tests.chaos.upstream_process import Upstream, upstream

EXPERIMENTS: dict[str, ModuleType] = {
    "C1": c1,
    "C2": c2,
    "C3": c3,
    "C4": c4,
    "C5": c5,
    "C6": c6,
    "C7": c7,
    "C12": c12,
    "resumes": resumes,
    "hops": hops,
    "orphans": orphans,
    "stops": stops,
    "endurance": endurance,
    "load": load,
    "greedy": greedy,
    "overload": overload,
    "hoarders": hoarders,
}


@contextmanager
def places(kind: str) -> Iterator[tuple[WidgetSite, Upstream]]:
    """A site and its model's side, in processes of their own."""
    with upstream() as side, site(kind, side.url) as made:
        side.witness(made.database)
        yield made, side


def suits(name: str, kind: str) -> bool:
    return kind in getattr(EXPERIMENTS[name], "SERVERS", ("daphne", "uvicorn"))


def run(name: str, seed: int, made: WidgetSite, side: Upstream, is_full: bool) -> Run:
    outcome = asyncio.run(_run(EXPERIMENTS[name], seed, made, side, is_full))
    return Run(EXPERIMENTS[name].TITLE, made.kind, seed, outcome)


async def _run(
    experiment: ModuleType, seed: int, made: WidgetSite, side: Upstream, is_full: bool
) -> Outcome:
    async with new_http() as http:
        outcome: Outcome = await experiment.run(Bench(made, side, http, is_full), seed)
    return outcome
