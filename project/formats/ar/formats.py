"""Numbers in Arabic as `Intl` writes them with the digits 0-9; Django does not group them."""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
