"""Let this process change no files, and read only those of Python and its libraries (Landlock).

Names and numbers: linux/landlock.h. The kernel needs to be Linux 5.13 or newer.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

#: The same on all architectures.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ASK_FOR_VERSION, BENEATH_PATH = 1, 1
READ_FILE, READ_DIRECTORY = 1 << 2, 1 << 3
#: How many kinds of access to files the kernel knows, from a version of Landlock on.
KINDS_OF_ACCESS = {1: 13, 2: 14, 3: 15, 5: 16}
#: The versions from which it also takes access to the network, and to other processes.
WITH_NETWORK, WITH_SCOPE = 4, 6
TCP = 0b11
SOCKETS_AND_SIGNALS = 0b11

READABLE = (sys.prefix, sys.base_prefix, str(Path(__file__).parent), "/usr/share", "/usr/lib")


def version() -> int:
    """Return the version of Landlock; below 1 if the kernel has none."""
    return _call(CREATE_RULESET, None, 0, ASK_FOR_VERSION) if sys.platform == "linux" else 0


def restrict_files(readable: Iterable[str] = READABLE) -> None:
    """Refuse all else from now on, to this thread and those that it starts."""
    if (known := version()) < 1:
        return
    kinds = max(count for since, count in KINDS_OF_ACCESS.items() if since <= known)
    attributes = struct.pack("Q", (1 << kinds) - 1)
    attributes += struct.pack("Q", TCP) if known >= WITH_NETWORK else b""
    attributes += struct.pack("Q", SOCKETS_AND_SIGNALS) if known >= WITH_SCOPE else b""
    rules = _call(CREATE_RULESET, attributes, len(attributes), 0)
    if rules < 0:
        return
    for path in readable:
        with suppress(OSError):
            folder = os.open(path, os.O_PATH)
            beneath = struct.pack("=Qi", READ_FILE | READ_DIRECTORY, folder)
            _call(ADD_RULE, rules, BENEATH_PATH, beneath, 0)
            os.close(folder)
    _call(RESTRICT_SELF, rules, 0)
    os.close(rules)


def _call(number: int, *arguments: int | bytes | None) -> int:
    words = (ctypes.c_ulong(each) if isinstance(each, int) else each for each in arguments)
    return int(ctypes.CDLL(None).syscall(ctypes.c_long(number), *words))
