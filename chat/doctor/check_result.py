"""What a check found, and what to do about it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of the report. `advice` says what to do; empty if nothing has to be done."""

    check: str
    status: Status
    message: str
    advice: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DoctorOptions:
    """What the operator asked for.

    `url` is where to connect instead of SITE_URL, `process_url` is the address of a process without
    a proxy. Checks note in `clock_offsets` by how many seconds the clocks of others are ahead.
    """

    url: str = ""
    process_url: str = ""
    send_mail_to: str = ""
    clock_offsets: dict[str, float] = field(default_factory=dict)


#: A check yields findings. An exception that it does not handle becomes a problem.
Check = Callable[[DoctorOptions], Iterable[CheckResult]]
