"""Tell systemd the state of the service (`Type=notify`); without systemd, do nothing."""

import asyncio
import os
import socket
from contextlib import suppress

#: How often to tell systemd's watchdog in the time after which it acts.
PER_TIMEOUT = 3
#: How long to wait for systemd to take a message.
SEND_SECONDS = 1.0


def notify(state: str) -> None:
    """Send a message of sd_notify(3)."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.settimeout(SEND_SECONDS)
        channel.sendto(state.encode(), address)


async def feed_watchdog() -> None:
    """Tell systemd's watchdog (`WatchdogSec=`) that this process is alive, until cancelled."""
    timeout = _watchdog_seconds()
    while timeout:
        notify("WATCHDOG=1")
        await asyncio.sleep(timeout / PER_TIMEOUT)


def _watchdog_seconds() -> float:
    """Return the time of sd_watchdog_enabled(3), 0 if there is no watchdog for this process."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    is_for_us = os.environ.get("WATCHDOG_PID", "") in {"", str(os.getpid())}
    return int(microseconds) / 1e6 if microseconds.isdigit() and is_for_us else 0.0
