"""Slow request bodies time out; bodies that keep arriving do not."""

from tests.support.web.asgi_client import Client, reads_all
from tests.support.web.guarded_bodies import body_guard

QUICK = 0.2


async def test_a_body_in_pieces_is_read() -> None:
    answer = await Client([b"abc"] * 5, 0.001).ask(body_guard(reads_all))
    assert (answer.status, answer.body) == (200, b"15")


async def test_a_body_that_stops_arriving_times_out() -> None:
    answer = await Client([b"abc"], ends=False).ask(body_guard(reads_all, idle_seconds=QUICK))
    assert answer.status == 408
    assert answer.error["retryable"]
    assert "Your draft is saved" in answer.error["message"]


async def test_a_body_that_arrives_too_slowly_times_out() -> None:
    answer = await Client([b"a"] * 2000, 0.01).ask(body_guard(reads_all, seconds=QUICK))
    assert answer.status == 408


async def test_after_the_body_there_is_no_time_limit() -> None:
    async def waits(scope: object, receive: object, send: object) -> None:
        await receive()  # type: ignore[operator]
        await receive()  # type: ignore[operator]  # as Django listens for a disconnect
        await reads_all(scope, receive, send)

    answer = await Client([b"", b"", b"abc"], QUICK * 2).ask(body_guard(waits, seconds=QUICK * 3))
    assert answer.status == 408  # the body of this one goes on

    class Whole(Client):
        async def receive(self) -> dict[str, object]:
            return {**await super().receive(), "more_body": False}

    answer = await Whole([b"", b"", b"abc"], QUICK * 2).ask(body_guard(waits, seconds=QUICK * 3))
    assert (answer.status, answer.body) == (200, b"3")
