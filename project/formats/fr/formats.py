"""Group French numbers as `Intl` does: with a narrow no-break space."""

THOUSAND_SEPARATOR = "\u202f"
