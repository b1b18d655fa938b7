"""Group Spanish numbers as `Intl` does: with points."""

THOUSAND_SEPARATOR = "."
