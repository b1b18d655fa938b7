"""All experiments by name, and running some of them."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from tests.chaos.bench import Bench, Scale, new_http
from tests.chaos.experiments import (
    answer_stopped_from_elsewhere,
    backup_killed,
    client_disconnects_repeatedly,
    client_resumes_anywhere,
    client_resumes_at_another_process,
    client_stops_reading,
    clients_hoard_connections,
    clock_jumps,
    database_connections_taken,
    database_falls_silent,
    database_killed,
    database_locked,
    disk_full,
    faults_behind_nginx,
    import_killed,
    mail_refused,
    many_answers_at_once,
    mixed_faults_for_long,
    one_member_floods,
    other_process_killed,
    pgbouncer_killed,
    process_killed_mid_answer,
    process_terminated_mid_answer,
    processes_in_containers,
    redis_falls_silent,
    redis_killed,
    roll_back,
    rolling_restart,
    same_send_repeated,
    sends_exceed_capacity,
    thousands_stop_and_disconnect,
    upgrade_in_place,
    upstream_disconnects_mid_answer,
    upstream_falls_silent,
    upstream_returns_errors,
    worker_hangs,
)
from tests.chaos.outcome import Outcome, Run
from tests.chaos.site import Site, site
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
#: What the site depends on is away for a while; these take longer.
OUTAGES = _by_name(
    database_killed,
    database_falls_silent,
    database_connections_taken,
    pgbouncer_killed,
    database_locked,
    disk_full,
    redis_killed,
    redis_falls_silent,
    clock_jumps,
    processes_in_containers,
    rolling_restart,
    upgrade_in_place,
    roll_back,
    worker_hangs,
    mail_refused,
    backup_killed,
    import_killed,
    faults_behind_nginx,
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
    mixed_faults_for_long,
)
EXPERIMENTS = FAULTS | OUTAGES | LOADS


STORES = ("sqlite", "postgres")


@contextmanager
def places(stores: str) -> Iterator[tuple[Site, Upstream]]:
    """Start a site and its upstream in processes of their own."""
    with upstream() as side, site(side.url, stores) as made:
        side.witness(made.database)
        yield made, side


def suits(name: str, stores: str) -> bool:
    """Return whether the experiment has a meaning with these stores."""
    return stores in getattr(EXPERIMENTS[name], "STORES", STORES)


def summary(name: str) -> str:
    """Return the first line of the experiment's description."""
    return (EXPERIMENTS[name].__doc__ or "").partition("\n")[0].strip()


def why_not(name: str) -> str:
    """Return why the experiment has no meaning with some stores; empty if it has one with all."""
    return str(getattr(EXPERIMENTS[name], "WHY_NOT", ""))


def missing(name: str) -> str:
    """Return what this machine lacks for the experiment; empty if nothing."""
    look = getattr(EXPERIMENTS[name], "missing", None)
    return str(look()) if look else ""


def run(name: str, seed: int, made: Site, side: Upstream, scale: Scale) -> Run:
    outcome = asyncio.run(_run(EXPERIMENTS[name], seed, made, side, scale))
    return Run(name, made.stores.kind, seed, outcome)


async def _run(
    experiment: ModuleType, seed: int, made: Site, side: Upstream, scale: Scale
) -> Outcome:
    async with new_http() as http:
        outcome: Outcome = await experiment.run(Bench(made, side, http, scale), seed)
    return outcome
