"""Write English dates as `Intl` does: Django's "p.m." doubles the full stop of a sentence."""

DATE_FORMAT = "M j, Y"
TIME_FORMAT = "g:i A"
DATETIME_FORMAT = "M j, Y, g:i A"
SHORT_DATETIME_FORMAT = "m/d/Y g:i A"
