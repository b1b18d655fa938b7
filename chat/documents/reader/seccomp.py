"""Let the kernel refuse system calls of this process, all its threads and children (seccomp).

Names and numbers: linux/prctl.h, linux/seccomp.h, linux/filter.h, linux/audit.h, asm/unistd.h.
"""

import ctypes
import platform
import struct
import sys

PR_SET_NO_NEW_PRIVS, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC = 38, 1, 1
LOAD, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, JUMP_IF_ANY, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE, UNKNOWN = 0x7FFF0000, 0x00050000 | 13, 0x00050000 | 38  # EACCES, ENOSYS
NUMBER_AT, ARCHITECTURE_AT, FIRST_ARGUMENT_AT = 0, 4, 16
CLONE_THREAD = 0x00010000
#: Numbers from here on are another way to the same calls (x32).
OTHER_NUMBERS = 0x40000000

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
#: By name, for each architecture; None where there is no such call.
SECCOMP = (317, 277)
CLONE, CLONE3, PRLIMIT = (56, 220), (435, 435), (302, 261)
REFUSED: dict[str, tuple[int | None, int | None]] = {
    # connections; io_uring makes them, and changes files, without a call of their own
    "socket": (41, 198), "connect": (42, 203), "io_uring_setup": (425, 425),
    # other programs and processes
    "execve": (59, 221), "execveat": (322, 281), "fork": (57, None), "vfork": (58, None),
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "unshare": (272, 97), "setns": (308, 268),
    # what Landlock doesn't know of files
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "lchown": (94, None), "fchown": (93, 55), "fchownat": (260, 54),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
}  # fmt: skip


def forbid_privileges() -> None:
    """Never gain privileges: the kernel wants this before it lets a process restrict itself."""
    zero = ctypes.c_ulong(0)
    ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), zero, zero, zero)


def refuse_calls() -> None:
    """Install the filter, on Linux with x86-64 or ARM64. Call `forbid_privileges` before."""
    machine = platform.machine()
    if sys.platform != "linux" or machine not in ARCHITECTURES:
        return
    steps = _steps(ARCHITECTURES[machine], list(ARCHITECTURES).index(machine))
    code = ctypes.create_string_buffer(b"".join(steps))
    program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
    ctypes.CDLL(None).syscall(
        ctypes.c_long(SECCOMP[list(ARCHITECTURES).index(machine)]),
        ctypes.c_ulong(SECCOMP_SET_MODE_FILTER),
        ctypes.c_ulong(SECCOMP_FILTER_FLAG_TSYNC),
        program,
    )


def _steps(architecture: int, place: int) -> list[bytes]:
    """Return the program. Processes of other architectures may make no calls at all."""
    calls = [numbers[place] for numbers in REFUSED.values()]
    return [
        _step(LOAD, ARCHITECTURE_AT),
        _step(JUMP_IF_EQUAL, architecture, if_true=1),
        _step(RETURN, REFUSE),
        _step(LOAD, NUMBER_AT),
        *_unless_equal(CLONE3[place], [_step(RETURN, UNKNOWN)]),  # then libraries use `clone`
        *_unless_equal(CLONE[place], _returns_on(JUMP_IF_ANY, CLONE_THREAD, ALLOW, REFUSE)),
        *_unless_equal(PRLIMIT[place], _returns_on(JUMP_IF_EQUAL, 0, ALLOW, REFUSE)),  # itself
        *_returns(JUMP_IF_AT_LEAST, OTHER_NUMBERS),
        *(
            step
            for number in calls
            if number is not None
            for step in _returns(JUMP_IF_EQUAL, number)
        ),
        _step(RETURN, ALLOW),
    ]


def _unless_equal(number: int, steps: list[bytes]) -> list[bytes]:
    """Return steps for the call of this number only; they must return."""
    return [_step(JUMP_IF_EQUAL, number, if_false=len(steps)), *steps]


def _returns_on(jump: int, value: int, if_true: int, if_false: int) -> list[bytes]:
    """Return steps that decide by the first argument."""
    return [
        _step(LOAD, FIRST_ARGUMENT_AT),
        _step(jump, value, if_false=1),
        _step(RETURN, if_true),
        _step(RETURN, if_false),
    ]


def _returns(jump: int, value: int) -> list[bytes]:
    return [_step(jump, value, if_false=1), _step(RETURN, REFUSE)]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Return an instruction (struct sock_filter)."""
    return struct.pack("HBBI", code, if_true, if_false, value)
