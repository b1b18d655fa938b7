"""Read times that come from outside."""

from datetime import UTC, datetime

#: Within these, every time zone and database can represent a time.
EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)


def moment_in(text: str) -> datetime:
    """Return the time in ISO 8601, in UTC, as which one without a zone is read.

    Raise `ValueError` if it isn't one, or what `storable` raises.
    """
    moment = datetime.fromisoformat(text)
    return storable(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def storable(moment: datetime) -> datetime:
    """Return a time in UTC. Raise `ValueError` if it is too early or too late to be stored."""
    try:
        in_utc = moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("not within the years 1 to 9999 in UTC") from None
    if not EARLIEST <= in_utc < LATEST:
        raise ValueError(f"not from {EARLIEST:%Y} to {LATEST:%Y}")
    return in_utc
