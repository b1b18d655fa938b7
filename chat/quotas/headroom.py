"""Remember whose limits had much room a moment ago, so that they need not be read beforehand.

Only `ledger.reserve` decides, inside its transaction. Reading the meters before that merely keeps
refusals off the database writer. Without it, at most the first refusal after a success reaches the
writer.
"""

import time

from chat.quotas.payer import Payer

REMEMBERED_SECONDS = 10.0
MAX_REMEMBERED = 10_000

# By payer: when to forget it, in monotonic time.
_ample_until: dict[Payer, float] = {}


def note(payer: Payer) -> None:
    """Remember that this payer's limits have much room."""
    if len(_ample_until) >= MAX_REMEMBERED:
        _ample_until.clear()
    _ample_until[payer] = time.monotonic() + REMEMBERED_SECONDS


def forget(payer: Payer) -> None:
    _ample_until.pop(payer, None)


def forget_all() -> None:
    _ample_until.clear()


def is_ample(payer: Payer) -> bool:
    """Return whether the payer's limits had much room when their last answer began."""
    return _ample_until.get(payer, 0.0) > time.monotonic()
