"""Write French dates as `Intl` does, and group numbers with a narrow no-break space."""

DATETIME_FORMAT = "j F Y à H:i"
THOUSAND_SEPARATOR = "\u202f"
