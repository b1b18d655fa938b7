"""How much is measured: all of it, or what `SMALL=1` takes to see that everything works."""

import os
from dataclasses import dataclass

from benchmarks.streams.load import Plan

RATE = 50.0


@dataclass(frozen=True, slots=True)
class Size:
    repeats: int
    plans: dict[str, Plan]
    databases: tuple[str, ...]
    #: Who ask. A person has at most eight stored sends waiting at a time.
    members: int
    chats: int
    gets: int


def paced(answers: int, tokens: int, ramp_seconds: float) -> Plan:
    return Plan(answers, RATE, tokens, ramp_seconds)


STEADY, SHORT, BURST, UNTHROTTLED = "steady", "short turn", "100 within 1 s", "unthrottled"

FULL = Size(
    repeats=int(os.environ.get("REPEATS", "3")),
    plans={
        STEADY: Plan(100, RATE, 1000, ramp_seconds=2, window=(6, 16)),
        SHORT: Plan(7, 0, 3, rounds=20),
        "1 answer": Plan(1, RATE, 50, rounds=2),
        BURST: paced(100, 150, 1),
        "300 within 2 s": paced(300, 150, 2),
        "500 within 4 s": paced(500, 150, 4),
        "1,000 within 8 s": paced(1000, 150, 8),
        UNTHROTTLED: Plan(50, 0, 1000),
    },
    databases=tuple(os.environ.get("DATABASES", "SQLite,PostgreSQL").split(",")),
    members=200,
    chats=1000,
    gets=20,
)
SMALL = Size(
    repeats=1,
    plans={
        STEADY: Plan(3, RATE, 40, window=(0.2, 0.6)),
        SHORT: Plan(2, 0, 3, rounds=2),
        "1 answer": Plan(1, RATE, 5),
        BURST: paced(5, 5, 0.05),
        "300 within 2 s": paced(6, 5, 0.05),
        "500 within 4 s": paced(8, 5, 0.05),
        "1,000 within 8 s": paced(10, 5, 0.05),
        UNTHROTTLED: Plan(3, 0, 100),
    },
    databases=tuple(os.environ.get("DATABASES", "SQLite").split(",")),
    members=10,
    chats=60,
    gets=2,
)


def wanted() -> Size:
    return SMALL if os.environ.get("SMALL") == "1" else FULL
