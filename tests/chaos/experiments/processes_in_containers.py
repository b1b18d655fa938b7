"""Processes with one host name in different PID namespaces don't take each other for dead."""

import asyncio
import subprocess
from random import Random

from tests.chaos.bench import Bench
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome

UNSHARE = ("unshare", "--pid", "--fork", "--mount-proc", "--kill-child")
#: Longer than it takes to look for dead processes twice.
SECONDS = 7


async def run(bench: Bench, seed: int) -> Outcome:
    chance, name = Random(seed), bench.new_run("contained", seed)
    with bench.site.second_process(prefix=UNSHARE) as contained:
        count = bench.size(8, 60)
        directives = [Directive(f"{name}{n}", 30 * SECONDS, 30) for n in range(count)]
        asked = bench.ask_in_turn(directives, [bench.site.first.url, contained.url])
        await asyncio.sleep(chance.uniform(0, 1))
        await bench.read_all(asked)
        complaints = bench.judged(name, asked)
    return Outcome(complaints, len(complaints), "problems", [])


def missing() -> str:
    """Return why this machine can't run the experiment; empty if it can."""
    try:
        subprocess.run([*UNSHARE, "true"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "this user may not make a PID namespace"
    return ""
