"""Resume at random positions, from memory and storage: the bytes match, nothing is repeated or lost."""

import asyncio
from random import Random
from time import monotonic

import aiohttp

from tests.chaos.bench import Asked, Bench
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome

AT_ONCE = 40
RETRY = b"retry: 1000\n"
#: Opens a resumed stream of which there is nothing new yet.
NOTHING_NEW = b'id: %d\ndata: {"response":""}\n\n'


async def run(bench: Bench, seed: int) -> Outcome:
    chance, name = Random(seed), bench.new_run("resumes", seed)
    asked = [
        bench.ask(
            Directive(f"{name}{n}", bench.size(150, 300), tokens_per_second=100, torn=True),
            person=n,
        )
        for n in range(bench.size(3, 10))
    ]
    began = monotonic()
    reading = asyncio.create_task(bench.read_all(asked))
    while not (reading.done() or all(each.reader.generation_id for each in asked)):
        await asyncio.sleep(0.05)
    # While answers run, the whole log is not known yet, so the bytes are compared afterwards.
    seen = await _many(bench, chance, asked, bench.size(60, 3000))
    await reading
    complaints = bench.judged(name, asked)
    seen += await _many(bench, chance, asked, bench.size(120, 4000))
    await asyncio.to_thread(_restart, bench)
    seen += await _many(bench, chance, asked, bench.size(60, 3000))
    complaints += await _compared(bench, asked, seen)
    rate = len(seen) / (monotonic() - began)
    note = f"{len(seen)} resumes, {rate:.0f} a second; from memory (running, ended) and storage"
    return Outcome([*complaints, *bench.worries()], len(complaints), "wrong resumes", [note])


def _restart(bench: Bench) -> None:
    bench.site.first.end()
    bench.site.first.start()


#: The generation, the event to resume after, the status, and the bytes (None: we disconnected).
Seen = tuple[Asked, int, int, bytes, bool]


async def _many(bench: Bench, chance: Random, asked: list[Asked], count: int) -> list[Seen]:
    """Resume `count` times over one pool of connections, sometimes disconnecting."""
    places = asyncio.Semaphore(AT_ONCE)

    async def one(each: Asked) -> Seen:
        async with places:
            after = chance.randrange(each.reader.last_id + 3)
            return await _resume(each, after, chance.choice((None, None, chance.randrange(2000))))

    return await asyncio.gather(*(one(chance.choice(asked)) for _ in range(count)))


async def _resume(asked: Asked, after: int, cut_bytes: int | None) -> Seen:
    reader = asked.reader
    path = f"/generations/{reader.generation_id}/stream"
    by_query = after % 2
    headers = {} if by_query else {"Last-Event-ID": str(after)}
    got = b""
    try:
        async with reader.visitor.request(
            "GET", path + (f"?after={after}" if by_query else ""), headers=headers
        ) as response:
            async for chunk in response.content.iter_any():
                got += chunk
                if cut_bytes is not None and len(got) >= cut_bytes:
                    response.close()
                    return asked, after, response.status, got, True
            return asked, after, response.status, got, False
    except aiohttp.ClientError as error:
        return asked, after, 0, repr(error).encode(), False


async def _compared(bench: Bench, asked: list[Asked], seen: list[Seen]) -> list[str]:
    """Compare each resumed stream with the whole log, as read without interruption."""
    whole: dict[str, list[bytes]] = {}
    for each in asked:
        _, _, status, content, _ = await _resume(each, 0, None)
        frames = _frames(content)
        if status != 200 or _text_ids(frames) != list(range(1, len(frames) + 1)):
            return [f"{each.mark}: the whole log has gaps, or is not there ({status})"]
        whole[each.mark] = frames
    return [problem for one in seen for problem in _judged(one, whole[one[0].mark])]


def _judged(one: Seen, frames: list[bytes]) -> list[str]:
    asked, after, status, content, was_cut = one
    terminal = (
        len(frames) - 2
    )  # before the last two, because the terminal events are sent whatever the cursor is
    if after == len(frames):
        expected_status, rest = 204, b""
    else:
        expected_status, rest = 200, b"".join(frames[min(after, terminal) :])
    content = content.removeprefix(RETRY).removeprefix(NOTHING_NEW % after)
    content = content.replace(b"\n\n:\n\n", b"\n\n")
    right = rest.startswith(content) if was_cut else rest == content
    if status == expected_status and right:
        return []
    if was_cut and status == 200 and RETRY.startswith(content):
        return []
    where = f"after {after} of {len(frames)}"
    return [f"{asked.mark}: {where}: status {status}, {len(content)} bytes, {len(rest)} expected"]


def _frames(content: bytes) -> list[bytes]:
    parts = content.removeprefix(RETRY).split(b"\n\n")[:-1]
    return [part + b"\n\n" for part in parts if part.startswith(b"id: ")]


def _text_ids(frames: list[bytes]) -> list[int]:
    return [int(frame[4 : frame.index(b"\n")]) for frame in frames]
