"""Tell processes apart by what the kernel says: which one has a pid, and where that pid counts.

A pid means something only on one machine, since one boot, in one PID namespace: containers that
share a host name can each have a process 7.
"""

import os
from pathlib import Path

PROC = Path("/proc")
#: The id under which this process is registered in the database; None if it isn't a server.
worker_id: int | None = None


def pid_namespace() -> str:
    """Return the boot and the PID namespace of this process; empty if they cannot be told.

    They cannot without /proc, or if the mounted /proc shows the pids of another namespace.
    """
    try:
        if os.readlink(PROC / "self") != str(os.getpid()):
            return ""
        boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {os.readlink(PROC / 'self/ns/pid')}"
    except OSError:
        return ""


def started(pid: int) -> str:
    """Return when a process of this PID namespace started, in kernel ticks; empty if it is gone.

    A later process with the same pid has another start. Empty without /proc, too.
    """
    try:
        stat = (PROC / str(pid) / "stat").read_text()
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] == "Z" else fields[19]
