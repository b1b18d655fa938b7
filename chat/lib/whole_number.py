"""Read whole numbers that a client has sent."""

#: Every number with so many digits fits a database's ID.
MAX_ID_DIGITS = 18
MAX_ID = 10**MAX_ID_DIGITS - 1


def whole_number(text: str, *, most_digits: int = MAX_ID_DIGITS) -> int | None:
    """Return the number; None if the text is anything but a few of the digits 0 to 9."""
    is_number = text.isascii() and text.isdigit() and len(text) <= most_digits
    return int(text) if is_number else None
