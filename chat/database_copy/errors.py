"""Define the error of a copy that cannot be made."""


class CopyRefused(Exception):
    """Nothing was copied. The text tells the operator why, and what to do."""
