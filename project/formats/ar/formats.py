"""Write Arabic dates as `Intl` does, and numbers with the digits 0-9, in groups."""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y في g:i A"
SHORT_DATETIME_FORMAT = "d\u200f/m\u200f/Y g:i A"
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
