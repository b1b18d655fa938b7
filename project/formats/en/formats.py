"""English times as browsers write them: Django's "p.m." doubles the full stop of a sentence."""

TIME_FORMAT = "g:i A"
DATETIME_FORMAT = "N j, Y, g:i A"
SHORT_DATETIME_FORMAT = "m/d/Y g:i A"
