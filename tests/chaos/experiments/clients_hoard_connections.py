"""Clients hold idle sockets, unread answers, and endless bodies and headers. Others are served."""

import asyncio
import io
import socket
from contextlib import ExitStack, closing
from urllib.parse import urlsplit

import aiohttp

from tests.chaos.bench import Asked, Bench
from tests.chaos.directive import Directive
from tests.chaos.experiments.client_stops_reading import request_and_never_read
from tests.chaos.outcome import Outcome, percentile
from tests.chaos.site import Process

GROWTH_MEGABYTES = 50.0
BODY = b'{"prompt":"' + b"x" * 10_000_000 + b'"}'
HEAD = "h" * 100_000
SENDS = 20


async def run(bench: Bench, seed: int) -> Outcome:
    name = bench.new_run("hoarders", seed)
    settings = {
        "MAX_STREAMS_PER_PERSON": "0",
        "MAX_ANSWER_CHARS": "9000000",
        "SEND_TIMEOUT_SECONDS": "120",
    }
    with bench.site.changed(**settings) as process, ExitStack() as held:
        await bench.warmed_up(process)
        person = seed % len(bench.site.sessions)  # each can store a few of such answers
        long = await _long_answer(bench, name, person)
        usual = await _sends(bench, f"{name}usual")
        memory = Memory(process, await process.steady_kilobytes())
        watching = asyncio.create_task(memory.watch())
        idle = [_idle(process) for _ in range(bench.size(100, 1000))]
        readers = bench.size(20, 500)
        never = [request_and_never_read(bench, long, process, person) for _ in range(readers)]
        for each in (*idle, *never):
            held.enter_context(closing(each))
        while (
            readers - len({each.getsockname()[1] for each in never} & process.peers) > readers // 50
        ):
            await asyncio.sleep(0.1)
        crowded = await _sends(bench, f"{name}crowded")
        for_holding = memory.grown_megabytes
        begging = asyncio.create_task(_beg(bench, process, bench.size(4, 40)))
        crowded += await _sends(bench, f"{name}more")
        statuses = await begging
        for_begging = memory.grown_megabytes - for_holding
        watching.cancel()
        complaints = bench.judged(name, [long, *usual, *crowded])
    for what, megabytes in (("idle and slow", for_holding), ("long requests", for_begging)):
        if megabytes > GROWTH_MEGABYTES:
            complaints.append(f"the process grew by {megabytes:.0f} MB for {what}")
    before, then = _first_words(usual), _first_words(crowded)
    notes = [
        f"{for_holding:.0f} MB for {len(idle)} idle sockets and {readers} readers,"
        f" {for_begging:.0f} MB for bodies and heads: {statuses}",
        f"a send's first bytes: {percentile(before, 50):.0f} ms alone, {percentile(then, 50):.0f} ms then"
        f" (p50); {percentile(before, 95):.0f} and {percentile(then, 95):.0f} (p95)",
    ]
    return Outcome(complaints, memory.grown_megabytes, "MB more", notes)


class Memory:
    def __init__(self, process: Process, kilobytes: int) -> None:
        self._process = process
        self._before = self._most = kilobytes

    @property
    def grown_megabytes(self) -> float:
        return (self._most - self._before) / 1024

    async def watch(self) -> None:
        while True:
            self._most = max(self._most, self._process.resources.resident_kilobytes)
            await asyncio.sleep(0.05)


async def _long_answer(bench: Bench, name: str, person: int) -> Asked:
    """Request an answer that is longer than the kernel buffers for a client that does not read."""
    directive = Directive(f"{name}long", 6_000, padding_chars=900, witness=False)
    asked = bench.ask(directive, person=person)
    await asked.reader.run()
    return asked


async def _sends(bench: Bench, run: str) -> list[Asked]:
    asked = [bench.ask(Directive(f"{run}{n}", 5), person=n) for n in range(bench.size(5, SENDS))]
    for each in asked:
        await each.reader.run()
    return asked


def _idle(process: Process) -> socket.socket:
    address = urlsplit(process.url)
    return socket.create_connection((address.hostname, address.port))


async def _beg(bench: Bench, process: Process, count: int) -> dict[str, int]:
    """Send bodies of ten megabytes and headers of a hundred kilobytes at once; return the statuses."""

    async def one(number: int) -> str:
        what = {"data": io.BytesIO(BODY)} if number % 2 else {"headers": {"X-Long": HEAD}}
        try:
            async with bench.visitor(number).request("POST", "/chat/stream", **what) as response:
                return str(response.status)
        except (aiohttp.ClientError, OSError):
            return "hung up"

    answers = await asyncio.gather(*(one(number) for number in range(count)))
    return {answer: answers.count(answer) for answer in sorted(set(answers))}


def _first_words(asked: list[Asked]) -> list[float]:
    return [each.reader.headers_after_seconds * 1000 for each in asked]
