"""Write Spanish times as `Intl` does, and group numbers with points."""

TIME_FORMAT = "G:i"
DATETIME_FORMAT = r"j \d\e F \d\e Y \a \l\a\s G:i"
THOUSAND_SEPARATOR = "."
