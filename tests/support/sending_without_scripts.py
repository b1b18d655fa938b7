"""What tests of sending without scripts share with others."""

HTML = {"Accept": "text/html,application/xhtml+xml"}


FORM = "application/x-www-form-urlencoded"
