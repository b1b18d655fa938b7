"""What the empty page offers to begin with."""

from typing import NamedTuple

from chat.emulator.scripts import STARTERS as EMULATOR_STARTERS
from chat.relay import clients


class Starter(NamedTuple):
    title: str
    prompt: str


STARTERS = (
    Starter("Explain something", "Explain how tides work, as to a curious twelve-year-old."),
    Starter("Plan a day", "Plan a slow Saturday in a small town by a river."),
    Starter("Compare", "Compare SQLite and PostgreSQL for a small website, in a table."),
    Starter("Find words", "Write a friendly reminder to a neighbour who has borrowed my ladder."),
)


def starters() -> list[Starter]:
    """With the emulator, the ones that show what it can imitate."""
    if clients.uses_emulator():
        return [Starter(each.title, each.prompt) for each in EMULATOR_STARTERS]
    return list(STARTERS)
