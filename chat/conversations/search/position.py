"""Where a message stands among all messages: when it was said, then its id, in one number.

The index is in the order of this number, so that the newest come first without any sorting, also
where messages were brought from elsewhere with the times they had there.
"""

BITS_OF_ID = 31
LAST = 2**63 - 1  # beyond every message
LATEST_SECOND = 2**32 - 1
#: Characters; what is longer would keep everybody's messages waiting (long_messages.py).
LONG_MESSAGE = 20_000
EVERYBODY = 0  # in place of an owner: who looks for words of all
#: Some three days (2^18 s): on PostgreSQL, what all said is looked through span by span.
BITS_IN_SPAN = BITS_OF_ID + 18


def message_at(place: int) -> int:
    """The id of the message that stands there."""
    return place & ((1 << BITS_OF_ID) - 1)
