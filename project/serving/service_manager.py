"""Tell systemd the state of the service (`Type=notify`); without systemd, do nothing."""

import os
import socket
from contextlib import suppress


def notify(state: str) -> None:
    """Send a message of sd_notify(3)."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.sendto(state.encode(), address)
