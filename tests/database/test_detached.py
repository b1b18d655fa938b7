"""Work goes on without its caller, and only unexpected errors of it are logged."""

import asyncio
import gc

import pytest

from chat.database.detached import result_of
from chat.errors import ChatError


async def end_alone(error: Exception | None) -> bool:
    """Cancel the caller of some work, and return whether the work went on to its end."""
    goes_on, ended = asyncio.Event(), []

    async def work() -> None:
        await goes_on.wait()
        ended.append(True)
        if error:
            raise error

    caller = asyncio.create_task(result_of(asyncio.create_task(work())))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    goes_on.set()
    await asyncio.sleep(0.01)
    gc.collect()  # asyncio logs errors that nobody retrieved when their task is deleted
    return ended == [True]


async def test_it_goes_on_if_the_caller_is_cancelled(caplog: pytest.LogCaptureFixture) -> None:
    assert await end_alone(None)
    assert await end_alone(ChatError("refused"))
    assert caplog.records == []


async def test_an_unexpected_error_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert await end_alone(ZeroDivisionError())
    assert [record.name for record in caplog.records] == ["chat.database.detached"]


async def test_errors_reach_a_caller_who_waits() -> None:
    async def refuse() -> None:
        raise ChatError("refused")

    with pytest.raises(ChatError):
        await result_of(asyncio.create_task(refuse()))
