"""Clients read slowly or never: they are disconnected, use little memory, and answers are stored."""

import asyncio
import socket
from time import monotonic
from urllib.parse import urlsplit

from tests.chaos.bench import Asked, Bench
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome
from tests.chaos.reader import CSRF, Reader
from tests.chaos.site import Process

HELD_KILOBYTES = 256
DROPPED_SECONDS = 60.0
#: Rules and the search read a long answer once, some time after its end; readers take memory again.
ATTEMPTS = 3
SEND_TIMEOUT_SECONDS = 3.0


async def run(bench: Bench, seed: int) -> Outcome:
    name = bench.new_run("slow", seed)
    settings = {"SEND_TIMEOUT_SECONDS": str(SEND_TIMEOUT_SECONDS), "MAX_ANSWER_CHARS": "9000000"}
    with bench.site.changed(**settings) as process:
        await bench.warmed_up(process)
        # More than the kernel buffers for a client that does not read (about four megabytes).
        person = seed % len(bench.site.sessions)  # each can store a few of such answers
        asked = bench.ask(Directive(f"{name}0", 6_000, 4_000, padding_chars=900), person=person)
        reading = asyncio.create_task(bench.read_all([asked]))
        slow = await _slowly(bench, asked)
        await reading
        complaints = bench.judged(name, [asked])
        for _attempt in range(ATTEMPTS):
            found, held, dropped = await _never_reading(bench, asked, process, person)
            if held <= HELD_KILOBYTES:
                break
        complaints += found
    if slow.text != asked.reader.text or slow.complaints:
        complaints.append(f"I3 a slow reader got something else {slow.complaints}")
    note = f"all of {bench.size(6, 40)} dropped {dropped:.1f} s on (limit set: {SEND_TIMEOUT_SECONDS} s)"
    return Outcome([*complaints, *bench.worries()], held, "KB held per reader", [note])


async def _never_reading(
    bench: Bench, asked: Asked, process: Process, person: int
) -> tuple[list[str], float, float]:
    """Return problems, kilobytes held per client, and seconds until the last was disconnected."""
    count = bench.size(6, 40)
    before = await process.steady_kilobytes()
    began = monotonic()
    sockets = [request_and_never_read(bench, asked, process, person) for _ in range(count)]
    ports = {each.getsockname()[1] for each in sockets}
    await asyncio.sleep(SEND_TIMEOUT_SECONDS / 2)
    held = (process.resources.resident_kilobytes - before) / count
    found = []
    if monotonic() - began < SEND_TIMEOUT_SECONDS and not ports <= process.peers:
        found.append(f"{len(ports - process.peers)} were let go too soon, or sent everything")
    if held > HELD_KILOBYTES:
        found.append(f"{held:.0f} KB held for each reader that never reads")
    while left := ports & process.peers:
        if monotonic() - began > bench.size(SEND_TIMEOUT_SECONDS * 3, DROPPED_SECONDS):
            found.append(f"{len(left)} of {count} readers that never read are still held")
            break
        await asyncio.sleep(0.1)
    seconds = monotonic() - began
    for each in sockets:
        each.close()
    return found, held, seconds


def request_and_never_read(
    bench: Bench, asked: Asked, process: Process, person: int = 0
) -> socket.socket:
    address = urlsplit(process.url)
    made = socket.socket()
    made.setsockopt(
        socket.SOL_SOCKET, socket.SO_RCVBUF, 4096
    )  # otherwise the kernel buffers megabytes
    made.connect((address.hostname, address.port))
    session = bench.site.sessions[person][0]
    made.sendall(
        f"GET /generations/{asked.reader.generation_id}/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Cookie: sessionid={session}; csrftoken={CSRF}\r\n\r\n".encode()
    )
    return made


async def _slowly(bench: Bench, asked: Asked) -> Reader:
    """Read slowly in small pieces, fall behind, and read the rest afterwards."""
    before = asked.reader
    while not (before.generation_id or before.finished):
        await asyncio.sleep(0.01)
    sips = bench.size(40, 200)
    return await before.again(sip_seconds=0.02, sips=sips, patience_seconds=120).run()
