"""Start and stop background work with the server.

uvicorn supports ASGI's `lifespan`, but waits for open streams before it sends `shutdown`, and stops
listening as soon as it handles a signal. So its handlers are wrapped: they run when the process has
drained. Daphne, the server of `manage.py runserver`, has no lifespan; its reactor calls us when it
starts, and waits for us before it stops.
"""

import asyncio
import gc
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from django.conf import settings

from chat.generations.process import server_process
from project.preload import preload
from project.serving.delayed_start import start_when_possible

log = logging.getLogger(__name__)

#: How long the whole shutdown may take.
SHUTDOWN_SECONDS = 12.0
#: Objects made between two collections of the young ones.
YOUNG_OBJECTS = 5000
Handler = Callable[[int, FrameType | None], Any] | int | None


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Handle the lifespan protocol."""
    while True:
        event = await receive()
        if event["type"] == "lifespan.startup":
            preload()
            if problem := await start_when_possible():
                await send({"type": "lifespan.startup.failed", "message": problem})
                return
            freeze_collected_objects()
            _shut_down_on(signal.SIGTERM)
            _shut_down_on(signal.SIGINT)
            await send({"type": "lifespan.startup.complete"})
        else:
            await server_process.end()
            await send({"type": "lifespan.shutdown.complete"})
            return


def freeze_collected_objects() -> None:
    """Exempt what was loaded from garbage collection, which took a twentieth of the CPU time."""
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])


def _shut_down_on(number: signal.Signals) -> None:
    """Drain before the server handles the signal; at once for SIGINT, and for a second signal."""
    loop, here = asyncio.get_running_loop(), server_process.current()
    before: Handler = signal.getsignal(number)
    draining: list[asyncio.Task[None]] = []

    async def drain() -> None:
        await here.drain()
        if not here.shutting_down:
            shut_down()

    def shut_down() -> None:
        _end_within(SHUTDOWN_SECONDS)
        here.begin_shutdown()
        if callable(before):
            before(number, None)

    def begin() -> None:
        if number == signal.SIGINT or here.draining or not settings.DRAIN_SECONDS:
            shut_down()
        else:
            draining.append(asyncio.create_task(drain()))

    def handle(_number: int, _frame: FrameType | None) -> None:
        _end_within(settings.DRAIN_SECONDS + SHUTDOWN_SECONDS)
        loop.call_soon_threadsafe(begin)

    signal.signal(number, handle)


def _end_within(seconds: float) -> None:
    """End the process after that time, whatever holds it.

    That may be a thread that waits for a database which does not answer: Python would wait for it.
    """
    timer = threading.Timer(seconds, _end_now)
    timer.daemon = True
    timer.start()


def _end_now() -> None:
    log.critical("shutting down took too long; the next process closes what could not be stored")
    os._exit(1)


def is_under_uvicorn() -> bool:
    return "uvicorn.server" in sys.modules


def is_under_daphne() -> bool:
    return "daphne.server" in sys.modules


async def _start() -> None:
    if problem := await start_when_possible():
        log.critical(problem)


def begin_under_daphne() -> None:
    """Start and stop background work with the reactor of Daphne, the server of `runserver`."""
    from twisted.internet import reactor  # installed by Daphne, so it can only be used there
    from twisted.internet.defer import Deferred

    tasks: list[asyncio.Future[None]] = []  # the loop only keeps weak references to tasks

    def begin() -> None:
        tasks.append(asyncio.ensure_future(_start()))

    def before_shutdown() -> Any:
        return Deferred.fromFuture(asyncio.ensure_future(server_process.current().stop()))

    twisted: Any = reactor
    twisted.callWhenRunning(twisted.callLater, 0, begin)  # the loop starts a moment later
    twisted.addSystemEventTrigger("before", "shutdown", before_shutdown)
