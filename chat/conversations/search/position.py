"""Encode the position of a message among all messages: its time and its id in one number.

The index is in the order of this number, so the newest messages come first without sorting, even if
messages were imported with their original times.
"""

BITS_OF_ID = 31
LAST = 2**63 - 1  # above every position
LATEST_SECOND = 2**32 - 1
#: In characters. Indexing longer messages at once would delay all others (long_messages.py).
LONG_MESSAGE = 20_000
EVERYBODY = 0  # stands for all owners, in searches by staff
#: About three days (2^18 s): on PostgreSQL, staff searches go from span to span.
BITS_IN_SPAN = BITS_OF_ID + 18


def message_at(place: int) -> int:
    """Return the id of the message at this position."""
    return place & ((1 << BITS_OF_ID) - 1)
