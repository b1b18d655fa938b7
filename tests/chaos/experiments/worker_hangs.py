"""One worker of several hangs: it is replaced, its answers can be continued, others don't notice."""

import asyncio
import os
import signal
from collections.abc import Iterable
from random import Random
from time import monotonic

from tests.chaos import database
from tests.chaos.bench import Asked, Bench
from tests.chaos.continuation import continued
from tests.chaos.directive import Directive
from tests.chaos.judge import lost_tokens
from tests.chaos.outcome import Outcome
from tests.chaos.served import served
from tests.chaos.site import PATIENT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.served_site import ServedSite, wait_until

WORKERS = 2
TIMEOUT_SECONDS = 2
#: Answers of the worker that hangs must still run then; the others' end after it is replaced.
TOKENS, TOKENS_PER_SECOND = 600, 30
#: Text that arrived as long before is stored, also on a busy machine.
WINDOW_SECONDS = 1.5
#: What the supervisor says about a worker that hangs.
EXPECTED = ("hasn't answered", "died (SIGKILL)")


async def run(bench: Bench, seed: int) -> Outcome:
    settings = PATIENT | {"WORKER_TIMEOUT_SECONDS": str(TIMEOUT_SECONDS)}
    with served(bench, WORKERS, **settings) as (site, there):
        return await _through(there, seed, site)


async def _through(bench: Bench, seed: int, site: ServedSite) -> Outcome:
    chance, run = Random(seed), bench.new_run("hung", seed)
    urls = [f"http://127.0.0.1:{port}" for port in site.ports]
    hung = chance.randrange(WORKERS)
    asked = _asked(bench, run, urls, bench.size(12, 200), TOKENS)
    reading = asyncio.create_task(bench.read_all(asked))
    await asyncio.sleep(chance.uniform(1, 3))
    stopped_at = monotonic()
    os.kill(site.worker_pids()[hung], signal.SIGSTOP)
    waiting = _asked(bench, f"{run}meanwhile", [urls[hung]], bench.size(3, 20), 20)
    sending = asyncio.create_task(bench.read_all(waiting))
    await asyncio.to_thread(_until_answered, site, site.ports[hung])
    replaced_seconds = monotonic() - stopped_at
    await asyncio.gather(reading, sending)

    its = asked[hung::WORKERS]
    others = [each for number, each in enumerate(asked) if number % WORKERS != hung]
    complaints = bench.judged(run, its, ["interrupted"])
    complaints += bench.judged(run, [*others, *waiting])
    lost, too_old = _lost(bench, run, its, stopped_at)
    complaints += too_old + await continued(bench, run, its, chance)
    complaints += [f"{each.mark}: its connection broke" for each in others if each.reader.broken]
    complaints = [each for each in complaints if not any(word in each for word in EXPECTED)]
    note = f"{len(its)} interrupted, {lost} tokens lost; {len(others)} not affected"
    return Outcome(complaints, replaced_seconds, "s until replaced", [note])


def _asked(bench: Bench, run: str, urls: list[str], count: int, tokens: int) -> list[Asked]:
    sends = (Directive(f"{run}{n}", tokens, TOKENS_PER_SECOND) for n in range(count))
    asked = bench.ask_in_turn(sends, urls)
    for each in asked:
        each.reader.patience_seconds = PATIENCE_SECONDS
    return asked


def _until_answered(site: ServedSite, port: int) -> None:
    wait_until(lambda: site.status(port) == 200, site.text)


def _lost(bench: Bench, run: str, asked: Iterable[Asked], moment: float) -> tuple[int, list[str]]:
    """Return the number of tokens that arrived by then and are not stored, and what is wrong."""
    calls, rows = bench.upstream.calls(run), database.with_question(bench.site.database, run)
    stored = {row.id: row.text for row in rows.values()}
    total, found = 0, []
    for each in asked:
        text = stored.get(each.reader.generation_id.replace("-", ""), "")
        for call in calls.get(each.mark, [])[:1]:
            count, age = lost_tokens(call, text, moment)
            total += count
            if age > WINDOW_SECONDS:
                found.append(f"{each.mark}: {count} tokens lost, the oldest {age:.1f} s old")
    return total, found
