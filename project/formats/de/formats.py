"""Write German times after dates as `Intl` does."""

DATETIME_FORMAT = r"j. F Y \u\m H:i"
