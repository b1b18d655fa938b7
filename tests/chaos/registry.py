"""All experiments by name, and running some of them."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from tests.chaos.bench import Bench, new_http
from tests.chaos.experiments import (
    answer_stopped_from_elsewhere,
    client_disconnects_repeatedly,
    client_resumes_anywhere,
    client_resumes_at_another_process,
    client_stops_reading,
    clients_hoard_connections,
    many_answers_at_once,
    one_member_floods,
    other_process_killed,
    process_killed_mid_answer,
    process_terminated_mid_answer,
    same_send_repeated,
    sends_exceed_capacity,
    thousands_stop_and_disconnect,
    upstream_disconnects_mid_answer,
    upstream_falls_silent,
    upstream_returns_errors,
)
from tests.chaos.outcome import Outcome, Run
from tests.chaos.site import WidgetSite, site
from tests.chaos.upstream_process import Upstream, upstream


def _by_name(*modules: ModuleType) -> dict[str, ModuleType]:
    """Return experiments by the name of their fault, which is their file's."""
    return {module.__name__.rpartition(".")[2]: module for module in modules}


#: Single faults, which are cheap, so `make test-long` tries many seeds.
FAULTS = _by_name(
    client_disconnects_repeatedly,
    client_stops_reading,
    upstream_falls_silent,
    upstream_disconnects_mid_answer,
    upstream_returns_errors,
    process_terminated_mid_answer,
    process_killed_mid_answer,
    same_send_repeated,
)
#: Experiments with high load.
LOADS = _by_name(
    client_resumes_anywhere,
    client_resumes_at_another_process,
    other_process_killed,
    answer_stopped_from_elsewhere,
    thousands_stop_and_disconnect,
    many_answers_at_once,
    one_member_floods,
    sends_exceed_capacity,
    clients_hoard_connections,
)
EXPERIMENTS = FAULTS | LOADS


@contextmanager
def places(kind: str) -> Iterator[tuple[WidgetSite, Upstream]]:
    """Start a site and its upstream in processes of their own."""
    with upstream() as side, site(kind, side.url) as made:
        side.witness(made.database)
        yield made, side


def suits(name: str, kind: str) -> bool:
    return kind in getattr(EXPERIMENTS[name], "SERVERS", ("daphne", "uvicorn"))


def run(name: str, seed: int, made: WidgetSite, side: Upstream, is_full: bool) -> Run:
    outcome = asyncio.run(_run(EXPERIMENTS[name], seed, made, side, is_full))
    return Run(name, made.kind, seed, outcome)


async def _run(
    experiment: ModuleType, seed: int, made: WidgetSite, side: Upstream, is_full: bool
) -> Outcome:
    async with new_http() as http:
        outcome: Outcome = await experiment.run(Bench(made, side, http, is_full), seed)
    return outcome
