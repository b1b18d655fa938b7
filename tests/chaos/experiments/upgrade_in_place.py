"""The files are replaced by a newer version's under load, with a migration; then workers restart."""

import asyncio
import signal
from random import Random
from time import monotonic

from tests.chaos.bench import Bench
from tests.chaos.outcome import Outcome
from tests.chaos.pages import PATHS, visiting
from tests.chaos.served import served_release
from tests.chaos.site import PATIENT
from tests.chaos.traffic import cut_answers, traffic

SETTINGS = PATIENT | {"DRAIN_SECONDS": "60"}
#: What the site says if a migration locks the database for long.
OPTIONAL = "going on without a write"
RESTARTED = "all workers are restarted"


async def run(bench: Bench, seed: int) -> Outcome:
    workers = 1 if bench.site.stores.kind == "sqlite" else bench.size(2, 4)
    with served_release(bench, workers, is_newer=False, **SETTINGS) as (site, there, release, new):
        chance, name = Random(seed), there.new_run("upgraded", seed)
        urls = [f"http://127.0.0.1:{port}" for port in site.ports]
        async with (
            traffic(there, chance, name, lambda: chance.choice(urls)) as asked,
            visiting(there, chance, urls, asked) as visits,
        ):
            visits.paths = chance.sample(PATHS, 4)  # others are opened for the first time later
            await asyncio.sleep(chance.uniform(1, 3))
            replaced_at = monotonic()
            await asyncio.to_thread(release.take, new)
            visits.paths = PATHS
            await asyncio.sleep(chance.uniform(3, 5))
            restarted_at = monotonic()
            site.send(signal.SIGHUP)
            await asyncio.to_thread(site.until_logged, RESTARTED)
            ended_at = monotonic()
            await asyncio.sleep(bench.size(3, 10))
        complaints = there.judged(name, asked) + cut_answers(asked) + visits.problems
        complaints = [each for each in complaints if OPTIONAL not in each]
    before, after = visits.newer(replaced_at, restarted_at), visits.newer(ended_at)
    complaints += ["a worker showed a page of the files that replaced its own"] * sum(before)
    complaints += [f"{after.count(False)} pages of the old version after the upgrade"] * (
        False in after
    )
    if not before or not after:
        complaints.append("no page was opened before, or none after the restart")
    took = ended_at - restarted_at
    note = (
        f"{len(asked)} sends, {len(visits.pages)} pages, {len(before)} of them between the"
        f" replacement and the restart of {workers} workers, which took {took:.0f} s"
    )
    return Outcome(complaints, visits.slowest_seconds * 1000, "ms for the slowest page", [note])
