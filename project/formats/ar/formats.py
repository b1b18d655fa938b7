"""Format Arabic numbers with the digits 0-9, as `Intl` does; Django does not group them."""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
