"""Three workers behind nginx: one is killed, all are restarted, Redis and PostgreSQL go away.

People send and read through nginx only. Every client has to end by itself with the stored text; only
answers of the killed worker may be interrupted.
"""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import aiohttp

from tests.chaos.bench import Bench
from tests.chaos.outage import Outage, through
from tests.chaos.outcome import Outcome
from tests.chaos.served import Front
from tests.chaos.site import Site
from tests.chaos.stores import Stores
from tests.support.database import database_templates
from tests.support.servers.nginx import BINARY, NAME, nginx_before
from tests.support.servers.served_site import ServedSite

STORES = ("postgres",)
WHY_NOT = "several workers need PostgreSQL and Redis"
WORKERS = 3
TOKENS_PER_SECOND = 10
RESTARTED = "all workers are restarted"


async def run(bench: Bench, seed: int) -> Outcome:
    complaints, notes, worst = [], [], 0.0
    with _served(bench) as (served, front):
        connector = aiohttp.TCPConnector(limit=0, ssl=False)
        headers = {"Host": NAME, "Origin": f"https://{NAME}"}
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=5)
        async with aiohttp.ClientSession(
            connector=connector,
            headers=headers,
            timeout=timeout,
            cookie_jar=aiohttp.DummyCookieJar(),
        ) as http:
            there = replace(bench, site=front, http=http)
            for outage in _outages(bench, served, front.stores):
                outcome = await through(there, seed, outage)
                complaints += outcome.complaints
                notes.append(f"{outage.name}: {outcome.figure:.0f} ms; {outcome.notes[0]}")
                worst = max(worst, outcome.figure)
    return Outcome(complaints, worst, "ms until sends worked again", notes)


def _outages(bench: Bench, served: ServedSite, stores: Stores) -> Iterator[Outage]:
    assert stores.postgres
    assert stores.redis
    proxy, streams = stores.postgres.proxy, bench.size(24, 300)

    outage = partial(Outage, streams=streams, tokens_per_second=TOKENS_PER_SECOND)

    def kill_one() -> None:
        os.kill(served.worker_pids()[0], signal.SIGKILL)

    def restart_all() -> None:
        served.send(signal.SIGHUP)

    def until_restarted() -> None:
        served.until_logged(RESTARTED)

    either = ("complete", "interrupted")
    yield outage("worker-killed", kill_one, lambda: None, 5.0, states=either, logged="died")
    yield outage("restart", restart_all, until_restarted, 5.0)
    yield outage("redis", stores.redis.kill, stores.redis.start, bench.size(3.0, 10.0))
    yield outage("postgres", proxy.go_away, proxy.come_back, bench.size(4.0, 70.0))
    yield outage("silence", proxy.fall_silent, proxy.come_back, bench.size(4.0, 60.0))


@contextmanager
def _served(bench: Bench) -> Iterator[tuple[ServedSite, Site]]:
    """Yield a site of several workers, and what clients see of it: nginx."""
    settings = {
        "SITE_URL": f"https://{NAME}",
        "TRUSTED_PROXY_COUNT": "1",
        "DRAIN_SECONDS": "60",
        "DATABASE_STATEMENT_SECONDS": "2",
    }
    with tempfile.TemporaryDirectory(prefix="runnel-nginx-") as name:
        folder = Path(name)
        served = ServedSite(folder, WORKERS, **bench.site.settings | settings)
        database_templates.copy_static(folder / "static")
        shutil.copy(bench.site.folder / "secret_key", folder)  # for people's sessions
        served.start()
        try:
            with nginx_before(served.ports, folder, folder, _of_one_address) as url:
                yield served, replace(bench.site, processes=[Front([url], served.log)])  # type: ignore[list-item]
        finally:
            served.end()


def _of_one_address(config: str) -> str:
    """Return the configuration for many people who all come from this machine."""
    changed = config.replace("limit_conn addresses 100;", "limit_conn addresses 2000;")
    assert changed != config
    return changed


def missing() -> str:
    """Return what this machine lacks; empty if nothing."""
    return "" if BINARY else "nginx is not installed"
