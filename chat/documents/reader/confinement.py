"""Take away from this process what reading a file does not need. Linux only, but for the limits."""

import contextlib
import ctypes
import os
import platform
import resource
import struct
import sys
from pathlib import Path

CPU_SECONDS = 40
MEMORY_BYTES = 2 * 1024**3  # of addresses; what libraries map counts, too
OPEN_FILES = 32
NICENESS = 10

#: prctl(2), seccomp(2), bpf(2): linux/prctl.h, linux/seccomp.h, linux/filter.h
PR_SET_NO_NEW_PRIVS, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC = 38, 1, 1
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | 13  # EACCES
NUMBER_AT, ARCHITECTURE_AT = 0, 4
#: AUDIT_ARCH, the number of seccomp, and those of socket, connect, execve, execveat and ptrace.
REFUSED_CALLS = {
    "x86_64": (0xC000003E, 317, (41, 42, 59, 322, 101)),
    "aarch64": (0xC00000B7, 277, (198, 203, 221, 281, 117)),
}


def confine() -> None:
    """Limit memory, CPU time and files; refuse connections and other programs."""
    _limit(resource.RLIMIT_CPU, CPU_SECONDS)
    _limit(resource.RLIMIT_AS, MEMORY_BYTES)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    _limit(resource.RLIMIT_CORE, 0)
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    with contextlib.suppress(OSError):  # if memory runs out, this process is ended first
        Path("/proc/self/oom_score_adj").write_text("1000")
    if sys.platform == "linux" and platform.machine() in REFUSED_CALLS:
        _refuse_calls(*REFUSED_CALLS[platform.machine()])


def _limit(what: int, most: int) -> None:
    _soft, hard = resource.getrlimit(what)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    with contextlib.suppress(OSError, ValueError):  # macOS knows not all of them
        resource.setrlimit(what, (most, most))


def _refuse_calls(architecture: int, seccomp: int, calls: tuple[int, ...]) -> None:
    """Install a filter for system calls, in all threads. Other architectures may make none."""
    steps = [
        _step(LOAD, ARCHITECTURE_AT),
        _step(JUMP_IF_EQUAL, architecture, if_equal=1),
        _step(RETURN, REFUSE),
        _step(LOAD, NUMBER_AT),
        *(
            _step(JUMP_IF_EQUAL, call, if_equal=len(calls) - place)
            for place, call in enumerate(calls)
        ),
        _step(RETURN, ALLOW),
        _step(RETURN, REFUSE),
    ]
    code = ctypes.create_string_buffer(b"".join(steps))
    program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    one, zero = ctypes.c_ulong(1), ctypes.c_ulong(0)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, one, zero, zero, zero) == 0:
        flags = ctypes.c_ulong(SECCOMP_FILTER_FLAG_TSYNC)
        libc.syscall(
            ctypes.c_long(seccomp), ctypes.c_ulong(SECCOMP_SET_MODE_FILTER), flags, program
        )


def _step(code: int, value: int, if_equal: int = 0) -> bytes:
    """Return an instruction (struct sock_filter)."""
    return struct.pack("HBBI", code, if_equal, 0, value)
